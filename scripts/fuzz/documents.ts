import { createHash } from 'node:crypto';
import { fillSlot } from '../../formats/sigstore/slot.ts';
import type { Extent } from '../../formats/tree.ts';
import type { PrivateKey } from '../../lib/parts/trust/index.ts';
import type { Canvas } from './canvas.ts';
import type { Random } from './random.ts';
import { signRoot } from './sign-root.ts';

/** A JSON document of an archive: a manifest, an index, the metadata, a configuration. */
export interface Document {
  /** The offsets of its bytes; a tar file may have them twice. */
  readonly places: readonly number[];
  readonly size: number;
  /** Where its hexadecimal SHA-256 is written: in the documents that name it, and in file names; `wide` is UCS-2. */
  readonly named: readonly { readonly at: number; readonly wide: boolean }[];
}

/** The documents of an archive. Those that are named come before those that name them, so the root is last. */
export interface Documents {
  readonly inOrder: readonly Document[];
  readonly key: PrivateKey;
  /** Where the signatures of the root are; the first slot is filled. */
  readonly slots: readonly Extent[];
  /** Where signatures are listed, which may be overwritten by spaces. */
  readonly entries: readonly Extent[];
}

/**
 * Damages a document and corrects every digest above it, and every second time the signature too: the archive of an
 * attacker who has a key.
 */
export function changeDocuments(random: Random, canvas: Canvas, { inOrder, key, slots }: Documents): void {
  const victim = random.below(inOrder.length);
  for (let times = 1 + random.below(3); times > 0; times -= 1) changeToken(random, canvas, inOrder[victim]!);
  for (const document of inOrder.slice(victim)) rename(canvas, document);
  if (random.once(2)) {
    const { offset, size } = slots[0]!;
    const bundle = signRoot(bytesOf(canvas, inOrder.at(-1)!), key);
    canvas.write(offset, fillSlot(bundle, size));
  }
}

/** Finds `hex` in every file name and document. */
export function namedIn(archive: Buffer, hex: string): Document['named'] {
  const narrow = Buffer.from(hex);
  const wide = Buffer.from(hex, 'utf16le').swap16();
  return [narrow, wide].flatMap((pattern) =>
    occurrences(archive, pattern).map((at) => ({ at, wide: pattern === wide })),
  );
}

/** Returns the offsets of `pattern` in `bytes`. */
export function occurrences(bytes: Buffer, pattern: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(pattern); at >= 0; at = bytes.indexOf(pattern, at + 1)) found.push(at);
  return found;
}

const tokens = /"(?:[^"\\]|\\.)*"|-?\d+|[[\]{}:,]/g;
const values = [
  'null',
  '[]',
  '{}',
  '""',
  '0',
  '-1',
  'true',
  '1e999',
  '9007199254740993',
  '"\\u0000"',
  '"../.."',
  '[[[[',
  '{"":',
];
const contents = [
  '..',
  '/',
  '../',
  '\\u0000',
  '\\ud800',
  '\\n',
  '__proto__',
  'constructor',
  '%2e%2e',
  'sha512:',
  ':',
  '@',
  ' ',
];

/** Changes one token of a document, whose length stays: white space fills the rest. */
function changeToken(random: Random, canvas: Canvas, document: Document): void {
  const text = bytesOf(canvas, document).toString('latin1');
  const all = [...text.matchAll(tokens)];
  if (all.length === 0) return;
  const { 0: token, index } = random.pick(all);
  const write = (at: number, change: string): void => {
    for (const place of document.places) canvas.write(place + at, Buffer.from(change, 'latin1'));
  };
  const filled = (change: string): string => change.slice(0, token.length).padEnd(token.length, ' ');
  const isText = token.startsWith('"') && token.length > 2;
  const way = random.below(isText ? 4 : 2);
  if (way === 0) write(index, filled(random.pick(values)));
  else if (way === 1) write(index, filled(random.pick(all)[0]));
  else if (way === 2) write(index + 1, random.pick(contents).slice(0, token.length - 2));
  else write(index + 1 + random.below(token.length - 2), String.fromCharCode(random.below(256)));
}

/** Replaces the old digest of a document by the new one wherever it is written. */
function rename(canvas: Canvas, document: Document): void {
  const hex = createHash('sha256').update(bytesOf(canvas, document)).digest('hex');
  for (const { at, wide } of document.named) {
    canvas.write(at, wide ? Buffer.from(hex, 'utf16le').swap16() : Buffer.from(hex));
  }
}

function bytesOf(canvas: Canvas, { places, size }: Document): Buffer {
  return canvas.bytes.subarray(places[0]!, places[0]! + size);
}
