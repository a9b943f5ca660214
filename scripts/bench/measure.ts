import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { words } from '../home.ts';

/** One program to run. */
export type Command = readonly [program: string, ...args: string[]];

/** What running programs took. Memory and written bytes are known on Linux only. */
export interface Measure {
  /** From the start of the first program to the end of the last, in seconds. */
  readonly seconds: number;
  /** The largest resident set that any of the programs had, in bytes. */
  readonly memory: number | undefined;
  /** Bytes handed to the disk. */
  readonly written: number | undefined;
}

/** Runs programs one after another; throws with what it printed where one fails. */
export async function measure(commands: readonly Command[]): Promise<Measure> {
  const samples: Sample[] = [];
  const start = performance.now();
  for (const command of commands) samples.push(await runOne(command));
  const seconds = (performance.now() - start) / 1000;
  const known = samples.filter(({ memory }) => memory > 0);
  return {
    seconds,
    memory: known.length > 0 ? Math.max(...known.map(({ memory }) => memory)) : undefined,
    written: known.length > 0 ? known.reduce((sum, { written }) => sum + written, 0) : undefined,
  };
}

interface Sample {
  readonly memory: number;
  readonly written: number;
}

function runOne([program, ...args]: Command): Promise<Sample> {
  return new Promise((settle, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let last: Sample = { memory: 0, written: 0 };
    const look = (): void => {
      if (child.pid !== undefined) last = sample(child.pid) ?? last;
    };
    // Both numbers only grow, so the last look before the end is at most this much short.
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

/** Peak memory and written bytes of a process so far, by proc(5); undefined where it is gone or there is no /proc. */
function sample(id: number): Sample | undefined {
  try {
    const memory = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1];
    const written = /^write_bytes: (\d+)$/m.exec(readFileSync(`/proc/${id}/io`, 'utf8'))?.[1];
    return memory && written ? { memory: Number(memory) * 1024, written: Number(written) } : undefined;
  } catch {
    return undefined;
  }
}
