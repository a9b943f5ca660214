import { join } from 'node:path';
import { type Result, work } from './fuzz/crew.ts';
import { executionsOf } from './fuzz/executions.ts';
import { keep } from './fuzz/keep.ts';
import type { Fault } from './fuzz/orders.ts';
import { targets, targetsNamed } from './fuzz/targets/index.ts';
import { argumentsOf, cache, words } from './home.ts';

// Damages what comes from others, and lets every parser of it read that:
//   node scripts/fuzz.ts [--executions 1000000] [--from 0] [--seed 1] [--workers 2] [--only reader,tar]
//   node scripts/fuzz.ts --seed 1 --execution 4711 [--only …]      one execution again, in this process
// An error with a code is the right answer. An exception of another kind, a second of CPU time, 256 MiB of memory, a
// message that says nonsense, and what a target says itself may not be are faults: their inputs are kept in
// .cache/fuzz.

/** Seconds of elapsed time that an execution may take on a busy machine. */
const PATIENCE = 60;
/** How many executions are listed of a fault. */
const SHOWN = 5;

const { values } = argumentsOf('fuzz', {
  options: {
    executions: { type: 'string', default: '1000000' },
    from: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    only: { type: 'string', default: targets.map(({ name }) => name).join(',') },
    execution: { type: 'string' },
  },
});

const folder = join(cache, 'fuzz');

try {
  const names = values.only.split(',');
  targetsNamed(names);
  const seed = whole('seed', values.seed);
  process.exitCode =
    values.execution === undefined
      ? await all(names, seed)
      : await again(names, seed, whole('execution', values.execution));
} catch (error) {
  console.error(`fuzz: ${words(error)}`);
  process.exitCode = 2;
}

async function all(names: readonly string[], seed: number): Promise<number> {
  const [executions, workers] = [whole('executions', values.executions), whole('workers', values.workers)];
  const from = whole('from', values.from);
  const started = performance.now();
  let lastReport = started;
  const onProgress = (done: number, reached: number): void => {
    if (performance.now() - lastReport < 10_000) return;
    lastReport = performance.now();
    const speed = ((done / (lastReport - started)) * 1000).toFixed(0);
    console.error(`fuzz: ${from + done} of ${executions}, ${speed} a second; --from ${reached} continues here`);
  };
  const program = join(import.meta.dirname, 'fuzz/child.ts');
  const plan = { targets: names, seed, folder, from, executions, workers, program, patience: PATIENCE, onProgress };
  const result = await work(plan);
  const done = tellOutcomes(result, names);
  await tellFaults(result.faults, names, seed);
  const seconds = (performance.now() - started) / 1000;
  console.log(
    `${done} executions of seed ${seed} in ${seconds.toFixed(0)} s, ` +
      `${(result.peak / 1024 / 1024).toFixed(0)} MiB at most, ${result.faults.length} faults` +
      (result.full > 0 ? `; ${result.full} times a process was full of what many had left` : ''),
  );
  return result.faults.length > 0 ? 1 : 0;
}

/** Prints how the executions of each target ended, and returns how many there were. */
function tellOutcomes({ outcomes }: Result, names: readonly string[]): number {
  let total = 0;
  for (const name of names) {
    const own = Object.entries(outcomes).filter(([key]) => key.startsWith(`${name} `));
    const count = own.reduce((sum, [, times]) => sum + times, 0);
    const ends = own.sort(([, a], [, b]) => b - a).map(([key, times]) => `${times} ${key.slice(name.length + 1)}`);
    console.log(`${String(count).padStart(9)}  ${name}: ${ends.join(', ')}`);
    total += count;
  }
  return total;
}

/** Prints each fault once, with its first executions. */
async function tellFaults(faults: readonly Fault[], names: readonly string[], seed: number): Promise<void> {
  for (const [why, list] of Map.groupBy(faults, (fault) => fault.why)) {
    console.log(`\n${list.length} times: ${why}`);
    for (const { execution, path } of list.slice(0, SHOWN)) {
      // A process that was ended or hung has kept nothing.
      const kept = path || keep(folder, seed, execution, (await executionsOf(names)).input(seed, execution));
      console.log(`  execution ${execution} of seed ${seed}: ${kept}`);
    }
  }
}

/** Runs one execution in this process. Writes its input first, so that it is there to look at if the process dies. */
async function again(names: readonly string[], seed: number, execution: number): Promise<number> {
  const executions = await executionsOf(names);
  console.log(keep(folder, seed, execution, executions.input(seed, execution)));
  const end = await executions.run(seed, execution);
  console.log('why' in end ? end.why : `${end.target}: ${end.outcome}`);
  return 'why' in end ? 1 : 0;
}

function whole(name: string, value: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0 && value !== '') return number;
  throw new Error(`--${name} has to be a whole number, not ${value}`);
}
