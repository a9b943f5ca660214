import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readlink, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { bareRoot, cache, replaceFolder } from '../home.ts';
import { updated } from './debian.ts';
import { execute, type Judge, present, tell } from './shell.ts';

/** The programs of the root: with them alone, docs/bootstrap.md has to work. By what their packages call them. */
const programs: Readonly<Record<string, string>> = {
  sh: 'dash',
  mount: 'mount',
  sha256sum: 'sha256sum',
  openssl: 'openssl',
};

/** The packages that these are in, and the library that every Debian has, since apt needs it. */
const packages = ['dash', 'mount', 'coreutils', 'openssl', 'libstdc++6'];

/** The root of a Debian that has nothing but what a page for bare machines may ask for. */
export const bareRootJudge: Judge = { ways: [make], here: () => existsSync(bareRoot) };

/** Unpacks Debian packages of the machine's own release, and removes every program but those of the page. */
async function make(): Promise<void> {
  if (!present('apt-get') || !present('dpkg-deb')) throw new Error('needs apt-get');
  await updated();
  tell('making a bare Debian root');
  const folder = await mkdtemp(join(cache, 'unpack-'));
  try {
    const names = [...packages, ...(await libraries())];
    await execute('apt-get', ['-o', 'APT::Sandbox::User=root', '-o', 'Acquire::Retries=3', 'download', ...names], {
      cwd: folder,
    });
    const files = (await readdir(folder)).map((name) => join(folder, name));
    await replaceFolder(bareRoot, async (fresh) => {
      for (const file of files) await execute('dpkg-deb', ['-x', file, fresh]);
      await strip(fresh);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Names the packages of libraries that the others need. */
async function libraries(): Promise<string[]> {
  const left = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map((kind) => `--no-${kind}`);
  const all = await execute('apt-cache', ['depends', '--recurse', ...left, ...packages]);
  const names = [...new Set(all.split('\n').filter((line) => /^(?:lib|gcc-\d+-base$|zlib1g$)/.test(line)))];
  return names.filter((name) => !packages.includes(name));
}

async function strip(root: string): Promise<void> {
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    // Newer releases have everything below /usr, and base-files brings these links.
    if (!existsSync(join(root, name))) await symlink(`usr/${name}`, join(root, name));
  }
  const kept = await mkdtemp(join(cache, 'unpack-'));
  try {
    for (const [name, packaged] of Object.entries(programs)) {
      const place = ['bin', 'usr/bin'].map((one) => join(root, one, packaged)).find((path) => existsSync(path));
      if (place === undefined) throw new Error(`${packaged} is in none of the packages`);
      await execute('cp', [place, join(kept, name)]);
    }
    for (const name of ['bin', 'sbin']) {
      await rm(join(root, 'usr', name), { recursive: true, force: true });
      const isLink = await readlink(join(root, name)).catch(() => undefined);
      if (isLink === undefined) await rm(join(root, name), { recursive: true, force: true });
    }
    await mkdir(join(root, 'usr/bin'), { recursive: true });
    for (const name of Object.keys(programs)) await execute('cp', [join(kept, name), join(root, 'usr/bin', name)]);
    if (!existsSync(join(root, 'bin'))) await symlink('usr/bin', join(root, 'bin'));
    for (const name of ['dev', 'proc', 'tmp', 'mnt', 'root', 'media/usb']) {
      await mkdir(join(root, name), { recursive: true });
    }
    await rm(join(root, 'usr/share'), { recursive: true, force: true });
  } finally {
    await rm(kept, { recursive: true, force: true });
  }
}
