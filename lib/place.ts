import type { Reference } from '../formats/oci/reference.ts';
import type { RemoteOptions } from './http/remote-file.ts';
import type { NamedSource } from './model.ts';
import { type OpenFile, openFile } from './open-file.ts';

/** A file on a server. User and password are sent to its own origin alone. */
export interface RemotePlace extends Omit<RemoteOptions, 'signal'> {
  /** http or https. */
  readonly url: URL;
}

/** Where a file is: an absolute path, or an address. */
export type Place = string | RemotePlace;

/** Where a Solution is in a registry. */
export interface RegistryPlace {
  /** Reference with a tag or a digest; where it has both, the digest counts. */
  readonly reference: Reference;
  /** Opens the repository of the reference. */
  readonly connect: (reference: Reference) => Promise<NamedSource>;
}

/** Decides whether a place is in a registry. */
export function isInRegistry(place: Place | RegistryPlace): place is RegistryPlace {
  return typeof place === 'object' && 'connect' in place;
}

/** Opens a file, wherever it is, for reading at any offset. Throws as `openFile` and `openRemote`. */
export async function openPlace(place: Place, signal?: AbortSignal): Promise<OpenFile> {
  if (typeof place === 'string') return openFile(place);
  const { openRemote } = await import('./http/remote-file.ts');
  return openRemote(place.url, { ...place, signal });
}
