import type { ReadAt } from '../../formats/bytes.ts';
import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';

/** Bytes of content, for as long as they are read. */
export interface OpenContent extends ReadAt {
  /** Another one where the bytes may have changed, so that what was found right has to be looked at anew. */
  readonly version?: string;
  /** Releases what was opened for them; absent where nothing was. */
  close?(): Promise<void>;
}

/** Whatever has content: an archive, or the store. */
export interface Holder {
  /** Its path, for messages. */
  readonly name: string;
  /** Random access to the bytes of content where they lie; they are not checked yet. */
  read(descriptor: Descriptor): Promise<OpenContent>;
}

/** What one archive offers. */
export interface ServedContent extends Holder {
  readonly repositories: readonly ServedRepository[];
}

/** One repository of an archive. */
export interface ServedRepository {
  /** The host that its references name, such as `docker.io` or `localhost:5000`; '' for what has no host. */
  readonly registry: string;
  readonly repository: string;
  readonly tags: ReadonlyMap<string, Descriptor>;
  /** Every manifest, config and layer that can be had. */
  readonly content: ReadonlyMap<Digest, Descriptor>;
  /** What indexes name that was left out on purpose, with the platform that it would be. */
  readonly absent?: ReadonlyMap<Digest, string>;
}

/** Content, and where it is read from. */
export interface Held {
  readonly descriptor: Descriptor;
  readonly archive: Holder;
}
