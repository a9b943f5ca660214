import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memory } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { signedArchives } from '../../scripts/fuzz/archives.ts';
import { Canvas } from '../../scripts/fuzz/canvas.ts';
import { work } from '../../scripts/fuzz/crew.ts';
import { faultOf, reduced, shortened } from '../../scripts/fuzz/faults.ts';
import { checkPath } from '../../scripts/fuzz/reader.ts';
import { targetsNamed } from '../../scripts/fuzz/targets/index.ts';
import { verifyArchive } from '../../scripts/fuzz/verify.ts';
import { isRefusal } from '../../scripts/fuzz/violation.ts';
import { scratch } from '../support/judges.ts';

const folder = scratch('fuzz');

test('a process that hangs or ends is a fault with its execution, one that is full is none, and all others are run', async () => {
  const result = await work({
    targets: ['reader'],
    seed: 1,
    folder,
    from: 0,
    executions: 10,
    workers: 2,
    program: join(import.meta.dirname, '../support/fuzz/planted.ts'),
    patience: 2,
    onProgress: () => undefined,
  });
  expect(result.outcomes).toEqual({ fine: 8 });
  expect(result.peak).toBeGreaterThan(0);
  expect(result.full).toBe(1);
  const faults = [...result.faults].sort((a, b) => a.execution - b.execution);
  expect(faults.map(({ execution, why }) => [execution, why])).toEqual([
    [3, 'it has not ended after 2 s'],
    [6, expect.stringMatching(/^its process ended with 1: (.|\n)*planted/)],
    [8, 'a fault'],
  ]);
});

test('a run that continues another one leaves out what was done, and says from where the next one continues', async () => {
  const reached: number[] = [];
  const result = await work({
    targets: ['reader'],
    seed: 1,
    folder,
    from: 7,
    executions: 10,
    workers: 2,
    program: join(import.meta.dirname, '../support/fuzz/planted.ts'),
    patience: 2,
    onProgress: (_, next) => reached.push(next),
  });
  expect(result.outcomes).toEqual({ fine: 3 });
  expect(result.faults.map(({ execution }) => execution)).toEqual([8]);
  expect(Math.min(...reached)).toBeGreaterThanOrEqual(7);
  expect(Math.max(...reached)).toBeLessThan(10);
});

test('a signature that is in its slot and not listed is no fault, and listed as anything else is found', async () => {
  const tar = (await signedArchives()).find(({ kind }) => kind === 'tar')!;
  const { canvas, documents } = tar.sample;
  const [entry, ...others] = documents!.entries;
  expect(others).toHaveLength(7);
  const bytes = Buffer.from(canvas.original);
  expect(bytes.toString('latin1', entry!.offset, entry!.offset + 2)).toBe(',{');
  bytes.fill(' ', entry!.offset, entry!.offset + entry!.size);
  expect(await verifyArchive(tar, bytes)).toBe('ok');
  bytes[entry!.offset] = 0x09;
  expect(await verifyArchive(tar, bytes)).toBe('findings');
});

describe('a fault', () => {
  test.each([
    ['an exception without a code', () => Promise.reject(new TypeError('planted')), /TypeError: planted/],
    ['an error that says nonsense', () => Promise.reject(new FormatError('truncated', 'at undefined')), /nonsense/],
    ['more than a second of CPU time', burn, /more than 1 s/],
  ])('is %s', async (_, one, fault) => {
    const guarded = async (): Promise<string> => {
      try {
        return await one();
      } catch (error) {
        if (isRefusal(error)) return error.code;
        throw error;
      }
    };
    expect(await faultOf(guarded, Buffer.alloc(1))).toEqual({ fault: expect.stringMatching(fault) });
  });

  test.each(['', '..', '/etc/passwd', 'a/../b', 'a//b', './a', 'a\0b', 'a/', 'x'.repeat(4097)])(
    'is the path %j',
    (path) => {
      expect(() => checkPath(path)).toThrow();
    },
  );

  test('is none where bytes are refused', async () => {
    expect(await faultOf(async () => refusalOf(() => memory(Buffer.alloc(1)).read(0, 2)), Buffer.alloc(0))).toBe(
      'truncated',
    );
  });

  test('is reported with no more damage than it needs', async () => {
    const canvas = new Canvas(Buffer.alloc(100));
    for (const at of [1, 2, 3, 4]) canvas.write(at, Uint8Array.of(at));
    const one = async (bytes: Buffer): Promise<string> => {
      if (bytes[3] === 3) throw new Error('planted');
      return 'read';
    };
    const { fault } = (await faultOf(one, canvas.bytes)) as { fault: string };
    await reduced(canvas, one, fault);
    expect(canvas.damage.writes).toEqual([{ at: 3, bytes: Uint8Array.of(3) }]);
    canvas.reset();
    expect(canvas.bytes.equals(Buffer.alloc(100))).toBe(true);
  });
});

describe('what a parser is fed with', () => {
  test('is reported without what its fault does not need', async () => {
    const one = async (bytes: Buffer): Promise<string> => {
      if (bytes.includes('fault')) throw new Error('planted');
      return 'read';
    };
    const bytes = Buffer.from(`${'before '.repeat(40)}fault${' behind'.repeat(40)}`);
    const { fault } = (await faultOf(one, bytes)) as { fault: string };
    expect((await shortened(bytes, one, fault)).toString()).toBe('fault');
  });

  test('is chosen by names, and a name that there is not is reported', () => {
    expect(targetsNamed(['tar', 'reader']).map(({ name }) => name)).toEqual(['tar', 'reader']);
    expect(() => targetsNamed(['tar', 'tape'])).toThrow(/no target tape, but there are reader, verify, /);
  });
});

async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'read';
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

async function burn(): Promise<string> {
  const before = process.cpuUsage();
  for (let spent = 0; spent < 1.1e6; ) {
    const { user, system } = process.cpuUsage(before);
    spent = user + system;
  }
  return 'read';
}
