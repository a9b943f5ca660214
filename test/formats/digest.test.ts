import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bytes, collect, memory, once, slice, utf8 } from '../../formats/bytes.ts';
import { algorithmOf, type Digest, hexOf, isDigest, measure, sha256, verified } from '../../formats/digest.ts';

const EMPTY = 'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const sha512 = (bytes: Uint8Array): Digest => `sha512:${createHash('sha512').update(bytes).digest('hex')}`;
const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });
const content = utf8('some content that is longer than a chunk');
const stream = (bytes = content): Bytes => slice(memory(bytes), 0, bytes.length, 16);

describe('a digest', () => {
  test('is one of two algorithms, in its canonical spelling', () => {
    expect(sha256('')).toBe(EMPTY);
    expect(isDigest(EMPTY)).toBe(true);
    expect(isDigest(sha512(content))).toBe(true);
    const wrong = [
      EMPTY.toUpperCase(),
      EMPTY.slice(0, -1),
      `${EMPTY}0`,
      `${EMPTY}\n`,
      `md5:${'0'.repeat(32)}`,
      `sha512:${hexOf(EMPTY)}`,
      'sha256:',
      '',
      1,
      null,
    ];
    for (const value of wrong) expect(isDigest(value)).toBe(false);
  });

  test('has an algorithm and a hexadecimal part', () => {
    expect(algorithmOf(EMPTY)).toBe('sha256');
    expect(algorithmOf(sha512(content))).toBe('sha512');
    expect(hexOf(sha512(content))).toHaveLength(128);
  });
});

test('a stream that is measured is reported by the digest and the size of all of it', async () => {
  expect(await measure(stream())).toEqual({ digest: sha256(content), size: content.length });
  expect(await measure(once(new Uint8Array(0)))).toEqual({ digest: EMPTY, size: 0 });
});

describe('a verified stream', () => {
  test('hands on the bytes that were expected, by either algorithm', async () => {
    for (const digest of [sha256(content), sha512(content)]) {
      expect(await collect(verified(stream(), { digest, size: content.length }), 100)).toEqual(Buffer.from(content));
    }
    expect(await collect(verified(once(new Uint8Array(0)), { digest: EMPTY, size: 0 }), 0)).toHaveLength(0);
  });

  const cases: [string, string, { digest: Digest; size: number }][] = [
    ['a wrong digest', 'digest-mismatch', { digest: EMPTY, size: content.length }],
    ['bytes too few', 'size-mismatch', { digest: sha256(content), size: content.length + 1 }],
    ['bytes too many', 'size-mismatch', { digest: sha256(content), size: content.length - 1 }],
  ];
  test.for(cases)('refuses %s before its last chunk is handed on', async ([, expected, descriptor]) => {
    let handed = 0;
    const reading = async (): Promise<void> => {
      for await (const chunk of verified(stream(), descriptor)) handed += chunk.length;
    };
    await expect(reading()).rejects.toThrow(code(expected));
    expect(handed).toBeLessThan(content.length);
  });

  test('does not read on where there is more than expected, and closes what it reads', async () => {
    let read = 0;
    let closed = false;
    async function* endless(): Bytes {
      try {
        for (;;) {
          read += 1;
          yield content;
        }
      } finally {
        closed = true;
      }
    }
    await expect(collect(verified(endless(), { digest: EMPTY, size: 100 }), 1000)).rejects.toThrow(
      code('size-mismatch'),
    );
    expect(read).toBe(3);
    expect(closed).toBe(true);
  });

  test('refuses every change of a byte', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: content.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Uint8Array.from(content);
        changed[at]! ^= flip;
        const read = collect(verified(stream(changed), { digest: sha256(content), size: content.length }), 100);
        await expect(read).rejects.toThrow(code('digest-mismatch'));
      }),
    );
  });
});
