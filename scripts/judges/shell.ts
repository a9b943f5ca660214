import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { bin, cache, words } from '../home.ts';

/** A way to install a program. Throws, with the reason, where it cannot. */
export type Way = () => Promise<void>;

/** A wanted program: the ways to install it, in the order of trying, and whether it is there. */
export interface Judge {
  readonly ways: readonly Way[];
  here(): boolean;
}

/** How `execute` runs a program. */
interface ExecuteOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

const run = promisify(execFile);

/** Decides whether the program `name` is among the project's own or on PATH. */
export function present(name: string): boolean {
  return [bin, ...(process.env['PATH'] ?? '').split(delimiter)].some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

/** Runs a program that has to succeed, and returns its stdout. Throws with the last line of its stderr. */
export async function execute(program: string, args: readonly string[], options: ExecuteOptions = {}): Promise<string> {
  try {
    const { stdout } = await run(program, args, { cwd: cache, maxBuffer: 64 * 1024 * 1024, ...options });
    return stdout;
  } catch (error) {
    const last = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1);
    throw new Error(`${program} ${args.slice(-2).join(' ')}: ${last || words(error)}`, { cause: error });
  }
}

/** Announces something that takes a while. */
export function tell(what: string): void {
  console.log(`judges: ${what}`);
}

/** Returns `work` in a form that runs once, however often it is called. */
export function once(work: Way): Way {
  let result: Promise<void> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

/** Makes sure that one judge is there, and describes how that went: `present`, `installed`, or `absent` and why. */
export async function provide({ ways, here }: Judge): Promise<string> {
  if (here()) return 'present';
  // A clone that was never set up has no folder for its programs yet.
  await mkdir(bin, { recursive: true });
  const reasons: string[] = [];
  for (const way of ways) {
    try {
      await way();
      if (here()) return 'installed';
      reasons.push('installed, but not found');
    } catch (error) {
      reasons.push(words(error));
    }
  }
  return `absent (${reasons.join('; ')})`;
}
