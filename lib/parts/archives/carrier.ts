import type { ReadAt } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { FileEntry, Layout } from '../../../formats/segments.ts';
import type { Extent, Tree } from '../../../formats/tree.ts';

/** The archive formats that this version writes and reads. */
export type CarrierKind = 'iso' | 'tar';

/** What shapes a carrier beyond its files; all of it comes from the root. */
export interface Shape {
  readonly name: string;
  readonly version: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly root: Digest;
}

/** A carrier that was opened, whoever made it. */
export interface OpenedTree {
  readonly tree: Tree;
  /**
   * Where the carrier ends by its own account, in bytes; of one that was cut and does not tell its end, where it would
   * at least.
   */
  readonly end: number;
}

/** An archive format: how files lie in one file. */
export interface Carrier {
  readonly kind: CarrierKind;
  /** How names of such files end. */
  readonly extension: string;
  /** What it is called in sentences. */
  readonly title: string;
  /** Whether one content can have several paths at no cost, so that views are written. */
  readonly views: boolean;
  /**
   * Whether signatures in slots are entries of `index.json` as well, for tools that know OCI alone. Only where names of
   * files can be changed in place, and files are laid out alike wherever they begin.
   */
  readonly listsSignatures: boolean;
  /** Whether its beginning says how many bytes it has. */
  readonly tellsEnd: boolean;
  /** Bytes that other tools may write into without harm, and that `verify` leaves out. */
  readonly exempt: readonly Extent[];
  /** Whether the first 64 KiB of a file are this format's. */
  sniff(head: Uint8Array): boolean;
  /** Reads the directory of such a file. Throws `FormatError`. */
  open(source: ReadAt): Promise<OpenedTree>;
  /**
   * Decides every byte that is not content, from the list of files alone. Throws `FormatError` where it cannot hold
   * them.
   */
  layout(files: readonly FileEntry[], shape: Shape): Layout;
}
