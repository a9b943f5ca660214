import { execFileSync } from 'node:child_process';
import { root } from '../home.ts';

/** The commit that is checked out. */
export interface Commit {
  readonly id: string;
  readonly date: Date;
  /** Whether the files are as the commit has them. */
  readonly clean: boolean;
}

/** Returns the commit that is checked out; undefined outside of a repository. */
export function commitHere(): Commit | undefined {
  try {
    const [id = '', seconds = ''] = git('log', '-1', '--format=%H %ct').trim().split(' ');
    return { id, date: new Date(1000 * Number(seconds)), clean: git('status', '--porcelain') === '' };
  } catch {
    return undefined;
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}
