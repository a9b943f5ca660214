import { describe, expect, test } from 'vitest';
import { memory, type ReadAt, slice } from '../../../../formats/bytes.ts';
import { cached } from '../../../../lib/kernel/files/read-cache.ts';
import { noise } from '../../../support/registry.ts';

const KIB = 1024;
const MIB = KIB * KIB;

/** Bytes with random access, and the reads they met as `offset+length` in KiB. */
function watched(bytes: Uint8Array): ReadAt & { reads: [number, number][] } {
  const { read } = memory(bytes);
  const reads: [number, number][] = [];
  return {
    size: bytes.length,
    reads,
    read: (offset, length) => {
      reads.push([offset / KIB, length / KIB]);
      return read(offset, length);
    },
  };
}

const bytes = noise('cache', 3 * MIB + 100);

describe('a read through the cache', () => {
  test.each([
    [0, 1],
    [0, 0],
    [bytes.length, 0],
    [32 * KIB - 1, 2],
    [100, 500 * KIB],
    [bytes.length - 1, 1],
    [0, bytes.length],
  ])('at %i of %i bytes gives the bytes that lie there', async (offset, length) => {
    const found = await cached(watched(bytes)).read(offset, length);
    expect(Buffer.compare(found, bytes.subarray(offset, offset + length))).toBe(0);
  });

  test('outside of the source is refused before anything is read', async () => {
    const source = watched(bytes);
    await expect(cached(source).read(bytes.length - 1, 2)).rejects.toMatchObject({ code: 'truncated' });
    await expect(cached(source).read(-1, 1)).rejects.toMatchObject({ code: 'truncated' });
    expect(source.reads).toEqual([]);
  });

  test('is made once, also when it is asked for twice at once', async () => {
    const source = watched(bytes);
    const { read } = cached(source);
    await Promise.all([read(10, 10), read(500, 10), read(33 * KIB, 1)]);
    await read(0, 64 * KIB);
    expect(source.reads).toEqual([
      [0, 32],
      [32, 32],
    ]);
  });

  test('fetches what is absent alone, neighbours in one piece', async () => {
    const source = watched(bytes);
    const { read } = cached(source);
    await read(64 * KIB, 1);
    await read(0, 200 * KIB);
    expect(source.reads).toEqual([
      [64, 32],
      [0, 64],
      [96, 128],
    ]);
  });

  test('of the beginning that is known already needs none, as far as that has whole blocks', async () => {
    const source = watched(bytes);
    const { read } = cached(source, bytes.subarray(0, 64 * KIB + 5));
    expect(Buffer.compare(await read(0, 64 * KIB), bytes.subarray(0, 64 * KIB))).toBe(0);
    expect(source.reads).toEqual([]);
    await read(70 * KIB, 1);
    expect(source.reads).toEqual([[64, 32]]);
    const whole = watched(bytes.subarray(0, 100));
    expect(await cached(whole, bytes.subarray(0, 100)).read(90, 10)).toHaveLength(10);
    expect(whole.reads).toEqual([]);
  });

  test('that fails is made again the next time', async () => {
    let broken = true;
    const source = watched(bytes);
    const { read } = cached({
      ...source,
      read: (offset, length) => (broken ? Promise.reject(new Error('cut')) : source.read(offset, length)),
    });
    await expect(read(0, 100)).rejects.toThrow('cut');
    broken = false;
    expect(await read(0, 100)).toHaveLength(100);
  });
});

describe('reading on', () => {
  test('from where the last read ended fetches twice as much each time, and never more than was read', async () => {
    const source = watched(bytes);
    let read = 0;
    for await (const chunk of slice(cached(source), 0, bytes.length, 32 * KIB)) {
      read += chunk.length;
      const fetched = source.reads.reduce((sum, [, length]) => sum + length * KIB, 0);
      expect(fetched).toBeLessThanOrEqual(2 * read);
    }
    expect(source.reads.map(([offset]) => offset)).toEqual([0, 32, 96, 224, 480, 992, 2016, 2720]);
  });

  test('keeps nothing that a long reader has passed', async () => {
    const long = noise('long', 40 * MIB);
    const source = watched(long);
    const reader = cached(source);
    for await (const _ of slice(reader, 0, long.length, MIB));
    const count = source.reads.length;
    expect(count).toBeLessThan(20);
    await reader.read(30 * MIB, 1);
    expect(source.reads).toHaveLength(count + 1);
  });

  test('of several at once is told apart', async () => {
    const source = watched(noise('several', 8 * MIB));
    const { read } = cached(source);
    for (let at = 0; at < MIB; at += 64 * KIB) {
      await read(at, 64 * KIB);
      await read(4 * MIB + at, 64 * KIB);
    }
    expect(source.reads.length).toBeLessThanOrEqual(10);
  });
});

describe('a prefetch', () => {
  test('brings what lies close together in one read, and what lies apart in several', async () => {
    const source = watched(bytes);
    const reader = cached(source);
    const at = (offset: number): { offset: number; size: number } => ({ offset: offset * KIB, size: 100 });
    await reader.prefetch([at(1000), at(0), at(90), at(40), at(2000)]);
    expect(source.reads.toSorted(([a], [b]) => a - b)).toEqual([
      [0, 96],
      [992, 32],
      [1984, 32],
    ]);
    await Promise.all([at(1000), at(0), at(90), at(40), at(2000)].map(({ offset, size }) => reader.read(offset, size)));
    expect(source.reads).toHaveLength(3);
  });

  test('leaves out what lies outside, and what is more than it may bring', async () => {
    const source = watched(noise('wide', 20 * MIB));
    const reader = cached(source);
    await reader.prefetch([
      { offset: 19 * MIB, size: 2 * MIB },
      { offset: 0, size: 0 },
      { offset: 0, size: 6 * MIB },
      { offset: 10 * MIB, size: 6 * MIB },
    ]);
    expect(source.reads).toEqual([[0, 6 * KIB]]);
  });
});
