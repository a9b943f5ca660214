import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collect } from '../../formats/bytes.ts';
import { rereadable, sha256 } from '../../formats/digest.ts';
import { noise } from '../support/registry.ts';

const bytes = noise('rereadable', 20_000_000);
const expected = { digest: sha256(bytes), size: bytes.length };

/** Content in chunks of a megabyte; `opened` are the offsets that it was opened at. */
function content(whole: Uint8Array = bytes): {
  open: (offset: number) => AsyncGenerator<Uint8Array>;
  opened: number[];
} {
  const opened: number[] = [];
  const open = async function* (offset: number): AsyncGenerator<Uint8Array> {
    opened.push(offset);
    for (let at = offset; at < whole.length; at += 1_000_000) yield whole.subarray(at, at + 1_000_000);
  };
  return { open, opened };
}

/** Reads until so many bytes have come. */
async function begin(stream: AsyncIterable<Uint8Array>, enough: number): Promise<void> {
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size >= enough) return;
  }
}

describe('rereadable', () => {
  test('gives the rest from any offset, and reads again no more than it must', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), fc.nat(bytes.length), async (read, offset) => {
        const { open, opened } = content();
        const from = rereadable(open, expected, true);
        await begin(from(0), read);
        const rest = await collect(from(Math.min(offset, read)), bytes.length);
        expect(Buffer.compare(rest, bytes.subarray(Math.min(offset, read)))).toBe(0);
        expect(Math.min(offset, read) - opened[1]!).toBeLessThanOrEqual(5_200_000);
      }),
      { numRuns: 20 },
    );
  });

  test('opens what cannot be entered in its middle from its start', async () => {
    const { open, opened } = content();
    const from = rereadable(open, expected, false);
    await begin(from(0), 15_000_000);
    expect(Buffer.compare(await collect(from(14_000_000), bytes.length), bytes.subarray(14_000_000))).toBe(0);
    expect(opened).toEqual([0, 0]);
  });

  test.each([0, 19_999_999, 20_000_000])('notices from offset %i on that other bytes came before', async (offset) => {
    const damaged = Uint8Array.from(bytes);
    damaged[10]! ^= 1;
    const from = rereadable(content(damaged).open, expected, true);
    await begin(from(0), 12_000_000);
    await expect(collect(from(offset), bytes.length)).rejects.toMatchObject({ code: 'digest-mismatch' });
  });

  test.each([-1, 1])('notices a size that is %i off', async (off) => {
    const { open } = content(off < 0 ? bytes.subarray(1) : Buffer.concat([bytes, Buffer.from('x')]));
    await expect(collect(rereadable(open, expected, true)(7), bytes.length)).rejects.toMatchObject({
      code: 'size-mismatch',
    });
  });
});
