import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { type Executions, executionsOf, type Found, type Target } from '../../scripts/fuzz/executions.ts';
import { readImage, readings } from '../../scripts/fuzz/reader.ts';
import type { Sample } from '../../scripts/fuzz/sample.ts';

// A slice of `npm run fuzz`, of one seed: the same damage each time.

const SEED = 9660;

/** Codes that damage has to bring about, or it does not reach what it is meant for. */
const reached: Readonly<Record<Target, readonly string[]>> = {
  reader: [
    'read',
    'iso9660-byte-order',
    'iso9660-continuation',
    'iso9660-descriptor',
    'iso9660-directory-loop',
    'iso9660-extent',
    'iso9660-limit',
    'iso9660-name',
    'iso9660-overlap',
    'iso9660-record',
    'iso9660-rock-ridge',
    'iso9660-unsupported',
  ],
  verify: ['ok', 'findings', 'archive-invalid', 'iso9660-descriptor', 'tar-header', 'tar-path', 'truncated'],
};

describe.each([
  ['reader', 4000],
  ['verify', 1000],
] as const)('what the fuzzer feeds to %s', (target, count) => {
  let executions: Executions;

  beforeAll(async () => {
    executions = await executionsOf([target]);
  });

  test('ends in a verdict or in an error with a code, and reaches every kind of both', async () => {
    const faults: Found[] = [];
    const seen = new Set<string>();
    for (let execution = 0; execution < count; execution += 1) {
      const outcome = await executions.run(SEED, execution);
      if (typeof outcome === 'string') seen.add(outcome);
      else faults.push(outcome);
    }
    expect(faults.map(({ sample, why }) => `${sample}: ${why}`)).toEqual([]);
    expect([...seen]).toEqual(expect.arrayContaining([...reached[target]]));
  }, 120_000);

  test('is the same for the same seed and number, and leaves the samples as they were', async () => {
    const before = executions.samples.map(({ canvas }) => sha256(canvas.bytes));
    const inputs = (seed: number) =>
      Array.from({ length: 20 }, (_, number) => sha256(executions.input(seed, number).bytes));
    expect(inputs(1)).toEqual(inputs(1));
    expect(inputs(1)).not.toEqual(inputs(2));
    await executions.run(SEED, 1);
    expect(executions.samples.map(({ canvas }) => sha256(canvas.bytes))).toEqual(before);
  });
});

describe('the images that the fuzzer begins with', async () => {
  const { samples } = await executionsOf(['reader']);
  const images = samples.map((sample): [string, Sample] => [sample.name, sample]);

  test.each(images)('%s: is sound, but for what the reader refuses whoever wrote it', async (name, { canvas }) => {
    const outcomes = await Promise.all(readings.map((options) => readImage(canvas.original, options)));
    const absent = 'iso9660-unsupported';
    expect(new Set(outcomes.filter((code) => code !== undefined && code !== absent))).toEqual(new Set());
    if (!name.includes('zisofs')) expect(outcomes.at(-1)).toBeUndefined();
    expect(outcomes[2]).toBeUndefined();
  });

  test('have all their structures known', () => {
    const kinds = new Set(
      samples.flatMap(({ fields }) => Object.keys(fields).filter((key) => fields[key]!.length > 0)),
    );
    expect([...kinds].sort()).toEqual(Object.keys(samples[0]!.fields).sort());
  });
});
