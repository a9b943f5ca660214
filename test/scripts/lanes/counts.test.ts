import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cache } from '../../../scripts/home.ts';
import { keepCounts, readCounts, sumOf } from '../../../scripts/lanes/counts.ts';

const lanes = [`one-${process.pid}`, `two-${process.pid}`] as const;

afterAll(() => {
  for (const lane of lanes) rmSync(join(cache, 'counts', `${lane}.json`), { force: true });
});

describe('what a run came to', () => {
  test('is that of its lanes together', () => {
    keepCounts(lanes[0], { passed: 2, failed: 0, failures: [] });
    keepCounts(lanes[1], { passed: 1, failed: 1, failures: ['x'] });
    expect(readCounts('both', lanes, 1)).toEqual({ passed: 3, failed: 1, failures: ['x'] });
    expect(sumOf([])).toEqual({ passed: 0, failed: 0, failures: [] });
  });

  test('is a failure where it ended badly and counted none, and where it counted nothing', () => {
    keepCounts(lanes[0], { passed: 2, failed: 0, failures: [] });
    const killed = ['tests: ended with null and counted no failure'];
    expect(readCounts('tests', [lanes[0]], null)).toEqual({ passed: 2, failed: 1, failures: killed });
    const nothing = ['tests: ended with 0 and counted no failure'];
    expect(readCounts('tests', ['never-run'], 0)).toEqual({ passed: 0, failed: 1, failures: nothing });
  });
});
