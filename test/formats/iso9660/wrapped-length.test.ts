import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wrappedLengths } from '../../../formats/iso9660/wrapped-length.ts';

/** A System Use entry whose length is reported in one byte, whether it fits or not. */
function entry(signature: string, payload: readonly number[]): number[] {
  return [...Buffer.from(signature), (payload.length + 4) % 256, 1, ...payload];
}

const component = (text: Uint8Array): number[] => [0, text.length, ...text];
const stamps = entry('TF', [...new Uint8Array(22)]);

describe('an SL entry longer than its length can tell', () => {
  test.each([256, 257, 259, 260, 300, 511, 512, 700])('of %i bytes is found by its components', (length) => {
    const text = Buffer.alloc(
      length - 5 - 2 - 100 * Math.floor((length - 10) / 102) - 2 * Math.floor((length - 10) / 102),
      0x41,
    );
    const parts = [
      ...Array.from({ length: Math.floor((length - 10) / 102) }, () => component(Buffer.alloc(100, 0x53))),
      component(text),
    ];
    const link = entry('SL', [0, ...parts.flat()]);
    expect(link).toHaveLength(length);
    const area = Uint8Array.from([...stamps, ...link, ...stamps]);
    expect([...wrappedLengths(area)]).toEqual([[stamps.length, length]]);
  });

  test('is found before the zeros that fill an area up', () => {
    const link = entry('SL', [0, ...component(Buffer.alloc(250, 0x41)), ...component(Buffer.alloc(20, 0x42))]);
    expect([...wrappedLengths(Uint8Array.from([...link, ...new Uint8Array(40)]))]).toEqual([[0, link.length]]);
  });

  test('is not taken for one where the lengths as they are lead to the end', () => {
    const links = entry('SL', [1, ...component(Buffer.alloc(100, 0x41))]);
    const area = Uint8Array.from([...links, ...links, ...links, ...stamps]);
    expect(wrappedLengths(area).size).toBe(0);
  });

  test('is not made up where its components do not end with an entry', () => {
    const link = entry('SL', [0, ...component(Buffer.alloc(250, 0x41)), ...component(Buffer.alloc(20, 0x42))]);
    expect(wrappedLengths(Uint8Array.from([...link, 1, 2, 3, 4, 5, 6])).size).toBe(0);
  });
});

test('any area is looked through to its end, and no length leads out of it', () => {
  const bits = fc.oneof(fc.constant(entry('SL', [0])), fc.array(fc.nat(20), { maxLength: 30 }), fc.constant(stamps));
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 120 }), (parts) => {
      const area = Uint8Array.from(parts.flat());
      for (const [at, length] of wrappedLengths(area)) {
        expect(length).toBeGreaterThanOrEqual(256);
        expect(at + length).toBeLessThanOrEqual(area.length);
      }
    }),
  );
});
