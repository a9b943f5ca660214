import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { words } from '../../home.ts';
import { insideEnvironment } from '../environment.ts';
import type { Paths } from '../state.ts';
import type { Command } from './commands.ts';

/** How many lines of a log are shown where its program failed. */
const shownLines = 12;

/**
 * Starts programs that outlive this process, each with its own log. `failure` rejects as soon as one of them has ended,
 * with the end of its log.
 */
export class Launcher {
  readonly failure: Promise<never>;
  readonly #paths: Paths;
  readonly #env: Record<string, string>;
  #fail!: (error: Error) => void;

  constructor(paths: Paths) {
    this.#paths = paths;
    // etcd 3.4 runs on other machines than amd64 only with this.
    const unsupported = process.arch === 'x64' ? {} : { ETCD_UNSUPPORTED_ARCH: process.arch };
    this.#env = { ...insideEnvironment(), ...unsupported, HOME: paths.state, TMPDIR: join(paths.data, 'tmp') };
    this.failure = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failure.catch(() => undefined);
  }

  /** Starts a program. */
  start({ name, program, args }: Command): void {
    const log = openSync(join(this.#paths.logs, `${name}.log`), 'a');
    const child = spawn(program, args, {
      cwd: this.#paths.state,
      env: this.#env,
      detached: true,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    child.on('error', (error) => this.#fail(new Error(`${name} cannot be run: ${words(error)}`)));
    child.on('exit', (code, signal) => {
      this.#fail(new Error(`${name} ended with ${code ?? signal} while the node started${this.tail(name)}`));
    });
    child.unref();
  }

  /** Returns the end of a program's log, indented, after a colon. */
  tail(name: string): string {
    const lines = readFileSync(join(this.#paths.logs, `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(-shownLines);
    return `; its log ends with:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}
