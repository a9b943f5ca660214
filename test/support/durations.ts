import type { TestModule } from 'vitest/node';

/** What a test file took. All durations are wall time in milliseconds. */
export interface FileDuration {
  readonly file: string;
  /** From the import of the file to the end of its last hook. */
  readonly duration: number;
  /** How many programs the file started; absent if none. */
  readonly programs?: number;
  /** Its tests that took more than a second, the slowest first. */
  readonly slowTests?: readonly { readonly name: string; readonly duration: number }[];
}

const SLOW_TEST = 1000;
const SHOWN = 20;

/** Returns what each file took, the slowest first. */
export function durationsOf(modules: readonly TestModule[]): FileDuration[] {
  return modules.map(durationOf).sort((a, b) => b.duration - a.duration);
}

function durationOf(module: TestModule): FileDuration {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  const { programs } = module.meta();
  const slowTests = [...module.children.allTests()]
    .map((test) => ({ name: test.fullName, duration: Math.round(test.diagnostic()?.duration ?? 0) }))
    .filter((test) => test.duration > SLOW_TEST)
    .sort((a, b) => b.duration - a.duration);
  return {
    file: module.relativeModuleId,
    duration: Math.round(collectDuration + setupDuration + duration),
    ...(programs === undefined ? {} : { programs }),
    ...(slowTests.length === 0 ? {} : { slowTests }),
  };
}

/** Returns lines for people about the slowest of `files`, which are sorted: seconds, programs, file. */
export function slowestLines(files: readonly FileDuration[], shown: number = SHOWN): string[] {
  const lines = files.slice(0, shown).map(({ file, duration, programs = 0 }) => {
    const started = programs === 0 ? '' : ` (${programs} program${programs === 1 ? '' : 's'})`;
    return `  ${seconds(duration).padStart(7)} s  ${file}${started}`;
  });
  const total = files.reduce((sum, { duration }) => sum + duration, 0);
  return [`slowest files, of ${files.length} that took ${seconds(total)} s together:`, ...lines];
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
