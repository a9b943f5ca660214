import { unitOrder } from '../bytes.ts';
import { jolietIdentifiers } from './joliet-names.ts';
import type { DirectoryNode, Node } from './nodes.ts';
import { plainIdentifiers } from './plain-names.ts';

/** One of the two trees of an image. Both hold the same files, under names of another kind. */
export interface TreeKind {
  /** What names of segments call it. */
  readonly name: 'Rock Ridge tree' | 'Joliet tree';
  readonly rockRidge: boolean;
  /** Makes the identifiers of the children of one directory, in their order. Records are sorted by them. */
  readonly identifiers: (children: readonly Node[]) => string[];
  /** Encodes an identifier as records and path tables store it. */
  readonly encode: (identifier: string, directory: boolean) => Uint8Array;
  /** Returns how many bytes `encode` would make. */
  readonly encodedLength: (identifier: string, directory: boolean) => number;
}

/** The tree of the primary volume descriptor: plain names, with the real ones in Rock Ridge entries. */
export const rockRidgeTree: TreeKind = {
  name: 'Rock Ridge tree',
  rockRidge: true,
  identifiers: plainIdentifiers,
  encode: (identifier, directory) => Buffer.from(directory ? identifier : `${identifier};1`, 'latin1'),
  encodedLength: (identifier, directory) => identifier.length + (directory ? 0 : 2),
};

/** The tree of the supplementary volume descriptor: names in UCS-2, big-endian, without a version. */
export const jolietTree: TreeKind = {
  name: 'Joliet tree',
  rockRidge: false,
  identifiers: jolietIdentifiers,
  encode: (identifier) => Buffer.from(identifier, 'utf16le').swap16(),
  encodedLength: (identifier) => identifier.length * 2,
};

/** A child of a directory with its identifier in one tree. */
export interface DirectoryRow {
  readonly node: Node;
  readonly identifier: string;
}

/**
 * Lists the children of a directory in the order of their records (ECMA-119 9.3; by UCS-2 units in the Joliet tree).
 */
export function rowsOf(kind: TreeKind, directory: DirectoryNode): DirectoryRow[] {
  const identifiers = kind.identifiers(directory.children);
  const rows = directory.children.map((node, at) => ({ node, identifier: identifiers[at]! }));
  // Comparing strings compares UTF-16 units. In both trees that is the order of the bytes.
  return rows.sort((a, b) => unitOrder(a.identifier, b.identifier));
}
