import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { durationsOf, type FileDuration, slowestLines } from './durations.ts';
import { isExhaustive, seed } from './sample.ts';

/** Where counts and durations of the last run of each lane are kept, `<lane>.json`. */
const countsFolder = join(import.meta.dirname, '../../.cache/counts');

/** What a run came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What failed and why, a line each: `file > full name: first line of the error`. */
  readonly failures: readonly string[];
  /** Tests that could not be judged here, each `full name (note)`. */
  readonly skipped: readonly string[];
}

/**
 * Counts results. A suite, a file or the run itself that failed outside of any test counts as one failed test. A test
 * that was skipped without a note is one that the command line left out.
 */
export function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): Counts {
  let passed = 0;
  const failures = unhandled.map((error) => told(`outside of any test${during(error)}`, [error]));
  const skipped: string[] = [];
  for (const module of modules) {
    const file = module.relativeModuleId;
    failures.push(...module.errors().map((error) => told(file, [error])));
    for (const suite of module.children.allSuites()) {
      failures.push(...suite.errors().map((error) => told(`${file} > ${suite.fullName}`, [error])));
    }
    for (const test of module.children.allTests()) {
      const result = test.result();
      const name = `${file} > ${test.fullName}`;
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'failed' || result.state === 'pending') failures.push(told(name, result.errors ?? []));
      else if (result.note) skipped.push(`${name} (${result.note})`);
    }
  }
  return { passed, failed: failures.length, failures, skipped };
}

/** The file whose tests ran when `error` came, which vitest tells of most. */
function during({ VITEST_TEST_PATH: path }: SerializedError): string {
  return typeof path === 'string' ? `, while ${relative(process.cwd(), path)} ran` : '';
}

/** One line on what failed; a test that the run ended before has no error. */
function told(name: string, errors: readonly { readonly message: string }[]): string {
  const [first = 'the run ended before it'] = errors.map(({ message }) => message);
  return `${name}: ${first.trim().split('\n', 1)[0]}`;
}

/** The command that runs a file again, with the samples that this run drew. */
function repeating({ relativeModuleId: file, project }: TestModule): string {
  const task = project.name === 'kernel' ? 'run test:kernel' : /^node/.test(project.name) ? 'run test:node' : 'test';
  const form = process.env['SOLPACK_UNDER_TEST'] ?? 'source';
  const drawn = isExhaustive ? 'SOLPACK_EXHAUSTIVE=1' : `SOLPACK_SEED=${seed}`;
  return `  ${drawn} SOLPACK_UNDER_TEST=${form} npm ${task} -- ${file}`;
}

/**
 * Closes a run: it prints the slowest files, the tests that were not judged here, and the counts as the last line. It
 * keeps counts and durations in a file for each lane.
 */
export default class ClosingReporter implements Reporter {
  #lanes: readonly string[] = [];
  #counts: Counts | undefined;
  #durations: readonly FileDuration[] = [];
  #again: readonly string[] = [];

  onInit(vitest: Vitest): void {
    this.#lanes = vitest.projects.map(({ name }) => name);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    this.#counts = count(modules, unhandled);
    this.#durations = durationsOf(modules);
    this.#again = modules.filter((module) => !module.ok()).map((module) => repeating(module));
    mkdirSync(countsFolder, { recursive: true });
    const lanes = this.#lanes.filter((lane) => modules.some(({ project }) => project.name === lane));
    for (const [index, lane] of lanes.entries()) {
      const own = modules.filter(({ project }) => project.name === lane);
      // An error outside of any test belongs to no lane; it is counted in one of them.
      const counts = count(own, index === 0 ? unhandled : []);
      const kept = { ...counts, files: durationsOf(own) };
      writeFileSync(join(countsFolder, `${lane}.json`), `${JSON.stringify(kept)}\n`);
    }
    // The default reporter, and coverage after it, still print; a listener of the exit is the last to speak.
    process.once('exit', () => this.#close());
  }

  #close(): void {
    if (!this.#counts) return;
    const { passed, failed, skipped } = this.#counts;
    console.log(slowestLines(this.#durations).join('\n'));
    if (this.#again.length > 0) console.log(`to repeat exactly what failed:\n${this.#again.join('\n')}`);
    if (skipped.length > 0) console.log(`not judged here:\n${skipped.map((line) => `  ${line}`).join('\n')}`);
    console.log(`${passed} passed, ${failed} failed`);
  }
}
