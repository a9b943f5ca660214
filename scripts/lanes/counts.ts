import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache } from '../home.ts';

/** What a lane came to. */
export interface LaneCounts {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, a line each. */
  readonly failures: readonly string[];
}

const folder = join(cache, 'counts');

/** Forgets what earlier runs of the lanes came to. */
export function forgetCounts(): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}

/** Keeps what a lane came to, in `.cache/counts/<lane>.json`. */
export function keepCounts(lane: string, counts: LaneCounts): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${lane}.json`), `${JSON.stringify(counts)}\n`);
}

/**
 * Returns what the lanes came to that one run had, which ended with `status`. A run that ended badly, or that counted
 * nothing, failed at least once.
 */
export function readCounts(name: string, lanes: readonly string[], status: number | null): LaneCounts {
  const kept = lanes.map((lane): LaneCounts => {
    try {
      return JSON.parse(readFileSync(join(folder, `${lane}.json`), 'utf8'));
    } catch {
      return { passed: 0, failed: 0, failures: [] };
    }
  });
  const counts = sumOf(kept);
  if (counts.failed > 0 || (status === 0 && counts.passed > 0)) return counts;
  return { ...counts, failed: 1, failures: [`${name}: ended with ${status} and counted no failure`] };
}

/** Adds counts up. */
export function sumOf(counts: readonly LaneCounts[]): LaneCounts {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    failures: counts.flatMap(({ failures }) => failures),
  };
}

/** Prints what failed, and "N passed, N failed" as the last line; returns the exit status. */
export function close({ passed, failed, failures }: LaneCounts): number {
  if (failures.length > 0) console.log(`failed:\n${failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}
