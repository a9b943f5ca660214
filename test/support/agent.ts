import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { toolFolder } from './judges.ts';
import { solpackWords } from './under-test.ts';

/** An agent that runs until it is stopped. */
export interface RunningAgent {
  readonly pid: number;
  /** What it has printed on stderr so far. */
  said(): string;
  /** Sends a signal, waits for the end and returns the exit code; 128 for one that a signal ended. */
  stop(signal?: NodeJS.Signals): Promise<number>;
}

/** Starts solpack, which prints nothing on stdout. */
export function agentRunner(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningAgent {
  const [program, ...words] = solpackWords;
  const path = `${toolFolder}${delimiter}${process.env['PATH']}`;
  const child = spawn(program, [...words, ...args], { env: { ...process.env, PATH: path, ...env } });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = new Promise<number>((settle) => child.on('close', (code) => settle(code ?? 128)));
  return {
    pid: child.pid ?? 0,
    said: () => said,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
