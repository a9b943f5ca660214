import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../home.ts';
import { announce, output } from './page.ts';

const cli = join(root, 'cli/bin.js');

/** Where the commands of a demo run. */
export interface Place {
  /** The folder in which they start, without links in its path. */
  readonly folder: string;
  /** Returns the command line that runs a program there; left out: on this machine. */
  readonly enter?: (program: string, args: readonly string[], cwd: string) => [program: string, ...args: string[]];
  /** The environment; left out: that of this process. */
  readonly env?: NodeJS.ProcessEnv;
  /** Ends what is running. */
  readonly signal?: AbortSignal;
}

/** Prints a command line as a user types it, runs it, and shows its output. Single spaces separate the words. */
export async function show(place: Place, command: string): Promise<void> {
  announce(command);
  output(await capture(place, command), place.folder);
}

/** Runs a command line, and returns its stdout. Throws where it fails. */
export async function capture(place: Place, command: string): Promise<string> {
  const child = launch(place, wordsOf(command));
  let text = '';
  child.stdout?.on('data', (chunk) => {
    text += chunk;
  });
  const code = await ended(child);
  if (code !== 0) throw new Error(`"${command}" ended with ${code}`);
  return text;
}

/** A command that runs until it is stopped. */
interface RunningCommand {
  /** The URL that it printed. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Shows a command that serves until `stop`. Resolves once it has printed its URL. */
export async function hold(place: Place, command: string): Promise<RunningCommand> {
  announce(command);
  const child = launch(place, wordsOf(command));
  const finished = ended(child);
  const url = await new Promise<string>((settle, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += chunk;
      output(String(chunk), place.folder);
      const found = /\bhttp:\/\/\S+/.exec(text)?.[0];
      if (found !== undefined) setTimeout(settle, 100, found);
    });
    finished.then((code) => reject(new Error(`"${command}" ended with ${code}`)), reject);
  });
  return {
    url,
    stop: async () => {
      child.kill('SIGINT');
      await finished;
    },
  };
}

/** Starts a program, of which only stderr goes to this terminal. */
export function launch(
  { folder, enter, env, signal }: Place,
  [program = '', ...args]: readonly string[],
  stdin: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const [command, ...words] = enter === undefined ? [program, ...args] : enter(program, args, folder);
  return spawn(command, words, {
    cwd: folder,
    stdio: [stdin, 'pipe', 'inherit'],
    ...(env === undefined ? {} : { env }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Resolves to the exit code of a process, once it has ended. */
export function ended(child: ChildProcess): Promise<number> {
  return new Promise((settle, reject) => {
    child.on('error', reject);
    child.on('close', (code) => settle(code ?? 128));
  });
}

/** Splits a command line. solpack is that of this checkout, and shows its progress on a terminal. */
function wordsOf(command: string): string[] {
  const [program = '', ...args] = command.split(' ');
  if (program !== 'solpack') return [program, ...args];
  return [process.execPath, cli, ...args, ...(process.stderr.isTTY ? [] : ['--quiet'])];
}
