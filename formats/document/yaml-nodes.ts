import { isCollection, isPair, isScalar, type ParsedNode, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { FormatError } from '../error.ts';
import type { ScalarStyle } from './yaml-write.ts';

/** A mapping of a document that was parsed with its source tokens. */
export type ParsedMap = YAMLMap.Parsed<ParsedNode, ParsedNode | null>;

/** A field of such a mapping. */
export type ParsedPair = ParsedMap['items'][number];

/** A list of such a document. */
export type ParsedSeq = YAMLSeq.Parsed<ParsedNode>;

/** Finds a field of a mapping by its name. */
export function pairOf(map: ParsedMap, name: string): ParsedPair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** Makes the error about what is written in a way that nobody expected. */
export function inAnotherWay(name: string): FormatError {
  return new FormatError('yaml-invalid', `"${name}" is written in a form that solpack cannot edit: change it by hand`);
}

/** Returns whether nothing is written where a value could be. */
export function isEmpty(node: ParsedNode | null): boolean {
  return node === null || (isScalar(node) && node.range[0] === node.range[1]);
}

/** Tells in which quotes a scalar is. */
export function styleOf({ type }: Scalar): ScalarStyle {
  if (type === 'QUOTE_DOUBLE') return 'double';
  return type === 'QUOTE_SINGLE' ? 'single' : 'plain';
}

/** Returns where an entry of a collection begins, its dash included, and where what it says ends. */
export function extentOf(collection: ParsedMap | ParsedSeq, index: number): readonly [start: number, end: number] {
  const entry = collection.items[index]!;
  if (isPair(entry)) return [(entry as ParsedPair).key.range[0], pairEnd(entry as ParsedPair)];
  const node = entry as ParsedNode;
  return collection.flow
    ? [node.range[0], node.range[1]]
    : [
        dashOf(collection as ParsedSeq, index),
        isEmpty(node) ? dashOf(collection as ParsedSeq, index) + 1 : contentEnd(node),
      ];
}

/** Tells the end of what a node says, without the blanks and comments behind it. */
export function contentEnd(node: ParsedNode): number {
  const last = isCollection(node) && !node.flow ? node.items.length - 1 : -1;
  return last < 0 ? node.range[1] : extentOf(node as ParsedMap | ParsedSeq, last)[1];
}

/** Returns where what a field says ends: behind its colon where that is nothing. */
export function pairEnd(pair: ParsedPair): number {
  if (!isEmpty(pair.value)) return contentEnd(pair.value!);
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  return colon ? colon.offset + 1 : pair.key.range[1];
}

/** Returns where the colon behind the name of a field is. */
export function colonOf(pair: ParsedPair, name: string): number {
  const colon = pair.srcToken?.sep?.find(({ type }) => type === 'map-value-ind');
  if (!colon) throw inAnotherWay(name);
  return colon.offset;
}

/** Returns where the dash of an entry of a list is. */
export function dashOf(list: ParsedSeq, index: number): number {
  const token = list.srcToken;
  const items = token?.type === 'block-seq' ? token.items : [];
  const dash = items[index]?.start.find(({ type }) => type === 'seq-item-ind');
  if (!dash) throw inAnotherWay('a list');
  return dash.offset;
}
