import type { StructureField } from '../segments.ts';
import { eachRecord, fieldLength, nowhere } from './directory.ts';
import type { DirectoryNode } from './nodes.ts';
import { placeAfter, recordLength } from './record.ts';
import { entryField, recordField } from './record-fields.ts';
import { ceEntry } from './rock-ridge.ts';
import type { DirectoryRow, TreeKind } from './tree-kinds.ts';

/** Names the structure and the field in which byte `at` of the records of `directory` lies, in one tree. */
export function directoryField(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
  at: number,
): StructureField {
  let end = 0;
  let found: StructureField = { structure: `directory ${titleOf(directory.path)}, ${kind.name}`, field: 'padding' };
  eachRecord(kind, directory, rows, nowhere, (record) => {
    const { path, identifierLength } = record;
    const length = recordLength(identifierLength, fieldLength(record));
    const start = placeAfter(end, length);
    end = start + length;
    if (at < start || at >= end) return;
    const [inline] = record.entries();
    const held = record.rest > 0 ? [...inline, ceEntry(0, 0, 0)] : inline;
    const structure = `directory record ${nameOf(record.identifier(), path)}, ${kind.name}`;
    found = { structure, field: recordField(at - start, identifierLength, held) };
  });
  return found;
}

/** Does the same as `directoryField` for the continuation area of `directory`. */
export function continuationField(
  kind: TreeKind,
  directory: DirectoryNode,
  rows: readonly DirectoryRow[],
  at: number,
): StructureField {
  let end = 0;
  let found: StructureField = {
    structure: `continuation area of ${titleOf(directory.path)}, ${kind.name}`,
    field: 'padding',
  };
  eachRecord(kind, directory, rows, nowhere, (record) => {
    const { path, rest } = record;
    if (rest === 0) return;
    const start = placeAfter(end, rest);
    end = start + rest;
    if (at < start || at >= end) return;
    const structure = `continuation area of the directory record ${nameOf(record.identifier(), path)}, ${kind.name}`;
    found = { structure, field: entryField(at - start, record.entries()[1]) };
  });
  return found;
}

/**
 * Names a record in words. The two records that every directory begins with have no names of their own (ECMA-119
 * 6.8.2.2).
 */
function nameOf(identifier: Uint8Array, path: string): string {
  const own = identifier.length === 1 ? ['"."', '".."'][identifier[0]!] : undefined;
  return own === undefined ? `of ${path}` : `${own} in ${titleOf(path)}`;
}

function titleOf(path: string): string {
  return path === '' ? 'the top' : path;
}
