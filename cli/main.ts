import { readFileSync } from 'node:fs';
import { parse } from 'node:path';
import { isSea } from 'node:sea';
import { isatty } from 'node:tty';
import { codeOf, reasonOf, sizeWords, unwritable } from '../lib/command.ts';
import { exits, SolpackError } from '../lib/index.ts';
import { ownWords } from './habits.ts';
import { interruptsOf } from './interrupts.ts';
import { type Interrupts, type Io, PipeClosed, plain } from './io.ts';
import { createRunLog } from './run-log.ts';
import { sinkOf } from './sink.ts';

/** Runs the command line of a process to its end. */
export async function start(self: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const { interrupt, ...interrupts } = interruptsOf(stop);
  const broken = (error: Error, sent: boolean): void =>
    controller.abort(codeOf(error) === 'EPIPE' ? pipeClosed(sent) : unwritable('output', error));
  const cwd = folderOf(self);
  if (cwd === undefined) return;
  self.on('SIGINT', interrupt);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) self.on(signal, stop);
  const io: Io = {
    argv: await wordsOf(self, cwd),
    env: self.env,
    cwd,
    ...(isSea() ? { executable: self.execPath } : { script: self.argv[1]! }),
    stdout: sinkOf(self.stdout, self.env, broken),
    stderr: sinkOf(self.stderr, self.env, broken),
    signal: controller.signal,
    log: createRunLog((message) => self.stderr.write(`note: ${plain(message)}\n`)),
    ...askOf(self, controller.signal, stop, interrupts),
    input: (limit) => inputOf(self, limit),
  };
  self.exitCode = await main(io);
  io.log.end(self.exitCode);
  if (controller.signal.aborted && self.stdout.writableLength > 0) {
    // The reader does not read, and the user wants the command to end.
    await io.stderr.flush();
    self.exit();
  }
  await Promise.all([io.stdout.flush(), io.stderr.flush()]);
  // The stream reports a failed write only after the command has finished.
  const { reason } = controller.signal;
  if (self.exitCode === 0 && reason instanceof SolpackError) {
    self.exitCode = await (await import('./failure.ts')).fail(io, reason);
  }
  self.off('SIGINT', interrupt);
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) self.off(signal, stop);
}

/**
 * Returns the working directory. Where somebody has removed it, reports that, as nothing can be found from there, and
 * ends the process.
 */
function folderOf(self: NodeJS.Process): string | undefined {
  try {
    return self.cwd();
  } catch (error) {
    const reason = plain(codeOf(error) === 'ENOENT' ? 'no longer exists' : reasonOf(error));
    self.stderr.write(`solpack: the working directory ${reason}; change to another folder [file-missing]\n`);
    self.exitCode = exits.usage;
    return undefined;
  }
}

/** Returns the command line; under the name of a plugin of kubectl, what that one stands for. */
async function wordsOf({ argv, argv0, env }: NodeJS.Process, cwd: string): Promise<readonly string[]> {
  const words = argv.slice(2);
  const { name } = parse((isSea() ? argv0 : argv[1]) ?? '');
  return name === 'kubectl-solpack'
    ? (await import('./kubectl-plugin.ts')).pluginWords({ argv: words, env, cwd })
    : words;
}

/** Runs one command line, and returns its exit code. */
export async function main(io: Io): Promise<number> {
  let code = 0;
  const ended = new AbortController();
  const own: Io = { ...io, run: { ended: ended.signal, hasChanged: false, hasApplied: false } };
  const [{ programOf }, { fail }] = await Promise.all([import('./program.ts'), import('./failure.ts')]);
  try {
    requireNoNul(io.argv);
    const words = ownWords(io.argv);
    const exit = (value: number): void => {
      code = value;
    };
    const program = await programOf(own, packageVersion(), exit, needsAll(words) ? undefined : words[0]);
    if (io.argv.length === 0) return await (await import('./overview.ts')).printOverview(program, io);
    if (io.argv[0] === '__complete') return await (await import('./completion/index.ts')).answerShell(program, io);
    await program.parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    ended.abort();
    // It is known of this one whether it has printed a result.
    return await fail(own, error);
  }
}

/** No shell can pass a NUL character, but a program can. Throws `usage-invalid`. */
function requireNoNul(argv: readonly string[]): void {
  const at = argv.findIndex((word) => word.includes('\0'));
  if (at < 0) return;
  throw new SolpackError('usage-invalid', `argument ${at + 1}`, 'has a NUL character, which cannot stand here', {
    hint: 'leave it out',
  });
}

/**
 * Whether a command line is about the others too: the help of one says where those of its options stand that others
 * have as well.
 */
function needsAll([name, ...rest]: readonly string[]): boolean {
  return name === 'help' || rest.some((word) => word === '-h' || word.startsWith('--help'));
}

/** Reads standard input to its end. Throws `usage-invalid` where it has more than `limit` bytes. */
async function inputOf(self: NodeJS.Process, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of self.stdin) {
    size += chunk.length;
    chunks.push(chunk);
    if (size <= limit) continue;
    throw new SolpackError('usage-invalid', 'standard input', `has more than the ${sizeWords(limit)} expected here`, {
      hint: 'is it the right file?',
    });
  }
  return Buffer.concat(chunks);
}

function askOf(
  self: NodeJS.Process,
  signal: AbortSignal,
  interrupt: () => void,
  interrupts: Interrupts,
): Pick<Io, 'ask' | 'interrupts'> {
  if (!isatty(0) || self.stderr.isTTY !== true) return {};
  return {
    interrupts,
    ask: async (question, shows = false) => {
      const { askLine } = await import('./terminal.ts');
      return askLine({ input: self.stdin, output: self.stderr, interrupt, signal }, question, shows);
    },
  };
}

function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}

/**
 * Returns the reason for aborting a command whose reader has left. One that stops reading text has seen enough; one
 * that stops reading an archive has no archive.
 */
function pipeClosed(sent: boolean): PipeClosed | SolpackError {
  if (!sent) return new PipeClosed();
  return new SolpackError(
    'output-unwritable',
    'standard output',
    'was closed by its reader before it had read everything',
    {
      hint: 'look at the messages of the program that reads',
    },
  );
}
