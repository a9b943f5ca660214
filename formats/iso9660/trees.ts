import { unitOrder } from '../bytes.ts';
import { jolietIdentifiers } from './joliet-names.ts';
import type { DirectoryNode, Node } from './nodes.ts';
import { plainIdentifiers } from './plain-names.ts';

/** One of the two trees of an image: the same files under names of another kind. */
export interface TreeKind {
  /** As names of segments have it. */
  readonly name: 'Rock Ridge tree' | 'Joliet tree';
  readonly rockRidge: boolean;
  /** Identifiers of the children of one directory, in their order; records are sorted by them. */
  readonly identifiers: (children: readonly Node[]) => string[];
  /** An identifier as records and path tables store it. */
  readonly encode: (identifier: string, directory: boolean) => Uint8Array;
  /** How many bytes that is. */
  readonly encodedLength: (identifier: string, directory: boolean) => number;
}

/** The tree of the primary volume descriptor: plain names, and the real ones in Rock Ridge entries. */
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

/** A child with its identifier in one tree. */
export interface Row {
  readonly node: Node;
  readonly identifier: string;
}

/** The children of a directory in the order of their records (ECMA-119 9.3; UCS-2 units in the Joliet tree). */
export function rowsOf(kind: TreeKind, directory: DirectoryNode): Row[] {
  const identifiers = kind.identifiers(directory.children);
  const rows = directory.children.map((node, at) => ({ node, identifier: identifiers[at]! }));
  // Comparing strings compares UTF-16 units, which is the order of the bytes in both trees.
  return rows.sort((a, b) => unitOrder(a.identifier, b.identifier));
}
