import type { ReadAt } from '../../../formats/bytes.ts';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
import { encodeRecord } from '../../../formats/iso9660/record.ts';
import { nmEntries } from '../../../formats/iso9660/rock-ridge.ts';
import { imageOf } from './image.ts';

/**
 * Walks an image whose top has as many entries as the first argument says, made as it is read; prints what that took.
 */
const SECTOR = 2048;
const count = Number(process.argv[2]);
const base = imageOf([]);
const date = new Uint8Array(7);
const rowOf = (number: number): Uint8Array => {
  const [entry] = nmEntries(`${number}`.padStart(64, '0'));
  const systemUse = Buffer.alloc(entry!.length);
  entry!.write(systemUse, 0);
  return encodeRecord({
    identifier: Buffer.from(`${number}`.padStart(8, '0')),
    block: 2_000_000 + number,
    size: 2048,
    directory: false,
    date,
    systemUse,
  });
};
const perSector = Math.floor(SECTOR / rowOf(0).length);
const size = (Math.ceil(count / perSector) + 1) * SECTOR;
const first = 1000;
const own = encodeRecord({
  identifier: Uint8Array.of(0),
  block: first,
  size,
  directory: true,
  date,
  systemUse: Uint8Array.of(0x53, 0x50, 7, 1, 0xbe, 0xef, 0),
});
const top = encodeRecord({ identifier: Uint8Array.of(0), block: first, size, directory: true, date });
top.forEach((byte, at) => {
  base[16 * SECTOR + 156 + at] = byte;
});
base.fill(0xff, 16 * SECTOR + 80, 16 * SECTOR + 88);

/** Sector `number` of the directory: itself, then its entries. */
function sector(number: number): Uint8Array {
  const bytes = new Uint8Array(SECTOR);
  if (number === 0) bytes.set(own);
  else {
    const from = (number - 1) * perSector;
    for (let at = 0; at < perSector && from + at < count; at += 1) {
      const row = rowOf(from + at);
      bytes.set(row, at * row.length);
    }
  }
  return bytes;
}

const source: ReadAt = {
  size: 2 ** 40,
  read: async (offset, length) => {
    if (offset < first * SECTOR) return base.subarray(offset, offset + length);
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += SECTOR) bytes.set(sector((offset + at) / SECTOR - first), at);
    return bytes;
  },
};

let entries = 0;
let external = 0;
for await (const { path } of (await openIsoImage(source)).walk()) {
  entries += path.length === 64 ? 1 : 0;
  if (entries === count) {
    globalThis.gc?.();
    external = process.memoryUsage().arrayBuffers;
  }
}
console.log(JSON.stringify({ entries, external }));
