import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Outcome, toolFolder } from '../judges.ts';

const bin = join(import.meta.dirname, '../../../cli/bin.js');
const preload = join(import.meta.dirname, 'kill.ts');

/** When a program is killed: at a moment that `kill.ts` knows, such as `step 3`, or after so many milliseconds. */
export type Moment = string | number;

/** Runs solpack, which is killed at a moment, if it is not done before; the code is 137 then. */
export function killedAt(moment: Moment, args: readonly string[], cwd: string): Promise<Outcome> {
  return watched(args, cwd, typeof moment === 'string' ? { SOLPACK_TEST_KILL: moment } : {}, async (kill) => {
    if (typeof moment !== 'number') return;
    await sleep(moment);
    kill();
  });
}

/** Runs solpack to its end, and returns the moments that it can be killed at, and how many milliseconds it took. */
export async function momentsOf(
  args: readonly string[],
  cwd: string,
): Promise<{ readonly moments: readonly string[]; readonly duration: number }> {
  const file = join(cwd, 'moments');
  rmSync(file, { force: true });
  const begun = performance.now();
  const { code, stderr } = await watched(args, cwd, { SOLPACK_TEST_MOMENTS: file }, async () => undefined);
  if (code !== 0) throw new Error(`solpack ${args.join(' ')} ended with ${code}:\n${stderr}`);
  const duration = performance.now() - begun;
  return { moments: readFileSync(file, 'utf8').trimEnd().split('\n'), duration };
}

function watched(
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>>,
  meanwhile: (kill: () => void) => Promise<void>,
): Promise<Outcome> {
  const env = { ...process.env, PATH: `${toolFolder}:${process.env['PATH']}`, ...more };
  const words = ['--disable-warning=ExperimentalWarning', '--import', preload, bin, ...args, '--progress', 'json'];
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.once('error', reject);
    child.once('close', (code) => settle({ code: code ?? 137, ...said }));
    meanwhile(() => child.kill('SIGKILL')).catch(reject);
  });
}
