/** A test vector: an archive, and what every reader has to say of it. */
export interface Vector {
  /** Its name beside `vectors.json`; published, it is compressed by gzip. */
  readonly file: string;
  /** The public keys that are trusted, by their names beside `vectors.json`. None: only intactness is asked for. */
  readonly keys: readonly string[];
  /** What a reader lists; absent where the archive is refused. */
  readonly holds?: Held;
  /** What is wrong with it; absent where it is right. */
  readonly refused?: string;
}

/** What a reader lists of an archive. */
export interface Held {
  readonly name: string;
  readonly version: string;
  readonly root: string;
  readonly components: readonly string[];
  readonly images: readonly string[];
  readonly attestations: readonly string[];
  /** Ids of the keys that its slots name, in the order of the slots. */
  readonly signers: readonly string[];
}
