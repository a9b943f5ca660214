import { describe, expect, test } from 'vitest';
import { eachRecord, nowhere } from '../../../formats/iso9660/directory.ts';
import { layoutImage } from '../../../formats/iso9660/layout.ts';
import { buildTree } from '../../../formats/iso9660/nodes.ts';
import { both16, both32 } from '../../../formats/iso9660/record.ts';
import { jolietTree, rockRidgeTree, rowsOf } from '../../../formats/iso9660/tree-kinds.ts';
import type { FileEntry } from '../../../formats/segments.ts';
import { options } from './image.ts';

interface Record {
  readonly at: number;
  readonly length: number;
  readonly block: number;
  readonly size: number;
  readonly flags: number;
  readonly identifier: Buffer;
  readonly systemUse: Buffer;
}

/** The structures of an image, whose content is left out: bytes from 0 to the first content. */
function structuresOf(files: readonly FileEntry[]): {
  bytes: Buffer;
  names: Map<string, { offset: number; size: number }>;
} {
  const parts: Uint8Array[] = [];
  const names = new Map<string, { offset: number; size: number }>();
  for (const segment of layoutImage(files, options).segments) {
    if (segment.kind === 'data') break;
    parts.push(segment.bytes());
    names.set(segment.name, segment);
  }
  return { bytes: Buffer.concat(parts), names };
}

function recordsOf(bytes: Buffer, { offset, size }: { offset: number; size: number }): Record[] {
  const records: Record[] = [];
  for (let at = offset; at < offset + size; ) {
    const length = bytes[at]!;
    if (length === 0) {
      at = (Math.floor(at / 2048) + 1) * 2048;
      continue;
    }
    const name = bytes[at + 32]!;
    const start = at + 33 + name + ((name + 1) % 2);
    expect(bytes.readUInt32BE(at + 6)).toBe(bytes.readUInt32LE(at + 2));
    expect(bytes.readUInt32BE(at + 14)).toBe(bytes.readUInt32LE(at + 10));
    records.push({
      at,
      length,
      block: bytes.readUInt32LE(at + 2),
      size: bytes.readUInt32LE(at + 10),
      flags: bytes[at + 25]!,
      identifier: bytes.subarray(at + 33, at + 33 + name),
      systemUse: bytes.subarray(start, at + length),
    });
    at += length;
  }
  return records;
}

/** The entries of a System Use field by signature, those in its continuation area among them. */
function entriesOf(bytes: Buffer, field: Buffer): [signature: string, bytes: Buffer][] {
  const entries: [string, Buffer][] = [];
  for (let at = 0; at + 4 <= field.length; at += field[at + 2]!) {
    const entry = field.subarray(at, at + field[at + 2]!);
    const signature = entry.toString('latin1', 0, 2);
    entries.push([signature, entry]);
    if (signature !== 'CE') continue;
    const start = entry.readUInt32LE(4) * 2048 + entry.readUInt32LE(12);
    entries.push(...entriesOf(bytes, bytes.subarray(start, start + entry.readUInt32LE(20))));
  }
  return entries;
}

const entry = (path: string, more: Partial<FileEntry> = {}): FileEntry => {
  return { path, size: 1, mode: 0o644, key: path, ...more };
};
const long = 'n'.repeat(253);
const many = Array.from({ length: 40 }, (_, at) => entry(`d/${at}${long.slice(0, 230 + (at % 20))}`));
const { bytes, names } = structuresOf([
  ...many,
  entry('d/empty', { size: 0 }),
  entry('d/run', { mode: 0o755 }),
  entry('d/below/leaf'),
  entry('one', { key: 'shared' }),
  entry('two', { key: 'shared' }),
]);
const directories = [...names].filter(([name]) => name.startsWith('directory '));

describe('the records of every directory', () => {
  test('are of even length, at most 254 bytes, and none crosses a sector', () => {
    for (const [, where] of directories) {
      for (const { at, length } of recordsOf(bytes, where)) {
        expect(length % 2).toBe(0);
        expect(length).toBeLessThanOrEqual(254);
        expect(Math.floor(at / 2048)).toBe(Math.floor((at + length - 1) / 2048));
      }
    }
  });

  test('begin with those of itself and its parent, also in the Joliet tree', () => {
    for (const [, where] of directories) {
      const [self, up] = recordsOf(bytes, where);
      expect([self!.identifier, up!.identifier]).toEqual([Buffer.of(0), Buffer.of(1)]);
      expect(self).toMatchObject({ block: where.offset / 2048, size: where.size, flags: 2 });
    }
  });

  test('have whole sectors, what is left of each zero', () => {
    for (const [, where] of directories) {
      expect(where.size % 2048).toBe(0);
      const used = Buffer.alloc(where.size);
      for (const { at, length } of recordsOf(bytes, where)) used.fill(1, at - where.offset, at - where.offset + length);
      expect(used.every((byte, at) => byte === 1 || bytes[where.offset + at] === 0)).toBe(true);
    }
  });
});

describe('Rock Ridge', () => {
  const primary = directories.filter(([name]) => name.endsWith('Rock Ridge tree'));

  test('is announced by SP, first in the first record of the top, and by the ER that most writers have', () => {
    const [self] = recordsOf(bytes, names.get('directory the top, Rock Ridge tree')!);
    const entries = entriesOf(bytes, self!.systemUse);
    expect(entries.map(([signature]) => signature)).toEqual(['SP', 'PX', 'TF', 'CE', 'ER']);
    expect(entries[0]![1]).toEqual(Buffer.from('SP\x07\x01\xbe\xef\0', 'latin1'));
    const er = entries[4]![1];
    expect([...er.subarray(2, 8)]).toEqual([237, 1, 10, 84, 135, 1]);
    expect(er.toString('latin1', 8, 18)).toBe('RRIP_1991A');
  });

  test('has PX of 36 bytes and a TF of short dates on every record, those of directories for themselves included', () => {
    for (const [, where] of primary) {
      for (const { systemUse } of recordsOf(bytes, where)) {
        const entries = new Map(entriesOf(bytes, systemUse));
        expect(entries.get('PX')).toHaveLength(36);
        expect([...entries.get('TF')!.subarray(2, 5)]).toEqual([26, 1, 0x0e]);
      }
    }
  });

  test('counts links: paths of one content, and a directory for itself, its name and its directories', () => {
    const links = (where: string): Map<string, number> =>
      new Map(
        recordsOf(bytes, names.get(where)!).map(({ identifier, systemUse }) => {
          const px = new Map(entriesOf(bytes, systemUse)).get('PX')!;
          return [identifier.toString('latin1'), px.readUInt32LE(12)];
        }),
      );
    expect(Object.fromEntries(links('directory the top, Rock Ridge tree'))).toEqual({
      '\0': 3,
      '\x01': 3,
      D: 3,
      'ONE.;1': 2,
      'TWO.;1': 2,
    });
    expect(links('directory d, Rock Ridge tree').get('RUN.;1')).toBe(1);
    expect(links('directory d/below, Rock Ridge tree')).toEqual(
      new Map([
        ['\0', 2],
        ['\x01', 3],
        ['LEAF.;1', 1],
      ]),
    );
  });

  test('has continuation areas directly after their directories, of pieces that cross no sector and leave no gap behind', () => {
    for (const [name, where] of primary) {
      const area = names.get(name.replace('directory ', 'continuation area of '));
      const pieces = recordsOf(bytes, where).flatMap(({ systemUse }) => {
        const ce = new Map(entriesOf(bytes, systemUse)).get('CE');
        return ce ? [{ at: ce.readUInt32LE(4) * 2048 + ce.readUInt32LE(12), length: ce.readUInt32LE(20) }] : [];
      });
      expect(pieces.length > 0).toBe(area !== undefined);
      if (!area) continue;
      expect(area.offset).toBe(where.offset + where.size);
      let end = area.offset;
      for (const { at, length } of pieces) {
        expect(at - end).toBeLessThan(at % 2048 === 0 ? length : 1);
        expect(Math.floor(at / 2048)).toBe(Math.floor((at + length - 1) / 2048));
        end = at + length;
      }
      expect(Math.ceil((end - area.offset) / 2048) * 2048).toBe(area.size);
    }
  });

  test('leaves a name of 64 hexadecimal digits in its record: no reader has to look elsewhere', () => {
    const blobs = structuresOf([entry(`blobs/sha256/${'0123456789abcdef'.repeat(4)}`)]);
    expect([...blobs.names.keys()]).not.toContain('continuation area of blobs/sha256, Rock Ridge tree');
  });
});

describe('the extent of', () => {
  const content = bytes.length / 2048;
  const find = (where: string, identifier: string): Record[] =>
    recordsOf(bytes, names.get(where)!).filter((record) => record.identifier.toString('latin1') === identifier);

  test('an empty file is at a block of content', () => {
    const [empty] = find('directory d, Rock Ridge tree', 'EMPTY.;1');
    expect(empty).toMatchObject({ size: 0, block: content });
  });

  test('files of one content is the same one, in both trees', () => {
    const joliet = (name: string): string => Buffer.from(name, 'utf16le').swap16().toString('latin1');
    const all = ['one', 'two'].flatMap((name) => [
      ...find('directory the top, Rock Ridge tree', `${name.toUpperCase()}.;1`),
      ...find('directory the top, Joliet tree', joliet(name)),
    ]);
    expect(all).toHaveLength(4);
    expect(new Set(all.map(({ block }) => block)).size).toBe(1);
  });

  test('each section of a large file has the flag of more to come but the last, the name and all entries', () => {
    const size = 2 * 0xfffff800 + 5000;
    const large = structuresOf([entry('large', { size })]);
    const sections = recordsOf(large.bytes, large.names.get('directory the top, Rock Ridge tree')!).slice(2);
    expect(sections.map(({ flags }) => flags)).toEqual([0x80, 0x80, 0]);
    expect(sections.map((section) => section.size)).toEqual([0xfffff800, 0xfffff800, 5000]);
    expect(sections.map(({ block }) => block - sections[0]!.block)).toEqual([0, 0x1fffff, 2 * 0x1fffff]);
    expect(new Set(sections.map(({ systemUse }) => systemUse.toString('latin1'))).size).toBe(1);
  });

  test('a file of one byte less than 4 GiB is one section', () => {
    const { bytes: held, names: where } = structuresOf([entry('f', { size: 2 ** 32 - 1 })]);
    const sections = recordsOf(held, where.get('directory the top, Joliet tree')!).slice(2);
    expect(sections.map(({ flags, size }) => [flags, size])).toEqual([[0, 2 ** 32 - 1]]);
  });
});

describe('a number in both byte orders', () => {
  test('is the same from either end', () => {
    const bytes = Buffer.alloc(12);
    both32(bytes, 0, 0xfe_dc_ba_98);
    both16(bytes, 8, 0xab_cd);
    expect(bytes.toString('hex')).toBe('98badcfefedcba98cdababcd');
    expect([bytes.readUInt32LE(0), bytes.readUInt32BE(4)]).toEqual([0xfe_dc_ba_98, 0xfe_dc_ba_98]);
  });

  test.each([-1, 2 ** 32, Number.NaN])('is refused where its field cannot hold it: %d', (value) => {
    expect(() => both32(Buffer.alloc(8), 0, value)).toThrow(RangeError);
    expect(() => both16(Buffer.alloc(4), 0, Math.min(value, 2 ** 16))).toThrow(RangeError);
  });
});

test('the records of the Rock Ridge tree have System Use entries, and those of the Joliet tree none', () => {
  const top = buildTree([{ path: 'folder/file', size: 5, mode: 0o644, key: 'file' }]);
  const signatures = [rockRidgeTree, jolietTree].map((kind) => {
    const found: string[] = [];
    eachRecord(kind, top, rowsOf(kind, top), nowhere, (record) => {
      const entries = record.entries().flat();
      found.push(entries.map(({ signature }) => signature).join(' '));
    });
    return found;
  });
  expect(signatures).toEqual([
    ['SP PX TF ER', 'PX TF', 'PX TF NM'],
    ['', '', ''],
  ]);
});
