import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root } from '../home.ts';
import { readJson } from '../package/notices.ts';
import { cutChangelog } from '../reproducible/changelog.ts';

/** What builds read of a checkout. */
const parts = ['cli', 'docs', 'formats', 'lib', 'scripts', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json'];

/** The files that tell the version. */
const versioned = ['package.json', 'package-lock.json'];

/**
 * The version that the next release has: that of package.json, which says `-dev` until then. Throws where it does not.
 */
export function nextVersion(): string {
  const { version } = readJson(join(root, 'package.json'));
  if (/^\d+\.\d+\.\d+(?:-(?!dev$)[0-9a-z.]+)?-dev$/.test(version)) return version.slice(0, -'-dev'.length);
  throw new Error(
    `package.json has version ${version}, which was released: it needs the next one, with -dev behind it`,
  );
}

/**
 * Makes a copy of this checkout in which `version` is released: what is built there is what a checkout of that release
 * builds. Throws where the changelog cannot be cut.
 */
export function releasedSource(folder: string, version: string, date: Date): void {
  const cut = releasedFiles(version, date);
  mkdirSync(folder, { recursive: true });
  const filter = (path: string): boolean => path !== join(root, 'scripts/runtime/node_modules');
  for (const part of [...parts, ...files]) cpSync(join(root, part), join(folder, part), { recursive: true, filter });
  // Links to the same files: a copy of their bytes would take long.
  execFileSync('cp', ['-al', join(root, 'node_modules'), folder]);
  symlinkSync(cache, join(folder, '.cache'));
  for (const [path, text] of cut) writeFileSync(join(folder, path), text);
}

/** The files that a release changes, by path. */
export function releasedFiles(version: string, date: Date): ReadonlyMap<string, string> {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  return new Map([
    ['CHANGELOG.md', cutChangelog(read('CHANGELOG.md'), version, date)],
    ...versioned.map((path): [string, string] => [
      path,
      read(path).replaceAll(`"version": "${version}-dev"`, `"version": "${version}"`),
    ]),
  ]);
}
