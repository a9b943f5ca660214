/** A file as the writer of a carrier needs it: where it goes, and how large it is. Its bytes come later. */
export interface FileEntry {
  /** Relative, `/` between names. */
  readonly path: string;
  readonly size: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
  /** The name of the content. Files of equal key have the same bytes, and a carrier stores them once if it can. */
  readonly key: string;
}

/** The structure and the field to which a byte of a carrier belongs. */
export interface StructureField {
  /** The smallest structure around the byte, in words: "directory record of components/web, Joliet tree". */
  readonly structure: string;
  /** The field of that structure, as the standard calls it. */
  readonly field: string;
}

/** Bytes that the writer makes from the list of files alone: headers, directories, padding. */
export interface MetaSegment {
  readonly kind: 'meta';
  readonly offset: number;
  readonly size: number;
  /** The structure, in words: "directory record area of components/web, Joliet tree". */
  readonly name: string;
  /** Makes the bytes. Each call makes the same ones. */
  readonly bytes: () => Uint8Array;
  /**
   * Names what the byte at `at` belongs to, counted from the segment's first byte. Absent if the segment has no fields.
   */
  readonly fieldAt?: (at: number) => StructureField;
}

/** Bytes of a carrier that are the content of a file. */
export interface DataSegment {
  readonly kind: 'data';
  readonly offset: number;
  readonly size: number;
  readonly key: string;
}

/** A piece of a carrier. The segments of a carrier follow each other without gaps, from byte 0 to its last. */
export type Segment = MetaSegment | DataSegment;

/** A carrier, laid out to the last byte before any content is read. */
export interface Layout {
  /** Size of the whole, in bytes. */
  readonly size: number;
  /**
   * The segments in order. They can be gone through any number of times, and are made meanwhile: there may be millions.
   */
  readonly segments: Iterable<Segment>;
}
