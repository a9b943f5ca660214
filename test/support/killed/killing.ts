import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, toolFolder } from '../judges.ts';
import { solpackWith } from '../under-test.ts';

const preload = join(import.meta.dirname, 'kill.ts');

/** When a program is killed: at a moment that `kill.ts` knows, such as `step 3`, or after so many milliseconds. */
export type Moment = string | number;

/** A solpack that was started. */
export interface Beginning {
  kill(): void;
  /** Resolves once it halts, as SOLPACK_TEST_HALT tells it to; rejects where it ends before. */
  halts(): Promise<void>;
  goOn(): void;
  /** Resolves once it has said something that matches on stderr; rejects where it ends before. */
  says(words: RegExp): Promise<void>;
  /** How it ended; the code is 137 where it was killed. */
  readonly ended: Promise<Outcome>;
}

/** Runs solpack, which is killed at a moment, if it is not done before. */
export async function killedAt(moment: Moment, args: readonly string[], cwd: string): Promise<Outcome> {
  const env = typeof moment === 'string' ? { SOLPACK_TEST_KILL: moment } : {};
  const { kill, ended } = beginning([...args, '--progress', 'json'], cwd, env);
  if (typeof moment === 'number') {
    // Clock: it is killed at an instant that chance chose.
    await Promise.race([sleep(moment), ended]);
    kill();
  }
  return ended;
}

/** Runs solpack to its end, and returns the moments that it can be killed at, and how many milliseconds it took. */
export async function momentsOf(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly moments: readonly string[]; readonly duration: number }> {
  const file = join(cwd, 'moments');
  rmSync(file, { force: true });
  // Clock: it tells from which instants one is chosen.
  const begun = performance.now();
  const { code, stderr } = await beginning([...args, '--progress', 'json'], cwd, { SOLPACK_TEST_MOMENTS: file }).ended;
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  // Clock: it tells from which instants one is chosen.
  const duration = performance.now() - begun;
  return { moments: readFileSync(file, 'utf8').trimEnd().split('\n'), duration };
}

/**
 * Starts solpack with more in its environment; `around` comes before the program, such as what gives it a namespace of
 * its own.
 */
export function beginning(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
  around: readonly string[] = [],
): Beginning {
  const env = { ...process.env, PATH: `${toolFolder}:${process.env['PATH']}`, ...more };
  const [program = '', ...words] = [...around, ...solpackWith('--import', preload), ...args];
  const child = spawn(program, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const ended = new Promise<Outcome>((settle, reject) => {
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
        for (const listener of listeners) listener();
      });
    }
    child.once('error', reject);
    child.once('close', (code) => settle({ code: code ?? 137, ...said }));
  });
  const says = (wanted: RegExp): Promise<void> =>
    new Promise((settle, reject) => {
      const look = (): void => {
        if (wanted.test(said.stderr)) settle();
      };
      listeners.add(look);
      look();
      ended.then(() => reject(new Error(`it has not said ${wanted}:\n${said.stderr}`)), reject);
    });
  const halts = async (): Promise<void> => {
    const state = (): string => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.slice(0, 1);
    // Clock: between two looks.
    while (state() !== 'T') await sleep(20);
  };
  return { kill: () => void child.kill('SIGKILL'), goOn: () => void child.kill('SIGCONT'), halts, says, ended };
}
