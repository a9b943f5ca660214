import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { ReadAt } from '../../../formats/bytes.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
import type { Layout } from '../../../formats/segments.ts';
import { ok } from '../../support/judges.ts';
import { options } from './image.ts';

/** Reads the structures of a layout, each made when it is asked for; contents are zero. */
function structures(layout: Layout): ReadAt {
  const segments = [...layout.segments];
  const indexAt = (offset: number): number => {
    let [low, high] = [0, segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle]!.offset <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  let made: { index: number; bytes: Uint8Array } = { index: -1, bytes: new Uint8Array() };
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = Buffer.alloc(length);
    for (let done = 0; done < length; ) {
      const index = indexAt(offset + done);
      const segment = segments[index]!;
      if (made.index !== index) made = { index, bytes: segment.kind === 'meta' ? segment.bytes() : Buffer.alloc(1) };
      const part = made.bytes.subarray(offset + done - segment.offset, offset + length - segment.offset);
      bytes.set(part, done);
      done += part.length;
    }
    return bytes;
  };
  return { size: layout.size, read };
}

test('65,535 directories are laid out, each with its number in the path tables, and found again', async () => {
  const files = Array.from({ length: 65_534 }, (_, at) => {
    return { path: `${at}/file`, size: 1, mode: 0o644, key: `${at % 3}` };
  });
  const source = structures(layoutImage(files, options));
  const descriptor = Buffer.from(await source.read(16 * 2048, 2048));
  const table = Buffer.from(await source.read(descriptor.readUInt32LE(140) * 2048, descriptor.readUInt32LE(132)));
  let count = 0;
  for (let at = 0; at < table.length; at += 8 + table[at]! + (table[at]! % 2)) {
    expect(table.readUInt16LE(at + 6)).toBe(1);
    count += 1;
  }
  expect(count).toBe(65_535);
  for (const namespace of ['rock-ridge', 'joliet'] as const) {
    const tree = await openIsoImage(source, { namespace });
    for (const path of ['0/file', '40000/file', '65533/file']) {
      expect(await tree.lookup(path)).toMatchObject({ path, size: 1 });
    }
  }
});

test('a file may lie below directory number 65,535, which is the last that a path table can name', () => {
  const names = Array.from({ length: 65_532 }, (_, at) => `${at}/f`);
  const given = [...names, '99999/deeper/f'].map((path) => ({ path, size: 0, mode: 0o644, key: '' }));
  expect(layoutImage(given, options).size).toBeGreaterThan(65_535 * 2 * 2048);
});

test('200,000 files are laid out, and all structures made, in a heap that has little room beside their list', async () => {
  const layout = fileURLToPath(new URL('../../../formats/iso9660/layout.ts', import.meta.url));
  const script = `
    const { layoutImage } = await import(${JSON.stringify(layout)});
    const files = Array.from({ length: 200_000 }, (_, at) => ({
      path: \`directory-\${at % 500}/file-number-\${at}.txt\`, size: 1 + (at % 3000), mode: 0o644, key: \`content \${at}\`,
    }));
    const { size, segments } = layoutImage(files, ${JSON.stringify(options)});
    let made = 0;
    for (const segment of segments) made += segment.kind === 'meta' ? segment.bytes().length : segment.size;
    console.log(made === size ? 'all made' : made);
  `;
  // The list takes about 45 MiB of it.
  const args = ['--max-old-space-size=96', '--no-warnings', '--input-type=module', '-e', script];
  expect(await ok(process.execPath, args)).toBe('all made\n');
});
