import type { Reference } from '../../../../formats/oci/reference.ts';
import type { Place, RegistryPlace, RemotePlace } from '../../../kernel/content/index.ts';
import type { Origin } from '../origin/index.ts';

/** Where one archive is. */
export type ArchivePlace = Place | RegistryPlace;

/** What is needed to find what a user named. */
export interface MediaContext {
  /** The folder that relative paths begin in; absolute. */
  readonly base: string;
  /** Says how an address is reached; left out, without a proxy and by the authorities of the system. */
  readonly reach?: ((url: URL) => Promise<RemotePlace>) | undefined;
  /** Whose word it is, and so what may be named. Left out: that of somebody at this machine. */
  readonly origin?: Origin | undefined;
  /** Opens repositories of registries; left out, references are refused. */
  readonly connect?: ((reference: Reference) => RegistryPlace) | undefined;
}

/** The archives that an entry names. */
export interface NamedArchives {
  readonly places: readonly ArchivePlace[];
  /** Whether the entry may name any number of them, as a folder does: another one tomorrow, and none now. */
  readonly several: boolean;
}

/** A kind of thing that an entry of `archives`, or an argument, can name. */
export interface MediumKind {
  /**
   * Finds the archives that an entry names, where the entry is of this kind; undefined where it is of another. Throws
   * what reading the folder throws.
   */
  find(entry: string, context: NamingContext): Promise<NamedArchives | undefined>;
}

/** What is needed to find it, with the origin by which it is found. */
export interface NamingContext extends MediaContext {
  readonly origin: Origin;
}
