import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { words } from '../home.ts';

/** One program to run. */
export type Command = readonly [program: string, ...args: string[]];

/** What running programs took. Everything but the time is known on Linux only, as of up to 20 ms before the end. */
export interface Measure {
  /** From the start of the first program to the end of the last, in seconds. */
  readonly seconds: number;
  /** Seconds of processors, of all programs together. */
  readonly processor: number;
  /** The largest resident set that any of the programs had, in bytes. */
  readonly memory: number;
  /** Bytes handed to the disk. */
  readonly written: number;
  /** How often the server was asked, where it counts that. */
  readonly requests?: number;
}

/** Steps that run one after another; the programs of a step run at the same time. */
export type Steps = readonly (readonly Command[])[];

/**
 * Runs steps. Throws with the output of a program that fails. For a long-running process `server`, counts what it used
 * meanwhile, and only its memory.
 */
export async function measure(steps: Steps, server?: number): Promise<Measure> {
  const before = server === undefined ? undefined : sample(server);
  const samples: Sample[] = [];
  const start = performance.now();
  for (const step of steps) samples.push(...(await Promise.all(step.map(runOne))));
  const seconds = (performance.now() - start) / 1000;
  const after = server === undefined ? undefined : sample(server);
  if (before && after) {
    const processor = after.processor - before.processor;
    samples.push({ memory: after.memory, written: after.written - before.written, processor });
  }
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  return {
    seconds,
    processor: sum(samples.map(({ processor }) => processor)),
    memory: after?.memory ?? Math.max(...samples.map(({ memory }) => memory)),
    written: sum(samples.map(({ written }) => written)),
  };
}

/** What a process has used so far: memory at its peak, bytes that it wrote, and seconds of processors. */
export interface Sample {
  readonly memory: number;
  readonly written: number;
  readonly processor: number;
}

function runOne([program, ...args]: Command): Promise<Sample> {
  return new Promise((settle, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let last: Sample = { memory: 0, written: 0, processor: 0 };
    const look = (): void => {
      if (child.pid !== undefined) last = sample(child.pid) ?? last;
    };
    // The numbers only grow, so the last sample misses at most this many milliseconds.
    const timer = setInterval(look, 20);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors = `${errors}${chunk}`.slice(-4000);
    });
    child.on('error', (error) => {
      clearInterval(timer);
      reject(new Error(`${program} cannot be run: ${words(error)}`, { cause: error }));
    });
    child.on('close', (code) => {
      clearInterval(timer);
      if (code === 0) settle(last);
      else reject(new Error(`${program} ${args.join(' ')} ended with ${code}\n${errors.trim()}`));
    });
  });
}

/** Returns what a process has used so far, by proc(5); undefined where it has ended or there is no /proc. */
export function sample(id: number): Sample | undefined {
  try {
    const memory = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${id}/io`, 'utf8'))?.[1];
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // Fields 14 and 15, in hundredths of a second. The name before the fields may contain anything.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    if (!memory || !written) return undefined;
    return { memory: Number(memory) * 1024, written: Number(written), processor: ((user ?? 0) + (system ?? 0)) / 100 };
  } catch {
    return undefined;
  }
}
