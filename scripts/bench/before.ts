import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cache, replaceFolder, root } from '../home.ts';
import type { Command } from './measure.ts';

/** A solpack that is measured beside another one. */
export interface Side {
  readonly name: string;
  solpack(...args: string[]): Command;
}

/**
 * Returns the release that this checkout is compared with, built of its sources: the newest tag that another commit
 * has, or `ref`, a commit of any name. Undefined where there is no such tag. Throws where `ref` is no commit, or cannot
 * be built.
 */
export async function releaseBefore(ref: string | undefined): Promise<Side | undefined> {
  const wanted = ref ?? newestTag();
  if (wanted === undefined) return undefined;
  const commit = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${wanted}^{commit}`);
  const folder = join(cache, 'bench', `before-${commit.slice(0, 12)}`);
  if (!existsSync(folder)) await replaceFolder(folder, async (fresh) => build(commit, fresh));
  const program = join(folder, 'package/bin/bin.js');
  return { name: wanted, solpack: (...args) => [process.execPath, program, ...args, '--quiet'] };
}

function newestTag(): string | undefined {
  const here = git('rev-parse', 'HEAD');
  const tags = git('tag', '--list', '--merged', 'HEAD', '--sort=-version:refname').split('\n').filter(Boolean);
  return tags.find((tag) => git('rev-parse', `${tag}^{commit}`) !== here);
}

function build(commit: string, folder: string): void {
  const sources = join(folder, 'sources');
  run('git', ['clone', '--quiet', '--shared', '--no-checkout', root, sources], folder);
  run('git', ['checkout', '--quiet', '--detach', commit], sources);
  const lock = (of: string): string => readFileSync(join(of, 'package-lock.json'), 'utf8');
  if (lock(sources) === lock(root)) symlinkSync(join(root, 'node_modules'), join(sources, 'node_modules'));
  else run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], sources);
  run(process.execPath, ['scripts/build.ts', '-o', join(folder, 'package')], sources);
}

function git(...args: string[]): string {
  return run('git', args, root).trim();
}

function run(program: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed: ${stderr.trim()}`, { cause: error });
  }
}
