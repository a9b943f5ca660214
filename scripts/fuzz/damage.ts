import type { Random } from './random.ts';

// Damage to bytes of any format, most of which are text. Each change makes new bytes, which may be longer.

/** Most bytes of a damaged input: enough to notice quadratic time. */
const MOST = 256 * 1024;

/** Texts that are repeated where no part of the input is. */
const runs = (
  ` ¦\t¦\n¦\r\n¦[¦]¦{¦(¦)¦{"a":¦[{},¦- ¦? ¦a¦A¦0¦9¦7¦.¦,¦-¦_¦/¦../¦./¦\\¦"¦"¦'¦:¦::¦=¦;¦#¦%¦&a *¦*¦@¦<¦>¦|¦a.` +
  '¦a:¦a-¦a ¦ a¦a/¦a,¦"",¦{},¦[],¦[a.¦é¦\u2028¦\0¦\xff¦<<: ¦$¦+'
).split('¦');

/** Texts that replace words and numbers in any format. */
const anywhere = (
  '¦0¦-1¦1e999¦1e-999¦00¦0x10¦9007199254740993¦99999999999999999999¦4294967296¦2147483648¦null¦true¦[]¦{}¦""¦"' +
  `¦'¦\\u0000¦\\ud800¦\\¦__proto__¦constructor¦toString¦..¦../..¦/¦/etc/passwd¦%2e%2e¦%¦\0¦\n¦\r¦\t¦ ¦\u2028` +
  '¦\u202e¦\ufeff¦\ud800¦🚀¦é¦sha256:¦sha512:¦:¦@¦,¦;¦=¦$ref¦*¦&a¦!!str '
).split('¦');

const oddBytes = [0, 1, 9, 10, 13, 0x20, 0x22, 0x27, 0x2c, 0x2d, 0x2f, 0x3a, 0x5b, 0x5c, 0x7b, 0x7f, 0x80, 0xc0, 0xff];
const divisions = [0x0a, 0x2c, 0x20, 0x3b, 0x2f, 0x3a];

/** Material for damage. */
export interface Words {
  /** Words of the format. */
  readonly words: readonly string[];
  /** Sound inputs of the format, whose pieces are inserted into others. */
  readonly others: readonly Buffer[];
}

type Change = (random: Random, bytes: Buffer, words: Words) => Buffer;

const flipBit: Change = (random, bytes) => {
  const changed = Buffer.from(bytes);
  const at = random.below(bytes.length);
  changed[at]! ^= 1 << random.below(8);
  return changed;
};

const setByte: Change = (random, bytes) => {
  const changed = Buffer.from(bytes);
  changed[random.below(bytes.length)] = random.pick(oddBytes);
  return changed;
};

const insertWord: Change = (random, bytes, words) => put(bytes, place(random, bytes), 0, wordOf(random, words));

const replaceWord: Change = (random, bytes, words) => {
  const { from, to } = wordAt(random, bytes);
  if (!random.once(3)) return put(bytes, from, to - from, wordOf(random, words));
  const other = wordAt(random, bytes);
  return put(bytes, from, to - from, bytes.subarray(other.from, other.to));
};

/** Removes or repeats what lies between two separators: fields, lines, parts of paths. */
const repeatPart: Change = (random, bytes) => {
  const division = random.pick(divisions);
  const at = random.below(bytes.length);
  const from = bytes.lastIndexOf(division, at) + 1;
  const next = bytes.indexOf(division, from);
  const part = bytes.subarray(from, next < 0 ? bytes.length : next + 1);
  if (random.once(3)) return put(bytes, from, part.length, Buffer.alloc(0));
  return put(bytes, random.once(3) ? place(random, bytes) : from, 0, times(random, part));
};

const repeatRun: Change = (random, bytes) => {
  const at = random.below(bytes.length);
  const own = bytes.subarray(at, at + 1 + random.below(8));
  return put(bytes, at, 0, times(random, random.once(3) ? own : Buffer.from(random.pick(runs))));
};

const cut: Change = (random, bytes) => {
  const size = 1 + random.below(random.once(4) ? bytes.length : 16);
  return put(bytes, random.below(bytes.length), size, Buffer.alloc(0));
};

const copy: Change = (random, bytes) => {
  const from = random.below(bytes.length);
  const size = 1 + random.below(random.once(4) ? bytes.length : 32);
  return put(bytes, place(random, bytes), 0, bytes.subarray(from, from + size));
};

/** Inserts a long run where a part begins or ends, followed by something else: patterns that backtrack take forever. */
const stretch: Change = (random, bytes) => {
  const division = bytes.indexOf(random.pick(divisions), random.below(bytes.length));
  const at = Math.max(0, division + random.below(2));
  const unit = random.once(2) ? random.pick([' ', '\t', ' \t']) : random.pick(runs);
  const run = Buffer.alloc(2 ** (12 + random.below(5)), unit);
  return put(
    bytes,
    at,
    0,
    random.once(2) ? Buffer.concat([run, Buffer.from(random.pick(['x', '"', '\0', ']']))]) : run,
  );
};

const end: Change = (random, bytes) => bytes.subarray(0, random.below(bytes.length));

const splice: Change = (random, bytes, { others }) => {
  const other = random.pick(others);
  const from = random.below(other.length);
  if (random.once(2)) return Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(from)]);
  return put(bytes, place(random, bytes), 0, other.subarray(from, from + 1 + random.below(64)));
};

/** A change is listed as often as it is to occur. */
const changes: readonly Change[] = [
  ...[flipBit, setByte, insertWord, insertWord, replaceWord, replaceWord, replaceWord, replaceWord],
  ...[repeatPart, repeatPart, repeatRun, cut, copy, splice, end],
];

/** Damages sound bytes, as `random` decides. */
export function damaged(random: Random, bytes: Buffer, words: Words): Buffer {
  let changed = bytes;
  for (let left = 1 + random.below(random.once(4) ? 8 : 2); left > 0; left -= 1) {
    // Cut at once: repeated doubling takes more memory than reading may.
    if (changed.length > 0) changed = random.pick(changes)(random, changed, words).subarray(0, MOST);
  }
  if (changed.length > 0 && random.once(40)) changed = stretch(random, changed, words);
  return changed.subarray(0, MOST);
}

/** Repeats `part` a few times, and rarely so often that superlinear time is noticed. */
function times(random: Random, part: Buffer): Buffer {
  if (part.length === 0) return part;
  const size = random.once(12) ? 2 ** random.below(17) : random.below(8) * part.length;
  return Buffer.alloc(Math.min(MOST, Math.max(size, part.length)), part);
}

function place(random: Random, bytes: Buffer): number {
  return random.below(bytes.length + 1);
}

function put(bytes: Buffer, at: number, size: number, other: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, at), other, bytes.subarray(at + size)]);
}

function wordOf(random: Random, { words }: Words): Buffer {
  return Buffer.from(random.pick(words.length > 0 && random.once(2) ? words : anywhere));
}

/** Returns the letters and digits around some place. */
function wordAt(random: Random, bytes: Buffer): { from: number; to: number } {
  let from = random.below(bytes.length);
  while (from < bytes.length && !isWord(bytes[from]!)) from += 1;
  let to = from;
  while (from > 0 && isWord(bytes[from - 1]!)) from -= 1;
  while (to < bytes.length && isWord(bytes[to]!)) to += 1;
  return { from, to };
}

function isWord(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a) || byte >= 0x80
  );
}
