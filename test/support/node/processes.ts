import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { insideEnvironment } from '../../../scripts/node/environment.ts';
import { afterName } from '../../../scripts/node/identity.ts';
import type { ClusterNode } from '../../../scripts/node/index.ts';
import { type Running, running } from '../cli.ts';
import type { Outcome, ShellOptions } from '../judges.ts';

/** Starts a program inside a node. Its environment is this process's without what leads out, and `options.env`. */
function enter(node: ClusterNode, program: string, args: readonly string[], options: ShellOptions): ChildProcess {
  const [command, ...words] = node.enter(program, args, options.cwd);
  const env = { ...insideEnvironment(), LC_ALL: 'C.UTF-8', ...options.env };
  const child = spawn(command, words, { env });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  return child;
}

/** Runs a program inside a node to its end. */
export function runInside(
  node: ClusterNode,
  program: string,
  args: readonly string[],
  options: ShellOptions = {},
): Promise<Outcome> {
  return new Promise((settle, reject) => {
    const child = enter(node, program, args, options);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk) => out.push(chunk));
    child.stderr?.on('data', (chunk) => err.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      settle({ code: code ?? 128, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
  });
}

/** Starts a program inside a node that runs until it is stopped, and waits for its first line on stdout. */
export async function startInside(
  node: ClusterNode,
  program: string,
  args: readonly string[],
  options: ShellOptions = {},
): Promise<Running> {
  const child = enter(node, program, args, options);
  return running(child, [program, ...args], (signal) => {
    // nsenter waits for the program and ends as it does, but hands no signal on.
    if (child.exitCode === null && child.signalCode === null) {
      for (const pid of childrenOf(child.pid!)) process.kill(pid, signal);
    }
  });
}

/** A program that runs inside a node, and is looked at and disturbed meanwhile. */
export interface Begun {
  /** Sends it a signal. */
  send(signal: NodeJS.Signals): void;
  /** Ends its standard input. */
  endInput(): void;
  /** How it ended: 128 where a signal ended it. */
  readonly ended: Promise<Outcome>;
}

/** Starts a program inside a node; `onLine` receives each line of its standard error at once. */
export function beginInside(
  node: ClusterNode,
  program: string,
  args: readonly string[],
  onLine: (line: string, begun: Begun) => void,
  options: ShellOptions = {},
): Begun {
  const [command, ...words] = node.enter(program, args, options.cwd);
  const child = spawn(command, words, { env: { ...insideEnvironment(), LC_ALL: 'C.UTF-8', ...options.env } });
  const [out, err]: Buffer[][] = [[], []];
  const begun: Begun = {
    send: (signal) => {
      // nsenter waits for the program and ends as it does, but hands no signal on.
      for (const pid of childrenOf(child.pid!)) process.kill(pid, signal);
    },
    endInput: () => child.stdin.end(),
    ended: new Promise((settle, reject) => {
      child.on('error', reject);
      child.on('close', (code) =>
        settle({ code: code ?? 128, stdout: Buffer.concat(out!).toString(), stderr: Buffer.concat(err!).toString() }),
      );
    }),
  };
  child.stdin.on('error', () => undefined);
  child.stdout.on('data', (chunk) => out!.push(chunk));
  child.stderr.on('data', (chunk) => err!.push(chunk));
  createInterface(child.stderr).on('line', (line) => onLine(line, begun));
  return begun;
}

/** The processes whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return processes().filter((one) => parentOf(one) === pid);
}

/** The numbers of all processes. */
export function processes(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(afterName(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]);
  } catch {
    // It has ended since it was listed.
    return undefined;
  }
}
