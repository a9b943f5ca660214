import { zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collect, memory } from '../../../formats/bytes.ts';
import type { FormatError } from '../../../formats/error.ts';
import { applyPatch } from '../../../formats/layer-patch/apply.ts';
import { encodeStep, patchHead } from '../../../formats/layer-patch/control.ts';
import { differences } from '../../../formats/layer-patch/difference.ts';
import type { PatchStep } from '../../../formats/layer-patch/layout.ts';

/** A source of numbers that look random, the same for the same seed. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function patchOf(steps: readonly PatchStep[], diff: Uint8Array, extra: Uint8Array): Buffer {
  const parts = [Buffer.concat(steps.map(encodeStep)), diff, extra].map((part) => zstdCompressSync(part));
  return Buffer.concat([patchHead(parts.map(({ length }) => length)), ...parts]);
}

/** A patch that makes `fresh` of `old`. */
function patchBetween(old: Uint8Array, fresh: Uint8Array): Buffer {
  const steps: PatchStep[] = [];
  const [diff, extra]: [number[], number[]] = [[], []];
  let at = 0;
  for (const run of differences(old, fresh)) {
    if (run.kind === 'new') {
      steps.push({ kind: 'extra', length: run.length });
      extra.push(...fresh.subarray(at, at + run.length));
    } else {
      steps.push({ kind: 'add', source: 0, offset: run.offset, length: run.length });
      for (let next = 0; next < run.length; next += 1) diff.push((fresh[at + next]! - old[run.offset + next]!) & 255);
    }
    at += run.length;
  }
  return patchOf(steps, Buffer.from(diff), Buffer.from(extra));
}

const applied = (patch: Uint8Array, old: Uint8Array, size: number): Promise<Uint8Array> =>
  collect(applyPatch(memory(patch), [memory(old)], size), 2 ** 24);

/** Bytes with many repetitions, and what an editor makes of them. */
function pair(seed: number): [old: Buffer, fresh: Buffer] {
  const next = numbers(seed);
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => next(next(2) === 0 ? 4 : 256)));
  const old = bytes(next(4000));
  const parts: Buffer[] = [];
  for (let count = next(8); count > 0; count -= 1) {
    const from = next(old.length + 1);
    const part = Buffer.from(old.subarray(from, from + next(1500)));
    for (let edits = next(20); edits > 0 && part.length > 0; edits -= 1) part[next(part.length)] = next(256);
    parts.push(part, bytes(next(40)));
  }
  return [old, Buffer.concat(parts)];
}

describe('a patch', () => {
  test('makes the new bytes of the old ones, whatever these are', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const [old, fresh] = pair(seed);
      const made = await applied(patchBetween(old, fresh), old, fresh.length);
      expect([seed, Buffer.from(made).equals(fresh)]).toEqual([seed, true]);
    }
  });

  test('that is damaged is refused, or makes some bytes of the size that was asked for', async () => {
    for (let seed = 1; seed <= 1500; seed += 1) {
      const next = numbers(seed);
      const [old, fresh] = pair(seed % 50);
      const patch = patchBetween(old, fresh);
      for (let count = 1 + next(3); count > 0; count -= 1) patch[next(patch.length)] = next(256);
      const whole = next(4) === 0 ? patch.subarray(0, next(patch.length)) : patch;
      const made = await applied(whole, old, fresh.length).catch((error: unknown) => error);
      if (made instanceof Uint8Array) expect(made).toHaveLength(fresh.length);
      else expect(made).toMatchObject({ code: 'patch-invalid' } satisfies Partial<FormatError>);
    }
  });

  test.each<[string, PatchStep[]]>([
    ['reads a source that it does not have', [{ kind: 'copy', source: 1, offset: 0, length: 4 }]],
    ['reads behind the end of a source', [{ kind: 'copy', source: 0, offset: 8, length: 4 }]],
    ['makes more than 4 B', [{ kind: 'copy', source: 0, offset: 0, length: 2 ** 52 }]],
    ['makes 3 B in the place of 4 B', [{ kind: 'copy', source: 0, offset: 0, length: 3 }]],
    ['has an instruction that does nothing', [{ kind: 'copy', source: 0, offset: 0, length: 0 }]],
  ])('that %s is refused', async (why, steps) => {
    const patch = patchOf(steps, Buffer.alloc(0), Buffer.alloc(0));
    await expect(applied(patch, Buffer.alloc(10), 4)).rejects.toThrow(why);
  });
});
