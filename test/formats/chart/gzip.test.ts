import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { once } from '../../../formats/bytes.ts';
import { gzipStored, gzipStoredSize } from '../../../formats/chart/gzip.ts';
import { judged, run } from '../../support/judges.ts';
import { all, chunked } from './support.ts';

describe('gzipStored', () => {
  test.each([0, 1, 512, 65_534, 65_535, 65_536, 131_070, 200_000])(
    'wraps %i bytes so that they come back',
    async (size) => {
      const bytes = Buffer.alloc(size, 'content ');
      const wrapped = await all(gzipStored(once(bytes), size));
      expect(wrapped.length).toBe(gzipStoredSize(size));
      expect(Buffer.compare(gunzipSync(wrapped), bytes)).toBe(0);
    },
  );

  test('makes the same bytes however its input is cut', async () => {
    const bytes = Buffer.alloc(150_000, 'content ');
    const whole = await all(gzipStored(once(bytes), bytes.length));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 500, max: 80_000 }), async (chunk) => {
        expect(Buffer.compare(await all(gzipStored(chunked(bytes, chunk), bytes.length)), whole)).toBe(0);
      }),
      { numRuns: 40 },
    );
  });

  test.each([-1, 1, 70_000])('fails where there are %i bytes more than announced', async (more) => {
    const bytes = Buffer.alloc(80_000);
    await expect(all(gzipStored(chunked(bytes, 999), bytes.length - more))).rejects.toThrow('announced');
  });

  judged('is what tar reads as gzip', ['tar'], async () => {
    const tar = new Uint8Array(10_240);
    const { code } = await run('tar', ['-tzf', '-'], { input: await all(gzipStored(once(tar), tar.length)) });
    expect(code).toBe(0);
  });
});
