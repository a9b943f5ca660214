import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ProgramEnd, type ProgramOptions, runProgram } from '../../../../lib/kernel/machine/programs.ts';
import { judged, run, scratch } from '../../../support/judges.ts';
import { eventually } from '../../../support/until.ts';

const folder = scratch('programs');

/** Runs a script, and returns how it ended and what it printed on both streams. */
async function bash(
  script: string,
  options: Partial<ProgramOptions> = {},
): Promise<Omit<ProgramEnd, 'stdout'> & { stdout: string; lines: string[] }> {
  const lines: string[] = [];
  const ended = await runProgram('/bin/bash', ['--norc', '-c', script], {
    cwd: folder,
    env: { PATH: '/usr/bin:/bin' },
    timeout: 20_000,
    limit: 1024 * 1024,
    signal: new AbortController().signal,
    onLine: (line) => lines.push(line),
    ...options,
  });
  return { ...ended, stdout: Buffer.from(ended.stdout).toString(), lines };
}

describe('a program', () => {
  judged('runs without a shell, in its own environment and folder, and its end is reported', ['bash'], async () => {
    const ended = await bash('echo "$A-$HOME"; pwd; echo one >&2; printf two >&2; exit 3', { env: { A: '1' } });
    expect(ended).toEqual({
      code: 3,
      signal: undefined,
      stdout: `1-\n${folder}\n`,
      lines: ['one', 'two'],
      timedOut: false,
      tooMuch: false,
      last: ['one', 'two'],
    });
    expect(await bash('kill -KILL $$')).toMatchObject({ code: undefined, signal: 'SIGKILL' });
    expect((await bash('cat')).stdout).toBe('');
  });

  judged('is ended where it takes too long, prints too much or is no longer wanted', ['bash'], async () => {
    expect(await bash('exec sleep 60', { timeout: 50 })).toMatchObject({ signal: 'SIGTERM', timedOut: true });
    const endless = await bash('exec yes', { limit: 1000 });
    expect(endless.tooMuch).toBe(true);
    expect(endless.stdout.length).toBeLessThanOrEqual(1000);
    const control = new AbortController();
    const unwanted = bash('exec sleep 60', { signal: control.signal });
    control.abort(new Error('told to stop'));
    await expect(unwanted).rejects.toThrow('told to stop');
  });

  judged('that does not end when it is asked to is killed, with all that it started', ['bash'], async () => {
    const deaf = await bash('trap "" TERM; echo here; sleep 1000 & while :; do sleep 1000; done', { timeout: 300 });
    expect(deaf).toMatchObject({ timedOut: true, signal: 'SIGKILL', code: undefined, stdout: 'here\n' });
  });

  judged('is heard up to 1 MiB on standard error, and its last words always', ['bash'], async () => {
    const noisy = await bash('yes | head -c 3000000 >&2; printf "one\ntwo\nthree\nfour" >&2; exit 1');
    expect(noisy.lines.map((line) => `${line}\n`).join('').length).toBeLessThanOrEqual(2 ** 20 + 100);
    expect(noisy.lines.length).toBeGreaterThan(500_000);
    expect(noisy.lines.at(-1)).toBe('(more is not shown)');
    expect(noisy.last).toEqual(['two', 'three', 'four']);
    const long = await bash('head -c 100000 /dev/zero | tr "\\0" x >&2; echo >&2; echo end >&2');
    expect(long.lines.map((line) => line.length)).toEqual([4096, 3]);
  });

  judged('takes what it started with it', ['bash'], async () => {
    const ended = await bash('sleep 30 & exec sleep 30', { timeout: 50 });
    expect(ended).toMatchObject({ timedOut: true, signal: 'SIGTERM' });
    expect(await bash('sleep 30 & exit 0')).toMatchObject({ code: 0 });
  });

  test('that cannot be run is reported with the reason of the system', async () => {
    const options = {
      cwd: folder,
      env: {},
      timeout: 1000,
      limit: 1,
      signal: new AbortController().signal,
      onLine: () => undefined,
    };
    await expect(runProgram(`${folder}/absent`, [], options)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

test('is killed with all that it has started where the process is killed that runs it', async () => {
  const marker = `${process.pid}${Date.now()}`;
  const script = `
    import { runProgram } from ${JSON.stringify(join(import.meta.dirname, '../../../../lib/kernel/machine/programs.ts'))};
    const options = { cwd: '/', env: process.env, timeout: 1e6, limit: 10, signal: new AbortController().signal };
    const onLine = () => console.log('runs');
    await runProgram('/bin/sh', ['-c', 'sleep 1000${marker} & echo up >&2; sleep 1000${marker}'], { ...options, onLine });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((settle) => child.stdout.once('data', settle));
  const left = async (): Promise<string> => (await run('pgrep', ['-f', `sleep 1000${marker}`])).stdout;
  await eventually(async () => (await left()).trim().split('\n').length).toBeGreaterThan(1);
  child.kill('SIGKILL');
  await eventually(left).toBe('');
});
