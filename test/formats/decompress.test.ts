import { randomBytes } from 'node:crypto';
import { constants, crc32, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, collect } from '../../formats/bytes.ts';
import { type Decompression, decompress } from '../../formats/decompress.ts';

const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });
const how = (algorithm: Decompression['algorithm'], bounds: Partial<Decompression> = {}): Decompression => ({
  algorithm,
  code: 'layer-invalid',
  ratio: 1000,
  free: 1024 * 1024,
  budget: { left: 2 ** 30 },
  total: 2 ** 30,
  ...bounds,
});

async function* pieces(bytes: Uint8Array, size: number): Bytes {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const whole = async (bytes: Uint8Array, options: Decompression, size = 64 * 1024): Promise<string> =>
  Buffer.from(await collect(decompress(pieces(bytes, size), options), 2 ** 30)).toString();

/** A frame that announces bytes, and has no block but an empty one, or a raw block of 5 bytes before that. */
const announcing = (field: string, ...blocks: string[]): Buffer =>
  Buffer.from(`28b52ffd${field}${blocks.join('')}`, 'hex');
const nothing = '010000';
const hello = '28000068656c6c6f';

describe('a zstd frame that announces its size', () => {
  test.each([
    ['more than it holds, in a byte', announcing('2006', hello, nothing)],
    ['less than it holds', announcing('2004', hello, nothing)],
    ['much, and holds nothing', announcing('609cb8', nothing)],
    ['much in eight bytes', announcing('e00500000000000010', hello, nothing)],
    [
      'much, before one that announces nothing',
      Buffer.concat([announcing('2006', nothing), announcing('0058', hello, nothing)]),
    ],
  ])('is refused if that is %s, wherever its chunks end', async (_, bytes) => {
    for (const size of [bytes.length, 1, 2, 3, 5, 8]) {
      await expect(whole(bytes, how('zstd'), size)).rejects.toEqual(code('layer-invalid'));
    }
  });

  test.each([
    ['in a byte', announcing('2005', hello, nothing)],
    ['in four bytes', announcing('a005000000', hello, nothing)],
    ['in eight bytes', announcing('e00500000000000000', hello, nothing)],
    ['not at all', announcing('0058', hello, nothing)],
    [
      'after a skippable frame',
      Buffer.concat([Buffer.from('502a4d180400000001020304', 'hex'), announcing('2005', hello, nothing)]),
    ],
  ])('is read if that is right: %s', async (_, bytes) => {
    for (const size of [bytes.length, 1, 2, 3, 5, 8]) expect(await whole(bytes, how('zstd'), size)).toBe('hello');
  });

  test('is read with two bytes for it, which stand for 256 more', async () => {
    const text = 'a'.repeat(300);
    const bytes = zstdCompressSync(text);
    expect(bytes[4]! >> 6).toBe(1);
    for (const size of [bytes.length, 1, 3]) expect(await whole(bytes, how('zstd'), size)).toBe(text);
  });
});

const skippable = Buffer.from('502a4d180400000001020304', 'hex');
const compress = { gzip: gzipSync, zstd: zstdCompressSync };

describe.each(['gzip', 'zstd'] as const)('decompressing %s', (algorithm) => {
  const packed = (text: string): Buffer => compress[algorithm](text);

  test('gives the bytes that were compressed, wherever chunks, members and frames end', async () => {
    const text = fc.string({ maxLength: 3000 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 400 }),
        async (parts, size) => {
          const bytes = Buffer.concat(parts.map(packed));
          expect(await whole(bytes, how(algorithm), size)).toBe(parts.join(''));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('refuses what is cut, damaged, followed by something else, or empty', async () => {
    const bytes = packed('some text that is long enough to be compressed, compressed, compressed');
    for (const damaged of [bytes.subarray(0, -3), Buffer.concat([bytes, Buffer.from('garbage')]), Buffer.alloc(0)]) {
      await expect(whole(damaged, how(algorithm))).rejects.toEqual(code('layer-invalid'));
      await expect(whole(damaged, how(algorithm), 7)).rejects.toEqual(code('layer-invalid'));
    }
  });

  test('stops at the ratio, and at the budget that several streams share', async () => {
    const bomb = packed('\0'.repeat(8 * 1024 * 1024));
    await expect(whole(bomb, how(algorithm, { ratio: 100 }))).rejects.toThrow(
      'decompresses to more than 100 times its size',
    );
    const budget = { left: 9 * 1024 * 1024 };
    const shared = how(algorithm, { ratio: 1e9, budget, total: budget.left });
    expect(await whole(bomb, shared)).toHaveLength(8 * 1024 * 1024);
    await expect(whole(bomb, shared)).rejects.toThrow('decompresses to more than 9.0 MiB');
  });

  test('hands on what the source throws, and closes a source that is left early', async () => {
    async function* broken(): Bytes {
      yield packed('text').subarray(0, 12);
      throw new RangeError('the disk is gone');
    }
    await expect(collect(decompress(broken(), how(algorithm)), 100)).rejects.toThrow(RangeError);
    let closed = false;
    async function* endless(): Bytes {
      try {
        for (;;) yield packed('text'.repeat(1000));
      } finally {
        closed = true;
      }
    }
    for await (const chunk of decompress(endless(), how(algorithm))) if (chunk.length > 0) break;
    expect(closed).toBe(true);
  });
});

test('passes over skippable frames of zstd, between frames and at the end', async () => {
  const bytes = Buffer.concat([zstdCompressSync('a'), skippable, zstdCompressSync('b'), skippable]);
  for (const size of [1, 5, 1000]) expect(await whole(bytes, how('zstd'), size)).toBe('ab');
});

test('refuses zstd that is cut anywhere but between frames', async () => {
  const options = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };
  const frames = [zstdCompressSync('abc'.repeat(100), options), skippable, zstdCompressSync(Buffer.alloc(300_000))];
  const bytes = Buffer.concat(frames);
  const between = [frames[0]!.length, frames[0]!.length + skippable.length, bytes.length];
  for (let end = 1; end <= bytes.length; end += 1) {
    const found = await whole(bytes.subarray(0, end), how('zstd'), 50).catch((error: unknown) => error);
    if (between.includes(end)) expect(found).toMatch(/^(?:abc)+\0*$/);
    else expect(found).toEqual(code('layer-invalid'));
  }
});

test('refuses a zstd frame that asks for a window of more than 64 MiB', async () => {
  // Frame header: no single segment, window descriptor of exponent 17 (2^27 bytes); one raw, last block of one byte.
  const frame = (exponent: number): Buffer => Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3, 0x09, 0, 0, 0x61]);
  expect(await whole(frame(16), how('zstd'))).toBe('a');
  await expect(whole(frame(17), how('zstd'))).rejects.toEqual(code('layer-invalid'));
});

test('refuses many zstd frames of a few bytes each, wherever chunks end', async () => {
  const frames = (count: number, text: string): Buffer =>
    Buffer.alloc(count * zstdCompressSync(text).length, zstdCompressSync(text));
  expect(await whole(frames(1000, 'x'), how('zstd'))).toBe('x'.repeat(1000));
  for (const size of [7, 10, 4096]) {
    await expect(whole(frames(1001, 'x'), how('zstd'), size)).rejects.toThrow('more than 1000 frames of zstd');
  }
  const random = randomBytes(60).toString('hex');
  expect(await whole(frames(1100, random), how('zstd'))).toHaveLength(1100 * random.length);
});

test('refuses a gzip member whose checksum is wrong', async () => {
  const bytes = gzipSync('text');
  bytes.writeUInt32LE((crc32('text') + 1) >>> 0, bytes.length - 8);
  await expect(whole(bytes, how('gzip'))).rejects.toEqual(code('layer-invalid'));
});
