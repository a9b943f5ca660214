/** A file as a carrier's writer needs it: where it goes and how long it is. The bytes come later. */
export interface FileEntry {
  /** Relative, `/` between names. */
  readonly path: string;
  readonly size: number;
  /** Permission bits, such as 0o644. */
  readonly mode: number;
  /** Names the content. Files of equal key are the same bytes, and a carrier that can store them once does. */
  readonly key: string;
}

/** What a byte of a structure belongs to. */
export interface Part {
  /** The smallest structure around it, in words: "directory record of components/web, Joliet tree". */
  readonly structure: string;
  /** Its field there, by the name that the standard has for it. */
  readonly field: string;
}

/** Bytes that the writer makes from the list of files alone: headers, directories, padding. */
export interface MetaSegment {
  readonly kind: 'meta';
  readonly offset: number;
  readonly size: number;
  /** The structure, in words: "directory record area of components/web, Joliet tree". */
  readonly name: string;
  /** Makes the bytes; the same ones at each call. */
  readonly bytes: () => Uint8Array;
  /** What the byte at `at`, counted from the segment's first, belongs to; absent where the segment has no parts. */
  readonly part?: (at: number) => Part;
}

/** Bytes of one file's content. */
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
  /** May be gone through any number of times. Made on the way: a carrier may have millions. */
  readonly segments: Iterable<Segment>;
}
