import type { ReadAt } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';

/** Content that is open for reading. */
export interface OpenContent extends ReadAt {
  /** Changes when the bytes may have changed; what was checked before has to be checked again then. */
  readonly version?: string;
  /** Closes what was opened for reading; absent where there is nothing to close. */
  close?(): Promise<void>;
}

/** Something that has content: an archive, or the store. */
export interface ContentHolder {
  /** Its path, for messages. */
  readonly name: string;
  /** Opens content for random access. Its bytes are not checked yet. */
  read(descriptor: Descriptor): Promise<OpenContent>;
}

/** What one archive offers. */
export interface ServedContent extends ContentHolder {
  readonly repositories: readonly ServedRepository[];
}

/** One repository of an archive. */
export interface ServedRepository {
  /** The host in its references, such as `docker.io` or `localhost:5000`; '' where they have none. */
  readonly registry: string;
  readonly repository: string;
  readonly tags: ReadonlyMap<string, Descriptor>;
  /** Every manifest, config and layer. */
  readonly content: ReadonlyMap<Digest, Descriptor>;
  /** Manifests that indexes name and that were left out on purpose, with their platforms. */
  readonly absent?: ReadonlyMap<Digest, string>;
}

/** Content, and the archive or store that has it. */
export interface HeldContent {
  readonly descriptor: Descriptor;
  readonly archive: ContentHolder;
}
