import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ok, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('compiled');

/** A copy of the sources, which shares the packages. */
function copied(name: string): string {
  const copy = join(folder, name);
  for (const part of ['cli', 'lib', 'formats', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

test('what types are stripped from is kept beside the sources, and done without where it is damaged', async () => {
  const copy = copied('own');
  const version = (): Promise<string> => ok(process.execPath, [join(copy, 'cli/bin.js'), '--version']);
  const first = await version();
  const kept = filesBelow(join(copy, '.cache/compiled'));
  expect(kept.length).toBeGreaterThan(10);
  for (const path of kept) writeFileSync(path, Buffer.alloc(statSync(path).size, 'junk'));
  expect(await version()).toBe(first);
  expect(await version()).toBe(first);
});

test('nothing is written into the sources of another user', async () => {
  const copy = copied('theirs');
  // Only root can give a folder away; that of whoever else runs this is his own.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(copy, 65_534, 65_534);
  await ok(process.execPath, [join(copy, 'cli/bin.js'), '--version']);
  expect(existsSync(join(copy, '.cache'))).toBe(!isRoot);
});

/** What a command of a copy keeps in its folder, with this umask. */
async function keptBy(copy: string, umask = '0022'): Promise<string[]> {
  await ok('sh', ['-c', `umask ${umask} && exec "$@"`, 'sh', process.execPath, join(copy, 'cli/bin.js'), '--version']);
  return existsSync(join(copy, '.cache/compiled')) ? filesBelow(join(copy, '.cache/compiled')) : [];
}

test.each(['0000', '0002', '0077'])('nobody else may write to it, with umask %s', async (umask) => {
  const copy = copied(`umask-${umask}`);
  expect((await keptBy(copy, umask)).length).toBeGreaterThan(10);
  expect(statSync(join(copy, '.cache/compiled')).mode & 0o7777).toBe(0o700);
  expect(statSync(join(copy, '.cache')).mode & 0o022).toBe(0);
});

test('one that others could read is closed to them, and used', async () => {
  const copy = copied('readable');
  mkdirSync(join(copy, '.cache/compiled'), { recursive: true, mode: 0o755 });
  expect((await keptBy(copy)).length).toBeGreaterThan(10);
  expect(statSync(join(copy, '.cache/compiled')).mode & 0o7777).toBe(0o700);
});

test.each([
  ['one that others could write', (at: string) => chmodSync(at, 0o777)],
  ['one in a folder that others may write', (at: string) => chmodSync(join(at, '..'), 0o777)],
  [
    'a link',
    (at: string) => {
      renameSync(at, `${at}-elsewhere`);
      symlinkSync('compiled-elsewhere', at);
    },
  ],
])('%s is not used', async (name, change) => {
  const copy = copied(name);
  const compiled = join(copy, '.cache/compiled');
  mkdirSync(compiled, { recursive: true });
  change(compiled);
  expect(await keptBy(copy)).toEqual([]);
});
