import { execFileSync } from 'node:child_process';
import { root } from '../home.ts';

/** What a checkout is compared with, and the files that differ from it. */
export interface Change {
  /** What it is compared with, in words. */
  readonly since: string;
  /** Paths from the top of the checkout, with those that are not committed. */
  readonly files: readonly string[];
}

/**
 * Returns what changed since the place where this branch left `origin/main` or `main`; on that branch itself, since the
 * newest tag, or if there is none, since the commit before. Nothing outside of a repository.
 */
export function changeHere(): Change {
  const [since, name] = base();
  if (since === undefined) return { since: name, files: [] };
  const files = [...lines('diff', '--name-only', since), ...lines('ls-files', '--others', '--exclude-standard')];
  return { since: name, files: [...new Set(files)] };
}

function base(): readonly [revision: string | undefined, name: string] {
  const [head] = lines('rev-parse', '--verify', 'HEAD');
  for (const branch of ['origin/main', 'main']) {
    const [fork] = lines('merge-base', 'HEAD', branch);
    if (fork !== undefined && fork !== head) return [fork, `where this branch left ${branch}`];
  }
  const [tag] = lines('describe', '--tags', '--abbrev=0');
  if (tag !== undefined) return [tag, tag];
  const [before] = lines('rev-parse', '--verify', 'HEAD~1');
  return before === undefined ? [undefined, 'nothing, since git has no earlier commit'] : [before, 'the commit before'];
}

function lines(...args: readonly string[]): string[] {
  try {
    const out = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return out.split('\n').filter((line) => line !== '');
  } catch {
    return [];
  }
}
