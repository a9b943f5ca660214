import type { Command } from 'commander';
import type { Io } from '../io.ts';
import { completionsAt } from './complete.ts';
import { shells } from './shells.ts';

/** How long a user who pressed Tab waits at most for names out of files, in milliseconds. */
const PATIENCE = 3_000;

/**
 * Answers the script of a shell: `__complete SHELL WHAT…`. Nothing goes wrong visibly, because a line is being typed
 * there: what cannot be found out has no candidates. Returns the exit code.
 */
export async function answerShell(program: Command, io: Io): Promise<number> {
  const [, name = '', ...given] = io.argv;
  const shell = Object.entries(shells).find(([own]) => own === name)?.[1];
  if (shell === undefined) return 0;
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(PATIENCE)]);
  try {
    const answer = await completionsAt(program, shell.words(given), { ...io, signal });
    io.stdout.write(
      shell
        .lines(answer, given)
        .map((line) => `${line}\n`)
        .join(''),
    );
  } catch {}
  return 0;
}
