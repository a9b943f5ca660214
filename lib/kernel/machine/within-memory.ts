import { accessSync, constants } from 'node:fs';

const SHELL = '/bin/sh';

/** Memory that a program of Go may have, in MiB. Go asks the system for 1.3 GiB of addresses whatever it does. */
export interface ProgramMemory {
  readonly addresses: number;
  readonly heap: number;
}

/** What helm or kubectl may have. A chart of 6,000 objects takes 130 MiB. */
const rendering: ProgramMemory = { addresses: 2048, heap: 768 };

/**
 * Returns what to put before a program of Go and its arguments so that it cannot take all of the machine's memory
 * (`RLIMIT_AS` of getrlimit(2)), and what its environment has for that. Where there is no shell, Go's own limit is
 * left, which is a soft one.
 */
export function withinMemory({ addresses, heap }: ProgramMemory = rendering): {
  readonly before: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  // A system that does not know this limit runs the program all the same.
  const script = `ulimit -v ${addresses * 1024} 2>/dev/null; exec "$@"`;
  return { before: hasShell() ? [SHELL, '-c', script, SHELL] : [], env: { GOMEMLIMIT: `${heap}MiB` } };
}

function hasShell(): boolean {
  try {
    accessSync(SHELL, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether lines of a program of Go say that it was refused more memory, and in which words that is reported. */
export function memoryWords(lines: readonly string[], { addresses }: ProgramMemory = rendering): string | undefined {
  const isOut = lines.some((line) => /^(?:fatal error|runtime): .*(?:out of memory|cannot allocate memory)/.test(line));
  return isOut ? `needed more memory than its limit of ${addresses / 1024} GiB of addresses` : undefined;
}
