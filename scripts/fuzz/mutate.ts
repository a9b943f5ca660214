import type { Canvas } from './canvas.ts';
import { SLACK } from './canvas.ts';
import { changeDocuments } from './documents.ts';
import { decode, encode, type Field } from './fields.ts';
import type { Random } from './random.ts';
import type { Sample } from './sample.ts';
import { BLOCK, seal } from './tar-fields.ts';

type Mutation = (random: Random, sample: Sample) => void;

const SECTOR = 2048;
const oddBytes = [
  0, 1, 2, 3, 4, 7, 8, 0x20, 0x22, 0x2e, 0x2f, 0x30, 0x39, 0x3b, 0x5c, 0x7b, 0x7d, 0x7f, 0x80, 0xfe, 0xff,
];
const oddNumbers = [0, 1, 2, 15, 16, 17, 18, 33, 255, 256, 2047, 2048, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
const oddTexts = [
  '..',
  '.',
  '/',
  '../x',
  '/x',
  '\0',
  'a\0b',
  '\n',
  ';1',
  '.;1',
  '\xff\xfe',
  '\ud800',
  'CE',
  'NM',
  'SL',
  'CL',
  'RE',
  'ST',
  'ZF',
  'SP',
];

/** Damages one field, mostly so that it stays well formed. */
const changeField: Mutation = (random, { canvas, fields }) => {
  const group = random.pick(Object.values(fields).filter((list) => list.length > 0));
  const one = random.pick(group);
  if (one.kind === 'text') return changeText(random, canvas, one);
  if (one.kind === 'octal') {
    const value = random.once(4) ? '7'.repeat(12) : random.pick(oddNumbers).toString(8);
    canvas.write(one.at, Buffer.from(`${value.padStart(one.size - 1, '0').slice(-one.size + 1)}\0`, 'latin1'));
    return;
  }
  const bytes = encode(one.kind, numberFor(random, canvas, one, group));
  // One time in eight the two byte orders contradict each other.
  const half = one.kind.startsWith('both') && random.once(8) ? bytes.length / 2 : bytes.length;
  canvas.write(one.at, bytes.subarray(0, half));
};

function numberFor(random: Random, { original }: Canvas, one: Field, group: readonly Field[]): number {
  const own = decode(one, original);
  switch (random.below(7)) {
    case 0:
      return random.pick(oddNumbers);
    case 1:
      return Math.max(0, own + random.below(5) - 2);
    case 2:
      return (own ^ (1 << random.below(32))) >>> 0;
    case 3:
      return (own + SECTOR * (random.below(5) - 2) + 2 ** 32) % 2 ** 32;
    case 4:
      return random.below(Math.ceil(original.length / SECTOR) + 2);
    case 5:
      return random.below(256);
    default: {
      // The value of another field of the kind: blocks and sizes that exist.
      const other = random.pick(group);
      return other.kind === one.kind ? decode(other, original) : own;
    }
  }
}

function changeText(random: Random, canvas: Canvas, { at, size }: Field): void {
  if (size === 0) return;
  const start = random.once(2) ? 0 : random.below(size);
  const text = random.pick(oddTexts);
  const bytes = random.once(3) ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'latin1');
  canvas.write(at + start, bytes.subarray(0, size - start));
}

const place = (random: Random, { canvas, used }: Sample): number =>
  random.once(16) ? random.below(canvas.original.length) : random.pick(used) + random.below(BLOCK);

const flipBit: Mutation = (random, sample) => {
  const at = Math.min(place(random, sample), sample.canvas.original.length - 1);
  sample.canvas.write(at, Uint8Array.of(sample.canvas.original[at]! ^ (1 << random.below(8))));
};

const setByte: Mutation = (random, sample) => {
  sample.canvas.write(place(random, sample), Uint8Array.of(random.pick(oddBytes)));
};

const fill: Mutation = (random, sample) => {
  sample.canvas.write(place(random, sample), Buffer.alloc(1 + random.below(64), random.pick(oddBytes)));
};

const splice: Mutation = (random, sample) => {
  const from = place(random, sample);
  const size = 1 + random.below(random.once(4) ? SECTOR : 128);
  sample.canvas.write(place(random, sample), sample.canvas.original.subarray(from, from + size));
};

/** Copies one structure over another: a record, an entry or a header, from its first byte on. */
const transplant: Mutation = (random, { canvas, fields }) => {
  const group = random.pick(Object.values(fields).filter((list) => list.length > 0));
  const [from, to] = [random.pick(group).at, random.pick(group).at];
  canvas.write(to, canvas.original.subarray(from, from + 1 + random.below(160)));
};

const swapSectors: Mutation = (random, { canvas, used }) => {
  const [a, b] = [random.pick(used), random.pick(used)].map((at) => Math.floor(at / SECTOR) * SECTOR) as [
    number,
    number,
  ];
  const first = Buffer.from(canvas.bytes.subarray(a, a + SECTOR));
  canvas.write(a, Buffer.from(canvas.bytes.subarray(b, b + SECTOR)));
  canvas.write(b, first);
};

const resize: Mutation = (random, sample) => {
  const { length } = sample.canvas.original;
  if (random.once(4)) sample.canvas.resize(length + random.below(SLACK));
  else sample.canvas.resize(random.once(2) ? place(random, sample) : random.below(Math.ceil(length / BLOCK)) * BLOCK);
};

const documents: Mutation = (random, { canvas, documents: own }) => {
  if (own) changeDocuments(random, canvas, own);
};

/** A mutation is listed as often as it is to occur. */
const common: readonly Mutation[] = [
  ...Array.from({ length: 8 }, () => changeField),
  ...[transplant, transplant, flipBit, setByte, fill, splice, splice, swapSectors],
];

/** Damages the sound sample, as `random` decides. */
export function mutate(random: Random, sample: Sample): void {
  if (sample.documents && random.once(2)) documents(random, sample);
  else
    for (let times = 1 + random.below(random.once(4) ? 8 : 2); times > 0; times -= 1)
      random.pick(common)(random, sample);
  if (random.once(24)) resize(random, sample);
  if (!random.once(8)) sealHeaders(sample);
}

/** Corrects the checksums of damaged tar headers, so that the damage gets past them. */
function sealHeaders({ canvas, headers }: Sample): void {
  const touched = new Set<number>();
  for (const { at, bytes } of canvas.damage.writes) {
    for (let block = Math.floor(at / BLOCK) * BLOCK; block < at + bytes.length; block += BLOCK) {
      if (headers.has(block)) touched.add(block);
    }
  }
  for (const at of touched) {
    const block = Buffer.from(canvas.bytes.subarray(at, at + BLOCK));
    if (block.length < BLOCK) continue;
    seal(block);
    canvas.write(at, block);
  }
}
