import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memory, utf8 } from '../../../../formats/bytes.ts';
import { encodeBundle } from '../../../../formats/sigstore/bundle.ts';
import { emptySlot, fillSlot } from '../../../../formats/sigstore/slot.ts';
import {
  DISK_SECTOR,
  replaceBehindHead,
  replaceSectors,
  type SectorFile,
} from '../../../../lib/parts/archives/sectors.ts';
import { generateKey, judgeSignatures, loadPrivateKey } from '../../../../lib/parts/trust/index.ts';
import { scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('sectors');
const SIZE = 8192;
const OFFSET = 4 * DISK_SECTOR;
const root = utf8('{"root":true}');

/** A file in memory that fails at its `fault`th step, as a machine that loses power; what it did before stays. */
function disk(slot: Uint8Array, fault = Number.POSITIVE_INFINITY): SectorFile & { bytes: Buffer; steps: string[] } {
  const bytes = Buffer.concat([Buffer.alloc(OFFSET, 1), slot, Buffer.alloc(OFFSET, 2)]);
  const steps: string[] = [];
  const step = (name: string): void => {
    if (steps.length >= fault) throw new Error('power');
    steps.push(name);
  };
  return {
    ...memory(bytes),
    bytes,
    steps,
    write: async (part, offset) => {
      step(`write ${offset} ${part.length}`);
      bytes.set(part, offset);
    },
    sync: async () => step('sync'),
  };
}

const slotOf = ({ bytes }: { bytes: Buffer }): Buffer => bytes.subarray(OFFSET, OFFSET + SIZE);

async function signed(algorithm: 'ecdsa-p256-sha256' | 'ed25519') {
  const path = join(folder, `${algorithm}.key`);
  writeFileSync(path, generateKey(algorithm).privatePem);
  const key = await loadPrivateKey(path);
  return { key: key.public, slot: fillSlot(await signRoot(root, key), SIZE) };
}

describe.each(['ecdsa-p256-sha256', 'ed25519'] as const)('a slot that a signature by %s is put into', (algorithm) => {
  test('is written in one piece that disks write whole or not at all', async () => {
    const file = disk(emptySlot(SIZE));
    expect(await replaceSectors(file, OFFSET, emptySlot(SIZE), (await signed(algorithm)).slot)).toBe(true);
    expect(file.steps).toEqual([`write ${OFFSET} ${DISK_SECTOR}`, 'sync']);
  });

  test('is as it was or as it is to be, wherever the work is interrupted', async () => {
    const { key, slot } = await signed(algorithm);
    for (const [before, after] of [
      [emptySlot(SIZE), slot],
      [slot, emptySlot(SIZE)],
      [slot, (await signed(algorithm)).slot],
    ] as const) {
      for (let fault = 0; fault < 2; fault += 1) {
        const file = disk(before, fault);
        await expect(replaceSectors(file, OFFSET, before, after)).rejects.toThrow('power');
        expect(slotOf(file).equals(before) || slotOf(file).equals(after)).toBe(true);
      }
    }
    expect(judgeSignatures(root, [slot], [key]).trusted).toEqual([key.keyId]);
  });

  test('cut within a sector, by a disk that breaks its word, is reported, and never taken for a signature', async () => {
    const { key, slot } = await signed(algorithm);
    const end = slot.indexOf(0x0a);
    for (let cut = 1; cut < end; cut += 1) {
      const torn = emptySlot(SIZE);
      torn.set(slot.subarray(0, cut));
      const { trusted, findings } = judgeSignatures(root, [torn], [key]);
      expect([trusted, findings[0]?.code, findings[0]?.subject]).toEqual([[], 'signature-invalid', 'slot 0']);
    }
  });
});

describe('bytes of several sectors', () => {
  const long = fillSlot(encodeBundle({ hint: 'x'.repeat(3000), messageDigest: root, signature: root }), SIZE);

  test('are written from the last one to the first, each once the disk has the one behind it', async () => {
    const file = disk(emptySlot(SIZE));
    await replaceSectors(file, OFFSET, emptySlot(SIZE), long);
    const count = Math.ceil(long.indexOf(0x0a) / DISK_SECTOR);
    const order = Array.from(
      { length: count },
      (_, index) => `write ${OFFSET + (count - 1 - index) * DISK_SECTOR} ${DISK_SECTOR}`,
    );
    expect(file.steps).toEqual(order.flatMap((write) => [write, 'sync']));
    expect(slotOf(file).equals(long)).toBe(true);
  });

  test('interrupted anywhere are never read as a bundle until all of them are there', async () => {
    const { slot } = await signed('ed25519');
    const steps = disk(emptySlot(SIZE));
    await replaceSectors(steps, OFFSET, emptySlot(SIZE), long);
    for (let fault = 0; fault < steps.steps.length - 1; fault += 1) {
      const file = disk(emptySlot(SIZE), fault);
      await expect(replaceSectors(file, OFFSET, emptySlot(SIZE), long)).rejects.toThrow('power');
      // Whoever signs again heals it.
      const healed = disk(slotOf(file));
      await replaceSectors(healed, OFFSET, slotOf(file), slot);
      expect(slotOf(healed).equals(slot)).toBe(true);
    }
  });
});

test('nothing around them changes, whatever is replaced by what', async () => {
  const bytes = fc.uint8Array({ minLength: SIZE, maxLength: SIZE });
  await fc.assert(
    fc.asyncProperty(bytes, bytes, async (before, after) => {
      const file = disk(before);
      expect(await replaceSectors(file, OFFSET, before, after)).toBe(true);
      expect(file.bytes.equals(disk(after).bytes)).toBe(true);
    }),
    { seed: 6, numRuns: 50 },
  );
});

test('bytes that are not there are not replaced', async () => {
  const file = disk(emptySlot(SIZE));
  expect(await replaceSectors(file, OFFSET, new Uint8Array(SIZE), emptySlot(SIZE))).toBe(false);
  expect(file.steps).toEqual([]);
});

test('a long slot is as it was, blank at its head, or as it is to be, wherever the work is interrupted', async () => {
  const blank = emptySlot(SIZE);
  const [one, two] = [fillSlot(Buffer.alloc(SIZE - 100, 'a'), SIZE), fillSlot(Buffer.alloc(SIZE - 900, 'b'), SIZE)];
  for (const [before, after] of [
    [blank, one],
    [one, two],
    [one, blank],
  ] as const) {
    const whole = disk(before);
    expect(await replaceBehindHead(whole, OFFSET, before.subarray(0, DISK_SECTOR), after, blank)).toBe(true);
    expect(slotOf(whole).equals(after)).toBe(true);
    for (let fault = 0; fault < whole.steps.length; fault += 1) {
      const file = disk(before, fault);
      const head = before.subarray(0, DISK_SECTOR);
      await expect(replaceBehindHead(file, OFFSET, head, after, blank)).rejects.toThrow('power');
      const slot = slotOf(file);
      const isHead = slot.subarray(0, DISK_SECTOR).equals(blank.subarray(0, DISK_SECTOR));
      expect(slot.equals(before) || slot.equals(after) || isHead, `${fault}`).toBe(true);
      expect(file.bytes.subarray(0, OFFSET).every((byte) => byte === 1)).toBe(true);
      expect(file.bytes.subarray(OFFSET + SIZE).every((byte) => byte === 2)).toBe(true);
    }
  }
  const changed = disk(one);
  expect(await replaceBehindHead(changed, OFFSET, blank.subarray(0, DISK_SECTOR), two, blank)).toBe(false);
  expect(slotOf(changed).equals(one)).toBe(true);
});
