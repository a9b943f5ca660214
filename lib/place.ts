import type { Reference } from '../formats/oci/reference.ts';
import type { RemoteOptions } from './http/remote-file.ts';
import type { NamedSource } from './model.ts';
import { type OpenFile, openFile } from './open-file.ts';

/** A file at an address. User and password in it are for its own origin alone. */
export interface RemotePlace extends Omit<RemoteOptions, 'signal'> {
  /** http or https. */
  readonly url: URL;
}

/** Where a file to be read lies: an absolute path, or an address. */
export type Place = string | RemotePlace;

/** Where a Solution is in a registry. */
export interface RegistryPlace {
  /** With a tag or a digest; what has both is asked for by its digest. */
  readonly reference: Reference;
  /** Opens the repository of the reference. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
}

/** Whether a place is in a registry. */
export function isInRegistry(place: Place | RegistryPlace): place is RegistryPlace {
  return typeof place === 'object' && 'connect' in place;
}

/** Opens a file wherever it lies, for reading at any offset. Throws as `openFile` and `openRemote` do. */
export async function openPlace(place: Place, signal?: AbortSignal): Promise<OpenFile> {
  if (typeof place === 'string') return openFile(place);
  const { openRemote } = await import('./http/remote-file.ts');
  return openRemote(place.url, { ...place, signal });
}
