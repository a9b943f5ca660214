import { closeSync, openSync, writeSync } from 'node:fs';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { options, writeLayout } from '../../formats/iso9660/image.ts';

/** Bytes of the large file: more than the 4 GiB that one directory record can say. */
export const hugeSize: number = 5 * 2 ** 30 + 12_345;

/** Where its first section ends: 4 GiB, less a sector. */
export const sectionEnd: number = 2 ** 32 - 2048;

/** Offsets in the large file around which a reader that gets sections wrong reads something else. */
export const windows: readonly number[] = [
  ...[0, 1, 2, 3, 4, 5].map((gigabytes) => gigabytes * 2 ** 30),
  sectionEnd - 2048,
  sectionEnd,
  hugeSize - 4000,
];

/** A file next to it, whose place a reader that gets sections wrong may miss. */
export const neighbour = { path: 'small', content: 'after the large one\n' };

/** The names of the large file, both of one extent. */
export const hugePaths = ['huge', `views/${'h'.repeat(253)}`] as const;

/** The marks in the large file, by offset; all else is zero. */
const marks = new Map(windows.map((offset) => [offset, `here is byte ${offset}`]));

/** The SHA-256 of the large file, as `openssl dgst -sha256` says. */
export const hugeSha256 = '784400a68fba20207533e01657acdaf51fab1232a1be163ae2c4d546ae2d14a5';

/** What a reader has to find at `offset` of the large file. */
export function hugeWindow(offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(Math.min(length, hugeSize - offset));
  for (const [at, mark] of marks) {
    if (at + mark.length > offset && at < offset + bytes.length) copyInto(bytes, at - offset, mark);
  }
  return bytes;
}

function copyInto(bytes: Buffer, at: number, mark: string): void {
  const from = Math.max(0, -at);
  bytes.write(mark.slice(from), Math.max(0, at), 'latin1');
}

/** Writes an image with the large file to `path`. Its zeros are a hole: it takes some 400 KiB of the disk. */
export function writeHuge(path: string): void {
  const small = { path: neighbour.path, size: neighbour.content.length, mode: 0o644, key: neighbour.content };
  const large = hugePaths.map((name) => ({ path: name, size: hugeSize, mode: 0o644, key: 'huge' }));
  const layout = layoutImage([...large, small], options);
  writeLayout(path, layout, (key) => (key === 'huge' ? '' : key));
  const start = [...layout.segments].find((segment) => segment.kind === 'data' && segment.key === 'huge')!.offset;
  const file = openSync(path, 'r+');
  for (const [offset, mark] of marks) writeSync(file, mark, start + offset, 'latin1');
  closeSync(file);
}
