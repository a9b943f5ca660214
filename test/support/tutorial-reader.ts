import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { type Running, running, succeeds } from './cli.ts';
import { type Outcome, run, toolFolder } from './judges.ts';
import type { Ran, Reader } from './tutorial.ts';
import { solpackQuoted } from './under-test.ts';

const root = join(import.meta.dirname, '../..');

/** A reader of the tutorial on this machine, and what tells what a command printed to whoever follows it elsewhere. */
export async function readerHere(folder: string): Promise<Reader & AsyncDisposable> {
  const bin = binIn(folder);
  const registry = join(folder, 'guestbook-1.1.0.iso');
  cpSync(join(root, 'fixtures/guestbook/1.1.0'), join(folder, 'guestbook'), { recursive: true });
  await succeeds(['pack', 'guestbook', '-o', registry], { cwd: folder });
  const address = `127.0.0.1:${await freePort()}`;
  const held: Running[] = [];
  const environment = (env: Readonly<Record<string, string>>): Record<string, string> => ({
    ...env,
    PATH: `${bin}${delimiter}${toolFolder}${delimiter}${process.env['PATH']}`,
  });
  return {
    folder,
    words: new Map([
      ['~/solpack/.cache/demo/guestbook-1.1.0.iso &', `${registry} --listen ${address} &`],
      ['~/solpack', root],
      ['127.0.0.1:5000', address],
    ]),
    run: async (command, cwd, env) =>
      ranAs(await run('bash', ['-o', 'pipefail', '-c', command], { cwd, env: environment(env) })),
    start: async (command, cwd, env) => {
      const child = spawn('bash', ['-c', `exec ${command}`], { cwd, env: { ...process.env, ...environment(env) } });
      const started = await running(child, [command], (signal) => child.kill(signal));
      held.push(started);
      return { code: 0, lines: [started.first] };
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of held) await one.stop();
    },
  };
}

/** A folder with a program named solpack, which runs these sources. */
export function binIn(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const start = `#!/bin/sh\nexec ${solpackQuoted} "$@"\n`;
  writeFileSync(join(bin, 'solpack'), start, { mode: 0o755 });
  return bin;
}

/** What is told of an object that takes its time, on a busy machine alone. */
const isWaiting = /^note: \S+ \S+: \d+ of \d+ /;

/** What a person sees of a command who leaves progress out: notes, what it printed, errors. */
export function ranAs({ code, stdout, stderr }: Outcome): Ran {
  const told = stderr.split('\n');
  const notes = told.filter((line) => line.startsWith('note: ') && !isWaiting.test(line));
  const errors = told.filter((line) => line.startsWith('solpack: '));
  return { code, lines: [...notes, ...linesOf(stdout), ...errors] };
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
