import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { executableName, platforms } from '../../scripts/executable/platforms.ts';
import { bareRoot } from '../../scripts/home.ts';
import { bareRootTest } from '../support/bare-root.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('deb');
const stub = '#!/bin/sh\n[ "$1" != --licenses ] || echo "Copyright 2026 nobody"\necho "$0 $*"\n';

/** Builds Debian packages into `output`, of programs that are no more than a script. */
async function build(output: string, env = {}): Promise<string> {
  const programs = join(folder, 'executables');
  const args = [join(root, 'scripts/build-deb.ts'), '-o', output, '--executables', programs];
  return ok(process.execPath, args, { env });
}

let amd64 = '';

beforeAll(async () => {
  mkdirSync(join(folder, 'executables'));
  for (const platform of platforms) {
    writeFileSync(join(folder, 'executables', executableName(platform)), stub, { mode: 0o755 });
  }
  [amd64 = ''] = (await build(join(folder, 'built'), { SOURCE_DATE_EPOCH: '1700000000' })).split('\n');
});

test('other folders, masks, time zones and locales make the same packages', async () => {
  const mask = process.umask(0o077);
  try {
    const env = { SOURCE_DATE_EPOCH: '1700000000', TZ: 'Asia/Tokyo', LC_ALL: 'C', HOME: '/nonexistent' };
    await build(join(folder, 'else where'), env);
  } finally {
    process.umask(mask);
  }
  const names = readdirSync(join(folder, 'built'));
  expect(names).toEqual([
    expect.stringMatching(/^solpack_\d[^_-]*_amd64\.deb$/),
    expect.stringMatching(/^solpack_\d[^_-]*_arm64\.deb$/),
  ]);
  const digestsIn = (place: string): string[] => names.map((name) => sha256(readFileSync(join(folder, place, name))));
  expect(digestsIn('else where')).toEqual(digestsIn('built'));
});

test('a date that is none is refused', async () => {
  const args = [
    join(root, 'scripts/build-deb.ts'),
    '-o',
    join(folder, 'none'),
    '--executables',
    join(folder, 'executables'),
  ];
  const { code, stderr } = await run(process.execPath, args, { env: { SOURCE_DATE_EPOCH: 'today' } });
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^build:deb: SOURCE_DATE_EPOCH is today, .*\n$/)]);
});

test('a folder without executables is refused in one line, for packages and for the image', async () => {
  for (const name of ['deb', 'image']) {
    const args = [
      join(root, `scripts/build-${name}.ts`),
      '-o',
      join(folder, 'none'),
      '--executables',
      join(folder, 'no'),
    ];
    const { code, stderr } = await run(process.execPath, args, {});
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^build:(?:deb|image): .*\/no\/solpack-linux-x64 is missing; "npm run build:bin" makes it\n$/,
      ),
    ]);
  }
});

test('lintian finds nothing that is not explained in the package', async (context) => {
  if (!existsSync('/usr/bin/lintian')) context.skip('needs lintian');
  expect(
    (await run('lintian', ['--allow-root', '--fail-on', 'none', '--tag-display-limit', '0', amd64], {})).stdout,
  ).toBe('');
});

describe('dpkg', () => {
  judged('reads what the package says of itself', ['dpkg-query'], async () => {
    const field = async (name: string): Promise<string> => (await ok('dpkg-deb', ['--field', amd64, name])).trim();
    expect(await field('Package')).toBe('solpack');
    expect(await field('Depends')).toBe('libc6 (>= 2.28), libstdc++6, libgcc-s1');
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const packaged = await field('Version');
    expect(packaged.replace('~', '-')).toBe(version);
    await ok('dpkg', ['--compare-versions', packaged, 'le', version.replace(/-.*/, '')]);
    await ok('dpkg', ['--validate-version', packaged]);
  });

  judged('finds every file owned by root, and none that others may write', ['dpkg-query'], async () => {
    const lines = (await ok('dpkg-deb', ['--contents', amd64], { env: { TZ: 'UTC' } })).trim().split('\n');
    expect(
      lines.filter((line) => !/^(?:drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) 0\/0 .* 2023-11-14 22:13 \.\//.test(line)),
    ).toEqual([]);
    expect(lines.filter((line) => line.startsWith('-rwx')).map((line) => line.split(' ').at(-1))).toEqual([
      './usr/bin/solpack',
    ]);
    const paths = lines.map((line) => line.split(' ').at(-1));
    for (const path of [
      'doc/solpack/copyright',
      'doc/solpack/changelog.gz',
      'man/man1/solpack-pack.1.gz',
      'bash-completion/completions/solpack',
      'zsh/vendor-completions/_solpack',
      'fish/vendor_completions.d/solpack.fish',
    ]) {
      expect(paths).toContain(`./usr/share/${path}`);
    }
  });

  judged('takes the sums of all files for theirs', ['dpkg-query', 'sha256sum'], async () => {
    const [files, control] = [join(folder, 'files'), join(folder, 'control')];
    await ok('dpkg-deb', ['--extract', amd64, files]);
    await ok('dpkg-deb', ['--control', amd64, control]);
    const checked = await ok('md5sum', ['--strict', '-c', join(control, 'md5sums')], { cwd: files });
    const found = readdirSync(files, { recursive: true, encoding: 'utf8' });
    expect(checked.trim().split('\n')).toHaveLength(
      found.filter((path) => statSync(join(files, path)).isFile()).length,
    );
    const news = readFileSync(join(files, 'usr/share/doc/solpack/NEWS.gz'));
    expect(gunzipSync(news)).toEqual(readFileSync(join(root, 'CHANGELOG.md')));
  });

  judged('finds a changelog of its own form, of this version', ['dpkg-query'], async () => {
    const files = join(folder, 'read');
    await ok('dpkg-deb', ['--extract', amd64, files]);
    const text = gunzipSync(readFileSync(join(files, 'usr/share/doc/solpack/changelog.gz'))).toString();
    const version = (await ok('dpkg-deb', ['--field', amd64, 'Version'])).trim();
    expect(text.split('\n')[0]).toBe(`solpack (${version}) unstable; urgency=medium`);
    expect(text).toMatch(/\n -- [^<]+ <\S+@\S+> {2}Tue, 14 Nov 2023 22:13:20 \+0000\n$/);
  });
});

bareRootTest('it is installed on a bare Debian, runs there, and is removed without a trace', async () => {
  const bare = join(folder, 'bare');
  cpSync(bareRoot, bare, { recursive: true, verbatimSymlinks: true });
  const admin = join(bare, 'var/lib/dpkg');
  for (const name of ['info', 'updates', 'triggers']) mkdirSync(join(admin, name), { recursive: true });
  const known = (name: string, version: string): string =>
    `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nMaintainer: nobody\nVersion: ${version}\nDescription: known\n\n`;
  const libraries = `${known('libstdc++6', '12')}${known('libgcc-s1', '12')}`;
  // What the folders of the root belong to is not known here, and so dpkg would remove empty ones.
  const before = readdirSync(join(bare, 'usr/bin'));
  const dpkg = ['--root', bare, '--log', join(folder, 'log'), '--force-architecture'];
  writeFileSync(join(admin, 'status'), `${known('libc6', '2.24-1')}${libraries}`);
  const refused = await run('dpkg', [...dpkg, '--install', amd64]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('solpack depends on libc6 (>= 2.28)')]);
  await ok('dpkg', [...dpkg, '--purge', 'solpack']);
  writeFileSync(join(admin, 'status'), `${known('libc6', '2.28-10')}${libraries}`);
  await ok('dpkg', [...dpkg, '--install', amd64]);
  expect(await ok('dpkg', [...dpkg, '--verify', 'solpack'])).toBe('');
  expect(await ok('chroot', [bare, '/usr/bin/solpack', '--version'])).toBe('/usr/bin/solpack --version\n');
  await ok('dpkg', [...dpkg, '--purge', 'solpack']);
  expect(readdirSync(join(bare, dirname('usr/bin/solpack')))).toEqual(before);
});
