import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { insideEnvironment } from '../node/environment.ts';
import type { Paths } from '../node/state.ts';

/** A program of a control plane, which runs until it is ended or the process that started it is gone. */
export interface Program {
  /** Its process id, which is its keeper's. */
  readonly id: number;
  hasEnded(): boolean;
  /** The end of its log. */
  tail(): string;
  /** Kills it, and returns when it is gone. */
  end(): Promise<void>;
}

/** Runs "$@" until it ends, or standard input does, which it does with the process at the other end. */
const keeper = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- & pid=$!',
  '(cat <&3 >/dev/null; kill -KILL "$pid") 2>/dev/null & wait "$pid"',
].join('\n');

/** Starts a program, which logs into a file of its name. */
export function startProgram(name: string, path: string, args: readonly string[], { logs, state }: Paths): Program {
  const file = join(logs, `${name}.log`);
  const log = openSync(file, 'a');
  const env = { ...insideEnvironment(), ETCD_UNSUPPORTED_ARCH: process.arch, HOME: state };
  const child = spawn('/bin/sh', ['-c', keeper, 'sh', path, ...args], { cwd: state, env, stdio: ['pipe', log, log] });
  closeSync(log);
  child.stdin?.on('error', () => undefined);
  const ended = new Promise<void>((settle) => child.once('close', () => settle()).once('error', () => settle()));
  return {
    id: child.pid ?? 0,
    hasEnded: () => isOver(child),
    tail: () => readFileSync(file, 'utf8').slice(-2000),
    end: async () => {
      child.stdin?.end();
      await ended;
    },
  };
}

/**
 * `count` ports of 127.0.0.1 that nobody listens at, below those that the system gives to whoever asks for any (RFC
 * 6335 has these as registered ports), so that nobody gets one of them meanwhile.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  while (found.size < count) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isFree(port)) found.add(port);
  }
  return [...found];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)));
  });
}

function isOver({ exitCode, signalCode, pid }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null;
}
