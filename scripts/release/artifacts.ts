import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmTarball } from './npm.ts';

/** What was built: the files that are released, and what tells of them. */
export interface Built {
  /** The names of the files that users download. */
  readonly names: readonly string[];
  /** The licences of the packages that are bundled, each with name and version. */
  readonly notices: string;
}

/** Builds everything from the sources in `source` into `output`. `work` is for files on the way. */
export function buildAll(source: string, version: string, output: string, work: string): Built {
  const [npm, executables] = [join(work, 'package'), join(work, 'executables')];
  build(source, 'build.ts', ['-o', npm]);
  writeFileSync(join(output, `solpack-${version}.tgz`), npmTarball(npm));
  build(source, 'build-bin.ts', ['-o', executables]);
  for (const part of ['deb', 'image']) {
    const folder = join(work, part);
    build(source, `build-${part}.ts`, ['-o', folder, '--executables', executables]);
    moveAll(folder, output);
  }
  moveAll(executables, output);
  const names = readdirSync(output).sort();
  copyFileSync(join(source, 'CHANGELOG.md'), join(output, 'CHANGELOG.md'));
  return { names, notices: readFileSync(join(npm, 'THIRD-PARTY.txt'), 'utf8') };
}

function build(source: string, script: string, args: readonly string[]): void {
  // The date is that of the changelog, in each part.
  const { SOURCE_DATE_EPOCH: _, ...env } = process.env;
  console.log(`release: ${script}`);
  const words = [join(source, 'scripts', script), ...args];
  const { status, signal } = spawnSync(process.execPath, words, {
    cwd: source,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`${script} ended with ${status ?? signal}`);
}

function moveAll(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) renameSync(join(from, name), join(to, name));
}
