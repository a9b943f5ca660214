import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Fault, Message, Order } from './orders.ts';

/** The result of all executions. */
export interface Result {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly faults: readonly Fault[];
  /** Resident bytes of the largest process that did its part. */
  readonly peak: number;
  /** How many processes were replaced because many executions together had filled their memory. */
  readonly full: number;
}

/** The work of a crew. */
export interface Plan extends Pick<Order, 'targets' | 'seed' | 'folder'> {
  /** The number of the first execution: those before it were done by an earlier run. */
  readonly from: number;
  /** The number after the last execution. */
  readonly executions: number;
  readonly workers: number;
  /** The program of each process. */
  readonly program: string;
  /** Seconds after which an execution counts as hanging, if it has spent CPU time meanwhile. */
  readonly patience: number;
  /** Gets how many executions are done, and the number of the first that may not be done yet. */
  readonly onProgress: (done: number, reached: number) => void;
}

/** Seconds of CPU time, without which a process was not given a turn: a busy machine is no fault. */
const SPENT = 1.5;

/** V8 gets less memory than the limit, so that uncollected garbage does not count as a fault. */
const nodeOptions = ['--max-old-space-size=96', '--max-semi-space-size=8'];

/** Runs all executions in processes of their own. A process that ends early or hangs is a fault, and is replaced. */
export async function work(plan: Plan): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'solpack-fuzz-'));
  const reached = Array.from({ length: plan.workers }, (_, worker) => plan.from + worker);
  const markers = Array.from({ length: plan.workers }, (_, worker) => join(folder, String(worker)));
  const outcomes: Record<string, number> = {};
  const faults: Fault[] = [];
  let [peak, done, full] = [0, 0, 0];
  const hear = (message: Message): void => {
    if (message.kind === 'found') faults.push(message);
    if (message.kind === 'end') peak = Math.max(peak, message.peak);
    if (message.kind !== 'progress') return;
    for (const [name, count] of Object.entries(message.outcomes)) {
      outcomes[name] = (outcomes[name] ?? 0) + count;
      done += count;
    }
    plan.onProgress(done, Math.min(...markers.map((marker, worker) => at(marker) ?? reached[worker]!)));
  };
  try {
    await Promise.all(
      markers.map(async (marker, worker) => {
        for (let first = plan.from + worker; first < plan.executions; ) {
          const { targets, seed, folder: kept } = plan;
          reached[worker] = first;
          const order = { targets, seed, first, step: plan.workers, end: plan.executions, marker, folder: kept };
          const ended = await one(plan, order, hear);
          if (ended === undefined) break;
          if ('next' in ended) {
            full += 1;
            first = ended.next;
            continue;
          }
          const { last, why } = ended;
          if (!faults.some(({ execution }) => execution === last)) {
            faults.push({ execution: last, sample: '', why, path: '' });
          }
          first = last + plan.workers;
        }
      }),
    );
    return { outcomes, faults, peak, full };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs one process. Returns undefined where it completed its order, the next execution where its memory was full,
 * otherwise the execution that it reached and how it ended.
 */
async function one(
  { program, patience }: Plan,
  order: Order,
  hear: (message: Message) => void,
): Promise<{ next: number } | { last: number; why: string } | undefined> {
  // As long as there is no marker, the process starts: that may take a while.
  rmSync(order.marker, { force: true });
  const child = fork(program, [JSON.stringify(order)], { execArgv: nodeOptions, silent: true });
  let tail = '';
  child.stderr?.on('data', (chunk) => {
    tail = `${tail}${chunk}`.slice(-2000);
  });
  let [complete, next] = [false, undefined as number | undefined];
  child.on('message', (message: Message) => {
    if (message.kind === 'end') [complete, next] = [true, message.next];
    hear(message);
  });
  const guard = watch(child, order.marker, patience);
  const how = await new Promise<string>((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => settle(`its process ended with ${signal ?? code}: ${tail}`));
  });
  const hung = guard();
  if (complete) return next === undefined ? undefined : { next };
  const last = at(order.marker);
  if (last === undefined) throw new Error(`a process of the fuzzer cannot start: ${how}`);
  return { last, why: hung ? `it has not ended after ${patience} s` : how };
}

/**
 * Kills `child` when it takes too long for one execution. Returns a function that ends this, and says whether it
 * happened.
 */
function watch(child: ChildProcess, marker: string, patience: number): () => boolean {
  let [seen, since, hung] = [at(marker), performance.now(), false];
  let spent = cpuSeconds(child);
  const timer = setInterval(() => {
    const now = at(marker);
    if (now !== seen || now === undefined) [seen, since, spent] = [now, performance.now(), cpuSeconds(child)];
    const waited = (performance.now() - since) / 1000;
    if (waited <= patience || (waited <= patience * 60 && cpuSeconds(child) - spent < SPENT)) return;
    hung = true;
    child.kill('SIGKILL');
  }, 200);
  return () => {
    clearInterval(timer);
    return hung;
  };
}

/** The CPU time of a process so far; infinite once it is gone, and where the system does not tell. */
function cpuSeconds({ pid }: ChildProcess): number {
  try {
    // Fields 14 and 15 of proc_pid_stat(5) are hundredths of a second. The second one is a name in parentheses.
    const [, after = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ');
    const fields = after.split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function at(marker: string): number | undefined {
  try {
    const text = readFileSync(marker, 'latin1').trim();
    return text === '' ? undefined : Number(text);
  } catch {
    return undefined;
  }
}
