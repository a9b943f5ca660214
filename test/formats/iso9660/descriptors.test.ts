import { describe, expect, test } from 'vitest';
import { imageOf, options } from './image.ts';

const image = imageOf([
  { path: 'a', content: 'a' },
  { path: 'd/b', content: 'b' },
]);
const at = (sector: number): Buffer => image.subarray(sector * 2048, (sector + 1) * 2048);
const latin1 = (bytes: Buffer, offset: number, length: number): string =>
  bytes.toString('latin1', offset, offset + length);

function both32(bytes: Buffer, offset: number): number {
  expect(bytes.readUInt32BE(offset + 4)).toBe(bytes.readUInt32LE(offset));
  return bytes.readUInt32LE(offset);
}

function both16(bytes: Buffer, offset: number): number {
  expect(bytes.readUInt16BE(offset + 2)).toBe(bytes.readUInt16LE(offset));
  return bytes.readUInt16LE(offset);
}

test('sectors 0 to 15 are the system area, zero', () => {
  expect(image.subarray(0, 16 * 2048).every((byte) => byte === 0)).toBe(true);
});

test('sector 18 ends the set of volume descriptors', () => {
  expect(latin1(at(18), 0, 7)).toBe('\xffCD001\x01');
  expect(
    at(18)
      .subarray(7)
      .every((byte) => byte === 0),
  ).toBe(true);
});

describe.each([
  ['primary', 16, 1],
  ['supplementary', 17, 2],
] as const)('the %s volume descriptor', (_, sector, type) => {
  const bytes = at(sector);

  test('has its type, the standard identifier and version 1', () => {
    expect(latin1(bytes, 0, 7)).toBe(`${String.fromCharCode(type)}CD001\x01`);
  });

  test('counts every block of the image, padding included', () => {
    expect(both32(bytes, 80) * 2048).toBe(image.length);
  });

  test('is volume 1 of a set of 1, of blocks of 2048 bytes', () => {
    expect([both16(bytes, 120), both16(bytes, 124), both16(bytes, 128)]).toEqual([1, 1, 2048]);
  });

  test('tells size and place of both path tables, and has no optional ones', () => {
    const size = both32(bytes, 132);
    const [l, m] = [bytes.readUInt32LE(140), bytes.readUInt32BE(148)];
    expect(size).toBe(type === 1 ? 10 + 10 : 10 + 10);
    expect([bytes.readUInt32LE(144), bytes.readUInt32BE(152)]).toEqual([0, 0]);
    expect(image.subarray(l * 2048, l * 2048 + 2)).toEqual(Buffer.of(1, 0));
    expect(image.subarray(m * 2048, m * 2048 + 2)).toEqual(Buffer.of(1, 0));
    expect(m).toBe(l + 1);
  });

  test('has the record of the top, as the top has it itself', () => {
    const block = both32(bytes, 158);
    expect(bytes[156]).toBe(34);
    expect(bytes[181]).toBe(2);
    expect(both16(bytes, 184)).toBe(1);
    expect(bytes.subarray(157, 190)).toEqual(image.subarray(block * 2048 + 1, block * 2048 + 34));
  });

  test('has four dates of 17 bytes, of which expiration and effect are not given', () => {
    expect(latin1(bytes, 813, 17)).toBe('2023111422132000\0');
    expect(latin1(bytes, 830, 17)).toBe('2023111422132142\0');
    expect(latin1(bytes, 847, 34)).toBe(`${'0'.repeat(16)}\0`.repeat(2));
    expect([bytes[881], bytes[882]]).toEqual([1, 0]);
  });

  test('keeps what is reserved zero, which 7-Zip and libarchive insist on', () => {
    const reserved = [
      [7, 8],
      [72, 80],
      [type === 1 ? 88 : 91, 120],
      [882, 883],
      [1395, 2048],
    ] as const;
    for (const [from, to] of reserved) {
      expect(
        bytes.subarray(from, to).every((byte) => byte === 0),
        `bytes ${from} to ${to}`,
      ).toBe(true);
    }
  });
});

test('identifiers of the primary descriptor are filled with spaces, and name the writer without a version', () => {
  expect(latin1(at(16), 40, 32)).toBe(options.volumeId.padEnd(32));
  expect(latin1(at(16), 574, 128)).toBe('SOLPACK'.padEnd(128));
  for (const [offset, length] of [
    [8, 32],
    [190, 128],
    [318, 128],
    [446, 128],
    [702, 37],
    [739, 37],
    [776, 37],
  ] as const) {
    expect(latin1(at(16), offset, length)).toBe(' '.repeat(length));
  }
});

test('identifiers of the Joliet descriptor are UCS-2, big-endian, and its escape sequence says level 3', () => {
  const ucs2 = (offset: number, length: number): string =>
    Buffer.from(at(17).subarray(offset, offset + length))
      .swap16()
      .toString('utf16le');
  expect(latin1(at(17), 88, 3)).toBe('%/E');
  expect(ucs2(8, 32)).toBe(' '.repeat(16));
  expect(ucs2(40, 32)).toBe(options.volumeId.padEnd(16));
  expect(ucs2(574, 128)).toBe('SOLPACK'.padEnd(64));
  // 37 bytes hold eighteen characters, and one byte that is none.
  expect(ucs2(702, 36)).toBe(' '.repeat(18));
  expect(at(17)[738]).toBe(0);
});
