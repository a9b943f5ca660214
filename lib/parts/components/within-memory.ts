import { accessSync, constants } from 'node:fs';

const SHELL = '/bin/sh';

/**
 * Memory that helm or kubectl may have, in MiB. A chart of 6,000 objects takes 130 MiB; Go asks the system for 1.3 GiB
 * of addresses whatever it does.
 */
const ADDRESSES = 2048;
const HEAP = 768;

/**
 * Returns what to put before a program of Go and its arguments so that it cannot take all of the machine's memory
 * (`RLIMIT_AS` of getrlimit(2)), and what its environment has for that. Where there is no shell, Go's own limit is
 * left, which is a soft one.
 */
export function withinMemory(): { readonly before: readonly string[]; readonly env: Readonly<Record<string, string>> } {
  return { before: hasShell() ? [SHELL, '-c', SCRIPT, SHELL] : [], env: { GOMEMLIMIT: `${HEAP}MiB` } };
}

// A system that does not know this limit runs the program all the same.
const SCRIPT = `ulimit -v ${ADDRESSES * 1024} 2>/dev/null; exec "$@"`;

function hasShell(): boolean {
  try {
    accessSync(SHELL, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether lines of a program of Go say that it was refused more memory, and in which words that is reported. */
export function memoryWords(lines: readonly string[]): string | undefined {
  const isOut = lines.some((line) => /^(?:fatal error|runtime): .*(?:out of memory|cannot allocate memory)/.test(line));
  return isOut ? `needed more memory than its limit of ${ADDRESSES / 1024} GiB of addresses` : undefined;
}
