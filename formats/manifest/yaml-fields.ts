import { type Document, isMap, isScalar, isSeq, type ParsedNode } from 'yaml';

/** Leads through a document by names of fields and numbers of entries. */
export type FieldPath = readonly (string | number)[];

/**
 * Finds the field `path` with its name, or the nearest thing around it, and returns offsets in UTF-16 code units from
 * 0. If `ofName` is set and the field is there, they are those of its name alone. Returns undefined for a document
 * without content.
 */
export function yamlExtent(
  document: Document.Parsed,
  path: FieldPath,
  ofName: boolean = false,
): { start: number; end: number } | undefined {
  let node: ParsedNode | null = document.contents;
  if (!node) return undefined;
  let [start, end] = node.range;
  for (const [depth, step] of path.entries()) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (!pair) break;
      const key = pair.key as ParsedNode;
      node = pair.value as ParsedNode | null;
      [start, end] = [key.range[0], ofName && depth === path.length - 1 ? key.range[1] : (node ?? key).range[1]];
    } else if (isSeq(node)) {
      const item = node.items[Number(step)] as ParsedNode | null | undefined;
      if (!item) break;
      node = item;
      [start, end] = node.range;
    } else break;
  }
  return { start, end };
}
