import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { work } from './fuzz/crew.ts';
import { executionsOf, type Target } from './fuzz/executions.ts';
import { keep } from './fuzz/keep.ts';
import { cache, words } from './home.ts';

// Damages images and archives, and lets the ISO 9660 reader and `verify` read them:
//   node scripts/fuzz.ts [--executions 1000000] [--seed 1] [--workers 2] [--only reader|verify]
//   node scripts/fuzz.ts --seed 1 --execution 4711 [--only …]      one execution again, in this process
// An error with a code is the right answer. An exception of another kind, a second of CPU time, 256 MiB of memory, an extent
// outside of the file, a path that leads out of a folder and a wrong verdict are faults: their inputs are kept in .cache/fuzz.

const { values } = parseArgs({
  options: {
    executions: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string' },
    execution: { type: 'string' },
  },
});

const folder = join(cache, 'fuzz');

try {
  const targets = targetsOf(values.only);
  const seed = whole('seed', values.seed);
  process.exitCode =
    values.execution === undefined
      ? await all(targets, seed)
      : await again(targets, seed, whole('execution', values.execution));
} catch (error) {
  console.error(`fuzz: ${words(error)}`);
  process.exitCode = 2;
}

async function all(targets: readonly Target[], seed: number): Promise<number> {
  const [executions, workers] = [whole('executions', values.executions), whole('workers', values.workers)];
  const started = performance.now();
  let told = started;
  const onProgress = (done: number): void => {
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    console.error(`fuzz: ${done} of ${executions}, ${((done / (told - started)) * 1000).toFixed(0)} a second`);
  };
  const program = join(import.meta.dirname, 'fuzz/child.ts');
  const result = await work({ targets, seed, folder, executions, workers, program, patience: 10, onProgress });
  for (const [name, count] of Object.entries(result.outcomes).sort(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(9)}  ${name}`);
  }
  for (const { execution, why, path } of result.faults) {
    // A process that ended early or hung has kept nothing.
    const kept = path || keep(folder, seed, execution, (await executionsOf(targets)).input(seed, execution));
    console.log(`\nexecution ${execution} of seed ${seed}: ${why}\n  ${kept}`);
  }
  const seconds = (performance.now() - started) / 1000;
  const done = Object.values(result.outcomes).reduce((sum, count) => sum + count, 0);
  console.log(
    `${done} executions of seed ${seed} in ${seconds.toFixed(0)} s, ` +
      `${(result.peak / 1024 / 1024).toFixed(0)} MiB at most, ${result.faults.length} faults`,
  );
  return result.faults.length > 0 ? 1 : 0;
}

/** Runs one execution in this process, after its input was written: so that what kills the process is there to look at. */
async function again(targets: readonly Target[], seed: number, execution: number): Promise<number> {
  const executions = await executionsOf(targets);
  console.log(keep(folder, seed, execution, executions.input(seed, execution)));
  const outcome = await executions.run(seed, execution);
  console.log(typeof outcome === 'string' ? outcome : outcome.why);
  return typeof outcome === 'string' ? 0 : 1;
}

function targetsOf(only: string | undefined): readonly Target[] {
  if (only === undefined) return ['reader', 'verify'];
  if (only === 'reader' || only === 'verify') return [only];
  throw new Error(`--only is reader or verify, not ${only}`);
}

function whole(name: string, value: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0 && value !== '') return number;
  throw new Error(`--${name} has to be a whole number, not ${value}`);
}
