import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** How a program is run. */
export interface ProgramOptions {
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Milliseconds until TERM is sent; KILL follows five seconds later. */
  readonly timeout: number;
  /** Bytes of standard output that are accepted. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** What it reads on standard input; nothing where this is absent. */
  readonly input?: Uint8Array;
  /** Whether it may ask its user on the terminal; then it stays in this process's group, and so does what it starts. */
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
  /** It printed more than `limit`, and was ended for it. */
  readonly tooMuch: boolean;
  /** What it wrote last to standard error: at most `LAST` lines, also where no more of it was handed on. */
  readonly last: readonly string[];
}

/** Milliseconds between TERM and KILL, where a program does not end in time. */
const GRACE = 5_000;

/** Standard error that is handed on, in bytes, and the longest line of it. */
const errors = { total: 1024 * 1024, line: 4096 } as const;

/** Lines of standard error that are kept for the end. */
const LAST = 3;

/**
 * Runs a program without a shell, and does not trust it to end: unless it may use the terminal, it gets a process group
 * of its own, and when it ends or has to, all that it left running in that group is killed. Rejects with the error of the
 * system where it cannot be started, and with the reason of `options.signal` where that is aborted.
 */
export function runProgram(program: string, args: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  return new Promise((settle, reject) => {
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
    // A program that does not read its input says so itself.
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
      // A descendant that left the group could hold the pipes open for ever.
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
      settle({
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
    // Nothing of the group is left.
  }
}

interface LineReader {
  readonly last: readonly string[];
  push(chunk: Buffer): void;
  end(): void;
}

/** Cuts what is printed into lines without control characters; hands on no more of it where it gets too much. */
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
