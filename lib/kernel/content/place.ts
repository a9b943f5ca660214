import type { Reference } from '../../../formats/oci/reference.ts';
import { lend, unreadable } from '../events/index.ts';
import { type HeldEntry, type OpenFile, openFile, readIfThere } from '../files/index.ts';
import type { RemoteOptions } from '../http/index.ts';
import type { NamedSource } from './model.ts';

/** A file on a server. User and password are sent only to its own origin. */
export interface RemotePlace extends Omit<RemoteOptions, 'signal'> {
  /** http or https. */
  readonly url: URL;
}

/** A file or a folder that is held while it is opened, so that nobody can put another one in its place. */
export interface HeldPlace {
  /** An absolute path, for messages. */
  readonly path: string;
  /** Holds it. Throws errors of the system. */
  readonly hold: () => Promise<HeldEntry>;
  /** Reads the file whose path is the same with this ending; undefined where there is none. */
  readonly beside: (ending: string) => Promise<Uint8Array | undefined>;
}

/** Where a file is: an absolute path, one that has to be held, or an address. */
export type Place = string | HeldPlace | RemotePlace;

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

/** Decides whether a place has to be held. */
export function isHeld(place: Place | RegistryPlace): place is HeldPlace {
  return typeof place === 'object' && 'hold' in place;
}

/** Decides whether a place is on this machine. */
export function isLocal(place: Place | RegistryPlace): place is string | HeldPlace {
  return typeof place === 'string' || isHeld(place);
}

/** Lists the paths of the places that are on this machine. */
export function localPaths(places: readonly (Place | RegistryPlace)[]): string[] {
  return places.filter(isLocal).map((place) => (typeof place === 'string' ? place : place.path));
}

/** Opens a file, wherever it is, for reading at any offset. Throws as `openFile`, `openRemote` and `hold`. */
export async function openPlace(place: Place, signal?: AbortSignal): Promise<OpenFile> {
  if (typeof place === 'string') return { ...(await openFile(place)), beside: (ending) => readIfThere(place + ending) };
  if (isHeld(place)) {
    const { path, beside } = place;
    return lend(await holdPlace(place), async ({ reached }) => ({ ...(await openFile(path, 0, reached)), beside }));
  }
  const { openRemote } = await import('../http/remote-file.ts');
  return openRemote(place.url, { ...place, signal });
}

/** Holds what has to be held. Throws `file-missing`, `file-unreadable`, and what `hold` throws at users. */
export async function holdPlace({ path, hold }: HeldPlace): Promise<HeldEntry> {
  return hold().catch((error) => {
    throw unreadable(path, error);
  });
}
