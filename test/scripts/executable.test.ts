import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { executableName, platforms } from '../../scripts/executable/platforms.ts';
import { libraries as imageLibraries } from '../../scripts/image/libraries.ts';
import { emulation } from '../../scripts/judges/emulation.ts';
import { solpack, writeFiles } from '../support/cli.ts';
import { tried } from '../support/forms.ts';
import { find, judged, type Outcome, ok, run, scratch } from '../support/judges.ts';
import type { Words } from '../support/under-test.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('executable');
const MiB = 1024 * 1024;
const names = platforms.map(({ name }) => name);
const here = `${process.platform}-${process.arch}`;
const source: Words = [process.execPath, join(root, 'cli/bin.js')];

/** Builds executables into `output`, by the scripts of a checkout. */
function build(checkout: string, output: string, wanted: readonly string[], env = {}): Promise<string> {
  const flags = wanted.flatMap((name) => ['--platform', name]);
  return ok(process.execPath, [join(checkout, 'scripts/build-bin.ts'), '-o', output, ...flags], { env });
}

function executable(name: string): string {
  return join(folder, 'built', executableName(platforms.find((platform) => platform.name === name)!));
}

/** What runs the executable of a platform on this machine. */
function wordsFor(name: string): Words {
  const [program = '', ...words] = [...emulation(platforms.find((one) => one.name === name)!), executable(name)];
  return [program, ...words];
}

// The one for other processors is compiled by an emulated Node.js.
beforeAll(() => build(root, join(folder, 'built'), names));

describe.each(names)('the executable for %s', (name) => {
  test('is one file for a medium: of 130 MiB at most, and of 45 when it is compressed', () => {
    const bytes = readFileSync(executable(name));
    expect(bytes.length).toBeLessThanOrEqual(130 * MiB);
    expect(zstdCompressSync(bytes).length).toBeLessThanOrEqual(45 * MiB);
    expect(statSync(executable(name)).mode & 0o777).toBe(0o755);
  });

  test('names nothing of where it was made', () => {
    const bytes = readFileSync(executable(name));
    expect([root, folder].filter((path) => bytes.includes(path))).toEqual([]);
  });

  test('does all that the sources do, with the code that was compiled when it was built', async () => {
    await tried(wordsFor(name), source, join(folder, name), name === here);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect((await solpack(['--version'], {}, wordsFor(name))).stdout).toBe(`${version}\n`);
    const lines =
      name === here ? [[], ['--help'], ['pack', '--help'], ['packk'], ['pack', '--no-such-flag']] : [['packk']];
    for (const args of lines) {
      expect(await solpack(args, { cwd: folder }, wordsFor(name))).toEqual(
        await solpack(args, { cwd: folder }, source),
      );
    }
  });
});

test('other folders, masks, time zones and locales make the same executables', async () => {
  const elsewhere = join(folder, 'else where');
  const parts = ['cli', 'lib', 'formats', 'scripts', 'node_modules', 'package.json', 'tsconfig.json', 'LICENSE'];
  const filter = (path: string): boolean => path !== join(root, 'scripts/runtime/node_modules');
  for (const part of [...parts, '.cache/packages']) {
    cpSync(join(root, part), join(elsewhere, part), { recursive: true, verbatimSymlinks: true, filter });
  }
  const env = { TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: '/nonexistent', NODE_OPTIONS: '--no-warnings' };
  const mask = process.umask(0o077);
  try {
    await build(elsewhere, join(folder, 'again'), [here], env);
  } finally {
    process.umask(mask);
  }
  const again = readFileSync(join(folder, 'again', `solpack-${here}`));
  expect(sha256(again)).toBe(sha256(readFileSync(executable(here))));
});

test('what Node.js is reported by the environment changes nothing', async () => {
  const env = { NODE_OPTIONS: '--require=/nonexistent.js', NODE_PATH: '/nonexistent' };
  const { code, stderr } = await solpack(['--version'], { env }, wordsFor(here));
  expect([code, stderr]).toEqual([0, '']);
});

test('it has the licence of everything that is in it', async () => {
  const { stdout } = await solpack(['--licenses'], {}, wordsFor(here));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(stdout).toMatch(/^\s+Apache License\n/);
  for (const [name, version] of Object.entries(dependencies))
    expect(stdout).toMatch(new RegExp(`^${name} ${version} \\(`, 'm'));
  expect(stdout).toMatch(/^Node\.js 24\.\d+\.\d+\n\n.*Node\.js is licensed/ms);
});

judged('helm may lie beside it, and that of PATH comes first', ['helm'], async () => {
  const place = join(folder, 'beside');
  writeFiles(place, {
    'src/solution.toml':
      'name = "a"\nversion = "1.0.0"\n[[components]]\nname = "c"\nkind = "helm"\npath = "c"\nnamespace = "c"\n',
    'src/c/Chart.yaml': 'apiVersion: v2\nname: c\nversion: 1.0.0\n',
    'src/c/templates/c.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata:\n  name: c\n',
    'path/helm': '#!/bin/sh\necho the helm of PATH >&2\nexit 1\n',
  });
  chmodSync(join(place, 'path/helm'), 0o755);
  copyFileSync(executable(here), join(place, 'solpack'));
  const check = (path: string): Promise<Outcome> =>
    solpack(['check', 'src'], { cwd: place, env: { PATH: path } }, [join(place, 'solpack')]);
  expect(await check('/nonexistent')).toMatchObject({ code: 6, stderr: expect.stringContaining('[tool-missing]') });
  copyFileSync(find('helm')!, join(place, 'helm'));
  expect(await check('/nonexistent')).toMatchObject({ code: 0 });
  expect((await check(join(place, 'path'))).stdout).toContain('the helm of PATH');
});

judged('it starts where nothing is but the libraries that the docs name', ['bash'], async (context) => {
  if ((await run('unshare', ['-r', 'true'])).code !== 0) return context.skip('needs user namespaces');
  const bare = join(folder, 'bare');
  const libraries = (await ok('ldd', [executable(here)])).match(/\/\S+/g) ?? [];
  for (const path of libraries) {
    mkdirSync(join(bare, dirname(path)), { recursive: true });
    copyFileSync(realpathSync(path), join(bare, path));
  }
  const named = /needs ([^.]*?) of the system/.exec(readFileSync(join(root, 'docs/building.md'), 'utf8'))?.[1] ?? '';
  for (const path of libraries)
    expect(named).toContain(path.slice(path.lastIndexOf('/') + 1).replace(/(?:-x86-64|-aarch64)?\.so.*/, ''));
  const loaded = libraries
    .map((path) => path.slice(path.lastIndexOf('/') + 1))
    .filter((name) => !name.startsWith('ld-'));
  expect(loaded.toSorted()).toEqual([...imageLibraries]);
  copyFileSync(executable(here), join(bare, 'solpack'));
  const { code, stdout, stderr } = await run('unshare', ['-r', 'chroot', bare, '/solpack', '--version']);
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(/^\d/), '']);
});
