import type { ReadAt } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';

/** What one archive offers. */
export interface ServedContent {
  /** Its path, for messages. */
  readonly name: string;
  readonly repositories: readonly ServedRepository[];
  /** Random access to the bytes of content where they lie; they are not checked yet. */
  read(descriptor: Descriptor): Promise<ReadAt>;
}

/** One repository of an archive. */
export interface ServedRepository {
  /** The host that its references name, such as `docker.io` or `localhost:5000`. */
  readonly registry: string;
  readonly repository: string;
  readonly tags: ReadonlyMap<string, Descriptor>;
  /** Every manifest, config and layer that can be reached. */
  readonly content: ReadonlyMap<Digest, Descriptor>;
}

/** Content, and the archive that it is read from. */
export interface Held {
  readonly descriptor: Descriptor;
  readonly archive: ServedContent;
}
