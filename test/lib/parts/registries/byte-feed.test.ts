import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { feedOf } from '../../../../lib/parts/registries/byte-feed.ts';

describe('feedOf', () => {
  test('hands everything on in pieces of any size, whatever the chunks', async () => {
    const pieces = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 30 })), pieces, async (chunks, sizes) => {
        const feed = feedOf(
          (async function* () {
            yield* chunks;
          })(),
        );
        const whole = Buffer.concat(chunks);
        let at = 0;
        for (const size of sizes) {
          const piece = await collect(feed.take(size), size);
          expect(Buffer.compare(piece, whole.subarray(at, at + size))).toBe(0);
          at += piece.length;
        }
        await feed.close();
      }),
    );
  });

  test('does not touch what nobody takes, and lets go of the rest', async () => {
    let state = 'untouched';
    const bytes = (async function* (): AsyncGenerator<Uint8Array> {
      state = 'open';
      try {
        for (;;) yield new Uint8Array(10);
      } finally {
        state = 'released';
      }
    })();
    const feed = feedOf(bytes);
    const piece = feed.take(5);
    expect(state).toBe('untouched');
    await collect(piece, 5);
    expect(state).toBe('open');
    await feed.close();
    expect(state).toBe('released');
  });
});
