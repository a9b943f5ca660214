import { spawnSync } from 'node:child_process';
import { lchownSync } from 'node:fs';
import { type TestContext, test } from 'vitest';

/** Number of a user who is neither root nor whoever runs the tests: that of nobody. */
export const NEIGHBOUR = 65_534;

/**
 * A test in which another user of the machine takes part. Only root can play both: where this is another, it is not
 * judged.
 */
export function neighbourTest(name: string, work: (context: TestContext) => unknown, timeout = 600_000): void {
  test(name, { timeout }, async (context) => {
    if (process.geteuid?.() !== 0) context.skip('needs root');
    await work(context);
  });
}

/** Gives files, folders and links to the other user. */
export function giveAway(...paths: readonly string[]): void {
  for (const path of paths) lchownSync(path, NEIGHBOUR, NEIGHBOUR);
}

/** The arguments by which `unshare` runs a program where /proc is not mounted; undefined where that is not allowed. */
export function withoutProc(...program: readonly string[]): string[] | undefined {
  const args = (line: readonly string[]): string[] => {
    return ['--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh', ...line];
  };
  return spawnSync('unshare', args(['true'])).status === 0 ? args(program) : undefined;
}
