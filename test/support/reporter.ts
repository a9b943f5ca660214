import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Where the counts of the last run are kept for whoever adds them up. */
const countsFile = join(import.meta.dirname, '../../.cache/counts/test.json');

/** What a run came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** Tests that could not be judged here, each `full name (note)`. */
  readonly skipped: readonly string[];
}

/**
 * Counts results. A suite, a file or the run itself that failed outside of any test counts as one failed test. A test
 * that was skipped without a note is one that the command line left out.
 */
export function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  let passed = 0;
  let failed = unhandled.length;
  const skipped: string[] = [];
  for (const module of modules) {
    failed += module.errors().length;
    for (const suite of module.children.allSuites()) failed += suite.errors().length;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed' || result.state === 'pending') failed += 1;
      else if (result.note) skipped.push(`${module.relativeModuleId} > ${test.fullName} (${result.note})`);
    }
  }
  return { passed, failed, skipped };
}

/** Closes a run: the tests that were not judged here, and the counts as the last line and in a file. */
export default class ClosingReporter implements Reporter {
  #counts: Counts | undefined;

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#counts = count(modules, unhandled);
    mkdirSync(dirname(countsFile), { recursive: true });
    writeFileSync(countsFile, `${JSON.stringify(this.#counts)}\n`);
    // The default reporter, and coverage after it, still print; a listener of the exit is the last to speak.
    process.once('exit', () => this.#close());
  }

  #close(): void {
    if (!this.#counts) return;
    const { passed, failed, skipped } = this.#counts;
    if (skipped.length > 0) console.log(`not judged here:\n${skipped.map((line) => `  ${line}`).join('\n')}`);
    console.log(`${passed} passed, ${failed} failed`);
  }
}
