import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { list } from '../../lib/flows/browse/index.ts';
import { inspect } from '../../lib/flows/inspect/index.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import { carriers, openArchive } from '../../lib/parts/archives/index.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('damage');
/** Where an ISO's descriptors begin; what is before them is empty. */
const SYSTEM_AREA = 16 * 2048;

beforeAll(async () => {
  await smallSolution(folder);
  for (const { extension } of Object.values(carriers)) {
    await packHere(join(folder, 'solution.toml'), join(folder, `good${extension}`));
  }
});

/**
 * Damage to the part of an archive that is not content: bytes replaced, bits flipped, runs filled or copied, an early
 * end.
 */
const damage = fc.array(
  fc.record({
    how: fc.constantFrom('replace', 'flip', 'fill', 'copy', 'cut'),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    from: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    value: fc.constantFrom(0, 1, 0x22, 0x2e, 0x2f, 0x30, 0x7b, 0x7f, 0x80, 0xff),
    length: fc.integer({ min: 1, max: 64 }),
  }),
  { minLength: 1, maxLength: 4 },
);

type Damage = typeof damage extends fc.Arbitrary<infer T> ? T : never;

function damaged(good: Buffer, changes: Damage, start: number, end: number): Buffer {
  let bytes = Buffer.from(good);
  for (const { how, at, from, value, length } of changes) {
    const offset = Math.min(start + Math.floor(at * (end - start)), bytes.length - 1);
    if (how === 'replace') bytes[offset] = value;
    else if (how === 'flip') bytes[offset]! ^= 1 << (length % 8);
    else if (how === 'fill') bytes.fill(value, offset, Math.min(offset + length, bytes.length));
    else if (how === 'copy')
      bytes.copy(bytes, offset, Math.floor(from * bytes.length), Math.floor(from * bytes.length) + length);
    else if (at < 0.2) bytes = bytes.subarray(0, offset + 1);
  }
  return bytes;
}

async function outcome(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    expect(error).toBeInstanceOf(SolpackError);
  }
}

describe.each(Object.values(carriers).map((carrier) => [carrier.title, carrier] as const))(
  'a damaged %s',
  (_, carrier) => {
    // What `verify` makes of damage is the fuzzer's matter: fuzz.test.ts.
    test('is inspected and listed, or ends in an error of ours', async () => {
      const good = readFileSync(join(folder, `good${carrier.extension}`));
      await using archive = await openArchive(join(folder, `good${carrier.extension}`));
      const slot = (await archive.tree.lookup('.solpack/signatures/7.sigstore.json'))!.extents[0]!;
      const start = carrier.kind === 'iso' ? SYSTEM_AREA : 0;
      const path = join(folder, `damaged${carrier.extension}`);
      const area = { archive: path, path: '', digests: true };
      await fc.assert(
        fc.asyncProperty(damage, async (changes) => {
          const bytes = damaged(good, changes, start, slot.offset + 20_000);
          for (const { offset, size } of carrier.exempt) good.copy(bytes, offset, offset, offset + size);
          writeFileSync(path, bytes);
          await outcome(() => inspect(path, testFlow()));
          await outcome(async () => {
            for await (const _ of list(area, testFlow()));
          });
        }),
        { seed: 4, numRuns: 500 },
      );
    });
  },
);
