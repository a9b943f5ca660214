import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { once } from '../../../formats/bytes.ts';
import { gzip } from '../../../formats/chart/gzip.ts';
import { judged, run } from '../../support/judges.ts';
import { all, chunked } from './support.ts';

/** Text as charts have it, which never ends in the same way: `size` bytes. */
function textOf(size: number): Buffer {
  let text = '';
  for (let line = 0; text.length < size; line += 1)
    text += `${' '.repeat(line % 7)}key-${(line * 7919) % 1009}: value\n`;
  return Buffer.from(text.slice(0, size));
}

describe('gzip', () => {
  test.each([0, 1, 512, 65_535, 65_536, 65_537, 98_304, 131_072, 1_000_000])(
    'compresses %i bytes so that they come back',
    async (size) => {
      const wrapped = await all(gzip(once(textOf(size))));
      expect(Buffer.compare(gunzipSync(wrapped), textOf(size))).toBe(0);
      if (size > 512) expect(wrapped.length).toBeLessThan(size / 4);
    },
  );

  test('gives back whatever it got, also what cannot be compressed', async () => {
    const pieces = fc.array(
      fc.oneof(
        fc.uint8Array({ minLength: 1, maxLength: 70_000, size: 'max' }),
        fc.tuple(fc.nat(255), fc.integer({ min: 1, max: 200_000 })).map(([byte, size]) => Buffer.alloc(size, byte)),
        fc.integer({ min: 1, max: 150_000 }).map(textOf),
      ),
      { maxLength: 6 },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const bytes = Buffer.concat(parts);
        expect(Buffer.compare(gunzipSync(await all(gzip(once(bytes)))), bytes)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test('makes the same bytes however its input is cut', async () => {
    const bytes = textOf(150_000);
    const whole = await all(gzip(once(bytes)));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 500, max: 80_000 }), async (chunk) => {
        expect(Buffer.compare(await all(gzip(chunked(bytes, chunk))), whole)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test('makes the same bytes on every machine', async () => {
    const digest = createHash('sha256').update(await all(gzip(once(textOf(300_000)))));
    // Whatever changes this changes the digest of every archive with a chart that was a folder.
    expect(digest.digest('hex')).toBe('645c1cb4e79c0b4ad056fd48fbb00ac45123caecea4f42ad04f396dc1589bd0b');
  });

  judged('is what tar reads as gzip', ['tar'], async () => {
    const tar = new Uint8Array(10_240);
    const { code } = await run('tar', ['-tzf', '-'], { input: await all(gzip(once(tar))) });
    expect(code).toBe(0);
  });
});
