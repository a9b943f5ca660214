import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { killWithUs } from './program-orphans.ts';

/** How to run a program. */
export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until the program gets TERM; five seconds later it gets KILL. */
  readonly timeout: number;
  /** Most bytes of standard output. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Standard input; empty where absent. */
  readonly input?: Uint8Array;
  /**
   * Whether the program may use the terminal to ask the user. It then stays in this process's group, with all its
   * children.
   */
  readonly terminal?: boolean;
  /** Receives standard error line by line. */
  readonly onLine: (line: string) => void;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Undefined where a signal ended it. */
  readonly code: number | undefined;
  readonly signal: string | undefined;
  readonly stdout: Uint8Array;
  readonly timedOut: boolean;
  /** Whether it was ended because it printed more than `limit` bytes. */
  readonly tooMuch: boolean;
  /** The last lines of standard error, at most `LAST`, also where `onLine` no longer got them. */
  readonly last: readonly string[];
}

/** Milliseconds between TERM and KILL. */
const GRACE = 5_000;

/** Most bytes of standard error that are handed on, and of one line of it. */
const errors = { total: 1024 * 1024, line: 4096 } as const;

/** How many of the last lines are kept. */
const LAST = 3;

/**
 * Runs a program without a shell. The program is not trusted to end: unless it may use the terminal, it gets a process
 * group of its own, and when it ends or has to end, every process that is left in the group is killed, also where this
 * process is killed itself. Rejects with the error of the system where it cannot be started, and with the reason of
 * `options.signal` where that is aborted.
 */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: !options.terminal,
    }) as ChildProcessByStdio<Writable | null, Readable, Readable>;
    const kill = (signal: 'SIGTERM' | 'SIGKILL'): void => {
      if (options.terminal) child.kill(signal);
      else killGroup(child.pid, signal);
    };
    const forget = options.terminal || child.pid === undefined ? () => undefined : killWithUs(child.pid);
    // A program that does not read its input reports that itself.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(options.input);
    const out: Buffer[] = [];
    let size = 0;
    let timedOut = false;
    const timers = [
      setTimeout(() => {
        timedOut = true;
        kill('SIGTERM');
        timers.push(setTimeout(() => kill('SIGKILL'), GRACE));
      }, options.timeout),
    ];
    const abort = (): void => kill('SIGKILL');
    options.signal.addEventListener('abort', abort);
    if (options.signal.aborted) abort();
    const release = (): void => {
      for (const timer of timers) clearTimeout(timer);
      options.signal.removeEventListener('abort', abort);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > options.limit) kill('SIGKILL');
      else out.push(chunk);
    });
    const lines = lineReader(options.onLine);
    child.stderr.on('data', lines.push);
    child.on('exit', () => {
      kill('SIGKILL');
      forget();
      // A child that left the group could keep the pipes open for ever.
      timers.push(setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), GRACE));
    });
    child.on('error', (error) => {
      release();
      reject(error);
    });
    child.on('close', (code, signal) => {
      release();
      lines.end();
      if (options.signal.aborted) return reject(options.signal.reason);
      resolve({
        code: code ?? undefined,
        signal: signal ?? undefined,
        stdout: Buffer.concat(out),
        timedOut,
        tooMuch: size > options.limit,
        last: lines.last,
      });
    });
  });
}

function killGroup(pid: number | undefined, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, constants.signals[signal]);
  } catch {
    // No process of the group is left.
  }
}

interface LineReader {
  readonly last: readonly string[];
  push(chunk: Buffer): void;
  end(): void;
}

/** Splits output into lines without control characters, and stops handing them on after a limit. */
function lineReader(onLine: (line: string) => void): LineReader {
  const decoder = new TextDecoder('utf-8');
  const last: string[] = [];
  let rest = '';
  let total = 0;
  const show = (line: string): void => {
    const plain = line
      .slice(0, errors.line)
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
      .trimEnd();
    if (plain === '') return;
    last.push(plain);
    if (last.length > LAST) last.shift();
    if (total > errors.total) return;
    total += Buffer.byteLength(plain) + 1;
    onLine(total > errors.total ? '(more is not shown)' : plain);
  };
  return {
    last,
    push: (chunk) => {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = (parts.pop() ?? '').slice(0, errors.line);
      for (const part of parts) show(part);
    },
    end: () => show(rest),
  };
}
