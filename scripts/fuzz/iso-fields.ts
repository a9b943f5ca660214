import { type Field, type FieldGroups, field, run } from './fields.ts';

const SECTOR = 2048;

type Groups = Record<
  'descriptors' | 'pathTables' | 'records' | 'continuations' | 'moved' | 'names' | 'links' | 'otherEntries',
  Field[]
>;

/** Groups for rare fields of System Use entries, so that they are damaged as often as frequent ones. */
const groupOf: Readonly<Record<string, keyof Groups>> = {
  CE: 'continuations',
  CL: 'moved',
  PL: 'moved',
  RE: 'moved',
  NM: 'names',
  SL: 'links',
};

/** The offsets of the numbers in a volume descriptor (ECMA-119 8.4). */
const descriptorFields: readonly [number, Parameters<typeof field>[1]][] = [
  ...([0, 6, 7] as const).map((at): [number, 'byte'] => [at, 'byte']),
  ...([80, 132, 158, 166] as const).map((at): [number, 'both32'] => [at, 'both32']),
  ...([120, 124, 128, 184] as const).map((at): [number, 'both16'] => [at, 'both16']),
  ...([140, 144] as const).map((at): [number, 'le32'] => [at, 'le32']),
  ...([148, 152] as const).map((at): [number, 'be32'] => [at, 'be32']),
  ...([156, 181, 188, 881] as const).map((at): [number, 'byte'] => [at, 'byte']),
];

/**
 * Finds the fields of a sound ISO 9660 image: of descriptors, directory records, System Use entries and path tables. It
 * does not use the reader, and so does not miss what the reader misses.
 */
export function isoFields(image: Buffer): FieldGroups {
  const into: Groups = {
    descriptors: [],
    pathTables: [],
    records: [],
    continuations: [],
    moved: [],
    names: [],
    links: [],
    otherEntries: [],
  };
  for (let at = 16 * SECTOR; image.toString('latin1', at + 1, at + 6) === 'CD001'; at += SECTOR) {
    into.descriptors.push(...descriptorFields.map(([offset, kind]) => field(at + offset, kind)));
    into.descriptors.push(run(at + 1, 5), run(at + 40, 32), run(at + 88, 32));
    if (image[at] !== 1 && image[at] !== 2) continue;
    for (const offset of [140, 148] as const) pathTable(image, at, offset, into.pathTables);
    directories(image, image.readUInt32LE(at + 158), into);
  }
  return into;
}

function pathTable(image: Buffer, descriptor: number, offset: 140 | 148, into: Field[]): void {
  const little = offset === 140;
  const block = little ? image.readUInt32LE(descriptor + offset) : image.readUInt32BE(descriptor + offset);
  const end = block * SECTOR + image.readUInt32LE(descriptor + 132);
  for (let at = block * SECTOR; at + 8 < end; at += 8 + image[at]! + (image[at]! % 2)) {
    into.push(field(at, 'byte'), field(at + 1, 'byte'), run(at + 8, image[at]!));
    into.push(field(at + 2, little ? 'le32' : 'be32'), field(at + 6, little ? 'le16' : 'be16'));
  }
}

function directories(image: Buffer, top: number, into: Groups): void {
  const queue = [top];
  const seen = new Set(queue);
  for (const block of queue) {
    const start = block * SECTOR;
    const end = start + image.readUInt32LE(start + 10);
    for (let at = start; at < end; at += image[at]!) {
      if (image[at] === 0) at = (Math.floor(at / SECTOR) + 1) * SECTOR;
      if (at >= end || image[at] === 0) break;
      record(image, at, into);
      const child = image.readUInt32LE(at + 2);
      if ((image[at + 25]! & 2) === 0 || seen.has(child)) continue;
      seen.add(child);
      queue.push(child);
    }
  }
}

function record(image: Buffer, at: number, into: Groups): void {
  const [length, name] = [image[at]!, image[at + 32]!];
  for (const offset of [0, 1, 25, 26, 27, 32]) into.records.push(field(at + offset, 'byte'));
  for (const offset of [2, 10]) into.records.push(field(at + offset, 'both32'));
  into.records.push(field(at + 28, 'both16'), run(at + 33, name));
  systemUse(image, at + 33 + name + ((name + 1) % 2), at + length, into);
}

/** Finds fields of System Use entries, also in continuation areas (SUSP 5). */
function systemUse(image: Buffer, start: number, end: number, groups: Groups): void {
  for (let at = start; at + 4 <= end && image[at]! >= 0x41 && image[at + 2]! >= 4; at += image[at + 2]!) {
    const [signature, payload, next] = [image.toString('latin1', at, at + 2), at + 4, at + image[at + 2]!];
    const into = groups[groupOf[signature] ?? 'otherEntries'];
    into.push(run(at, 2), field(at + 2, 'byte'), field(at + 3, 'byte'));
    if (['CE', 'PX', 'CL', 'PL', 'PN'].includes(signature)) {
      for (let number = payload; number + 8 <= next; number += 8) into.push(field(number, 'both32'));
    } else if (payload < next) {
      into.push(field(payload, 'byte'), run(payload, next - payload));
      if (signature === 'SL') for (let byte = payload + 1; byte < next; byte += 1) into.push(field(byte, 'byte'));
    }
    if (signature !== 'CE') continue;
    const [block, offset, size] = [0, 8, 16].map((number) => image.readUInt32LE(payload + number));
    const area = block! * SECTOR + offset!;
    systemUse(image, area, area + size!, groups);
  }
}
