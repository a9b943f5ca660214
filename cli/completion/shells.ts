import type { Completions } from './answer.ts';
import { bashWord, readBashLine } from './quote.ts';

/** A shell: what it reports a line, and what it is reported. */
interface Shell {
  /** Returns the words behind the name of the program, of what the shell hands over. */
  words(given: readonly string[]): readonly string[];
  /** Returns the lines that the shell's script reads: how to continue, then candidates. */
  lines(answer: Completions, given: readonly string[]): string[];
}

/** The shells that can ask for completions. */
export const shells = {
  // Bash tells its breaking characters and the line; it puts in what it is given as it is.
  bash: {
    words: ([breaks = '', line = '']) => {
      const { words, last } = readBashLine(line, breaks);
      return [...words.slice(1), last.text];
    },
    lines: ({ paths, prefix, candidates }, [breaks = '', line = '']) => {
      const { kept, quote } = readBashLine(line, breaks).last;
      const written = candidates.map(({ word }) => bashWord(`${prefix}${word}`.slice(kept), quote));
      return [paths ?? 'names', ...written.filter((word) => word !== undefined)];
    },
  },
  // zsh and fish tell words, and quote by themselves what they put in.
  zsh: {
    words: (given) => given,
    lines: ({ paths, prefix, candidates }) => [
      `${paths ?? 'names'}\t${prefix}`,
      ...candidates.map(({ word, about }) => `${word}\t${about}`),
    ],
  },
  fish: {
    words: (given) => given,
    lines: ({ paths, prefix, candidates }) => [
      `${paths ?? 'names'}\t${prefix}`,
      ...candidates.map(({ word, about }) => `${prefix}${word}\t${about}`),
    ],
  },
} as const satisfies Record<string, Shell>;
