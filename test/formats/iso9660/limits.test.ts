import { describe, expect, test } from 'vitest';
import { memory, type ReadAt } from '../../../formats/bytes.ts';
import { encodeRecord } from '../../../formats/iso9660/record.ts';
import {
  both32,
  continued,
  damaged,
  entry,
  inner,
  joliet,
  link,
  PRIMARY,
  plain,
  readAll,
  SECTOR,
  sound,
  systemUse,
  top,
  victim,
} from './craft.ts';
import { imageOf } from './image.ts';

describe('what looks odd but is harmless is read', () => {
  test('the image before it is damaged', async () => {
    expect((await damaged(() => undefined)).map(({ path }) => path)).toContain('folder/inner');
  });

  test('numbers that differ, where the reader is told to be lenient', async () => {
    const patch = (image: Buffer) => image.writeUInt32BE(9, victim + 6);
    expect((await damaged(patch, { lenient: true })).length).toBe(9);
  });

  test('bytes after the end of the volume', async () => {
    expect((await damaged((image) => Buffer.concat([image, Buffer.alloc(999)]))).length).toBe(9);
  });

  test('a device is an entry without content, and set-user-ID is not a permission', async () => {
    const entries = await damaged((image) => {
      both32(image, entry('PX', victim) + 4, 0o060644);
      both32(image, entry('PX', inner) + 4, 0o104755);
    });
    expect(entries.find(({ path }) => path === 'victim')).toMatchObject({ type: 'other', size: 0, extents: [] });
    expect(entries.find(({ path }) => path === 'folder/inner')).toMatchObject({ type: 'file', mode: 0o755 });
  });

  test('entries after ST, which ends a field', async () => {
    const patch = (image: Buffer) =>
      continued(image, systemUse('NM', [0, 65]), systemUse('ST', []), systemUse('NM', [0, 66]));
    expect((await damaged(patch)).map(({ path }) => path)).toContain('A');
  });

  test('the pieces of a link join as they should, with reserved flags set', async () => {
    const target = systemUse('SL', [0, 8, 0, 0x10, 1, 65, 2, 0, 4, 0, 1, 1, 66, 0, 1, 67]);
    const entries = await damaged((image) => link(image, target));
    expect(entries.find(({ type }) => type === 'symlink')!.target).toBe('/A/./../BC');
  });

  test('names outside of any standard in the primary tree', async () => {
    const entries = await damaged((image) => {
      image.writeUInt8(0xe9, victim + 33);
    }, plain);
    expect(entries.map(({ path }) => path)).toContain('éICTIM');
  });
});

describe('images made to exhaust their reader end in an error', () => {
  test('paths of more than 4096 bytes', async () => {
    // Sixty-four names in the Joliet tree keep within the limit until each of their characters takes three bytes.
    const image = imageOf([{ path: `${`${'a'.repeat(60)}/`.repeat(63)}f`, content: 'x' }]);
    const [from, to] = [Buffer.from('\0a'.repeat(60)), Buffer.from('\u4e61'.repeat(60), 'utf16le').swap16()];
    for (let at = image.indexOf(from); at >= 0; at = image.indexOf(from, at)) to.copy(image, at);
    await expect(readAll(memory(image), joliet)).rejects.toMatchObject({ code: 'iso9660-limit' });
    await expect(readAll(memory(image))).resolves.toHaveLength(64);
  });

  test('two hundred names of one content that is most of the image', async () => {
    const image = imageOf(Array.from({ length: 200 }, (_, at) => ({ path: `f${at}`, content: 'x'.repeat(100_000) })));
    // The names share 100 kB; now they share nearly all there is.
    let patched = 0;
    for (let at = image.indexOf('F'); at >= 0; at = image.indexOf('F', at + 1)) {
      if (image.readUInt32LE(at - 23) !== 100_000) continue;
      both32(image, at - 23, 100_000 + 149 * SECTOR);
      patched += 1;
    }
    expect(patched).toBe(200);
    await expect(readAll(memory(image))).rejects.toMatchObject({ code: 'iso9660-limit' });
  });

  test('more than a million entries in one directory', async () => {
    const size = 40 * 2 ** 20;
    const image = Buffer.from(sound);
    for (const at of [PRIMARY + 158, top + 2]) {
      both32(image, at, 1000);
      both32(image, at + 8, size);
    }
    both32(image, PRIMARY + 80, 1_000_000);
    const source: ReadAt = {
      size: 1_000_000 * SECTOR,
      read: async (offset, length) => {
        if (offset < 1000 * SECTOR) return image.subarray(offset, offset + length);
        const bytes = Buffer.alloc(length);
        const row = encodeRecord({
          identifier: Buffer.from('NAME'),
          block: 0,
          size: 0,
          directory: false,
          date: new Uint8Array(7),
        });
        const own = { block: 1000, size, directory: true, date: new Uint8Array(7) };
        for (let sector = 0; sector < length; sector += SECTOR) {
          const first =
            offset + sector === 1000 * SECTOR ? encodeRecord({ identifier: Uint8Array.of(0), ...own }) : row;
          bytes.set(first, sector);
          for (
            let at = sector + (first === row ? 0 : first.length);
            at + row.length <= sector + SECTOR;
            at += row.length
          ) {
            bytes.set(row, at);
            const number = Math.floor((offset + at - 1000 * SECTOR) / 34);
            bytes.write(number.toString(36).padStart(4, '0'), at + 33, 'latin1');
          }
        }
        return bytes;
      },
    };
    await expect(readAll(source, plain)).rejects.toMatchObject({ code: 'iso9660-limit' });
  });
});
