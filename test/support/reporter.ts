import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Where the counts of the last run of each lane are kept, `<lane>.json`, for whoever adds them up. */
const countsFolder = join(import.meta.dirname, '../../.cache/counts');

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
  #lanes: readonly string[] = [];
  #counts: Counts | undefined;

  onInit(vitest: Vitest): void {
    this.#lanes = vitest.projects.map(({ name }) => name);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#counts = count(modules, unhandled);
    mkdirSync(countsFolder, { recursive: true });
    const lanes = this.#lanes.filter((lane) => modules.some(({ project }) => project.name === lane));
    for (const [index, lane] of lanes.entries()) {
      const own = modules.filter(({ project }) => project.name === lane);
      // An error outside of any test belongs to no lane; it is counted in one of them.
      const counts = count(own, index === 0 ? unhandled : []);
      writeFileSync(join(countsFolder, `${lane}.json`), `${JSON.stringify(counts)}\n`);
    }
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
