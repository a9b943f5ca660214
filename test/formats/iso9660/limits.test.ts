import { describe, expect, test } from 'vitest';
import { memory, type ReadAt } from '../../../formats/bytes.ts';
import { limits } from '../../../formats/iso9660/limits.ts';
import { openIsoImage } from '../../../formats/iso9660/read.ts';
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
  packSectors,
  plain,
  readAll,
  record,
  refilled,
  SECTOR,
  sound,
  spare,
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

  test('path tables that are not there, of a size that nothing could hold', async () => {
    const entries = await damaged((image) => {
      both32(image, PRIMARY + 132, 0xffffffff);
      image.writeUInt32LE(0xfffffff0, PRIMARY + 140);
      image.writeUInt32BE(0xfffffff0, PRIMARY + 148);
    });
    expect(entries.length).toBe(9);
  });

  test('an ER entry whose texts would go on beyond its end', async () => {
    const patch = (image: Buffer) => continued(image, systemUse('NM', [0, 65]), systemUse('ER', [255, 255, 255, 1]));
    expect((await damaged(patch)).map(({ path }) => path)).toContain('A');
  });

  test('the rest of a sector after a record of length zero, whatever it holds', async () => {
    const entries = await damaged((image) => {
      refilled(image, []);
      both32(image, record('SPARE.;1') + 10, 0);
      image.fill(0xff, spare * SECTOR + 200, (spare + 1) * SECTOR);
    });
    expect(entries.filter(({ path }) => path.startsWith('folder/'))).toEqual([]);
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

  test('paths of more than 64 names', async () => {
    const image = imageOf([
      { path: `${'a/'.repeat(63)}f`, content: 'x' },
      { path: 'spare', content: '\0'.repeat(SECTOR) },
    ]);
    const [file, block] = [image.indexOf('F.;1') - 33, image.readUInt32LE(image.indexOf('SPARE.;1') - 31)];
    const row = (identifier: number | string, directory: boolean) => ({
      identifier: typeof identifier === 'number' ? Uint8Array.of(identifier) : Buffer.from(identifier),
      ...{ block: directory ? block : 0, size: directory ? SECTOR : 0, directory, date: new Uint8Array(7) },
    });
    image.set(packSectors([row(0, true), row(1, true), row('G', false)].map(encodeRecord)), block * SECTOR);
    both32(image, file + 2, block);
    both32(image, file + 10, SECTOR);
    image.writeUInt8(2, file + 25);
    const found = readAll(memory(image), plain);
    await expect(found).rejects.toMatchObject({ code: 'iso9660-limit', message: expect.stringContaining('64 names') });
    const tree = await openIsoImage(memory(image), plain);
    await expect(tree.lookup(`${'A/'.repeat(63)}F/G`)).resolves.toBeUndefined();
  });

  test('directories of more bytes together than a walk reads', async () => {
    const [size, blocks] = [limits.directory, limits.directory / SECTOR];
    const count = limits.directories / size + 1;
    const image = Buffer.from(sound);
    refilled(
      image,
      Array.from({ length: count }, (_, at) => ({
        identifier: Buffer.from(`D${at}`),
        block: 1000 + at * blocks,
        size,
      })),
    );
    both32(image, PRIMARY + 80, 1_000_000);
    const source: ReadAt = {
      size: 1_000_000 * SECTOR,
      read: async (offset, length) =>
        offset < 1000 * SECTOR ? image.subarray(offset, offset + length) : Buffer.alloc(length),
    };
    await expect(readAll(source, plain)).rejects.toMatchObject({
      code: 'iso9660-limit',
      message: expect.stringContaining('directories of more than'),
    });
  });

  test('a directory that holds itself, when its paths are looked up', async () => {
    const image = Buffer.from(sound);
    refilled(image, [{ identifier: Buffer.from('A') }]);
    const tree = await openIsoImage(memory(image), plain);
    await expect(tree.lookup('FOLDER/A/A/A')).rejects.toMatchObject({ code: 'iso9660-directory-loop' });
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
