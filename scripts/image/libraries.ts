import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../executable/platforms.ts';
import { cache, words } from '../home.ts';
import type { Member } from '../images/tar.ts';
import { downloadNewer } from '../judges/debian.ts';
import { execute } from '../judges/shell.ts';

/** A package of Debian: its version, and the SHA-256 of its file. */
interface PinnedDeb {
  readonly version: string;
  readonly sha256: string;
}

/** The file that pins the packages of each architecture. */
const pinsFile = join(import.meta.dirname, 'libraries.json');

/** The packages that have the libraries of an executable, and the one that has their licence. */
const packages = ['gcc-14-base', 'libc6', 'libgcc-s1', 'libstdc++6'];

/** The libraries that an executable loads, beside the program that loads them. */
export const libraries: readonly string[] = [
  'libc.so.6',
  'libdl.so.2',
  'libgcc_s.so.1',
  'libm.so.6',
  'libpthread.so.0',
  'libstdc++.so.6',
];

/** Of which distribution the packages are (os-release(5)): scanners know by it which of their problems count. */
const distribution =
  'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nNAME="Debian GNU/Linux"\nVERSION_ID="13"\nID=debian\n';

/**
 * Returns what an image has of Debian: the libraries of an executable, their licences, and the entries of dpkg's
 * database by which scanners find them. Throws where Debian has the pinned packages no longer.
 */
export async function libraryMembers({ debian }: Platform): Promise<Member[]> {
  const pins = JSON.parse(readFileSync(pinsFile, 'utf8'))[debian.architecture] as Record<string, PinnedDeb>;
  const folder = await mkdtemp(join(cache, 'libraries-'));
  try {
    const entries: Member[] = [];
    for (const [name, pin] of Object.entries(pins)) {
      const deb = await fetched(name, pin, debian.architecture);
      await execute('dpkg-deb', ['-x', deb, folder]);
      const about = await execute('dpkg-deb', ['--field', deb]);
      entries.push({ path: `var/lib/dpkg/status.d/${name}`, bytes: Buffer.from(about) });
      const copyright = await readFile(join(folder, 'usr/share/doc', name, 'copyright'));
      entries.push({ path: `usr/share/doc/${name}/copyright`, bytes: copyright });
    }
    const read = (name: string): Buffer => readFileSync(join(folder, 'usr/lib', debian.libraries, name));
    const loader = { path: `${debian.loaderFolder}/${debian.loader}`, bytes: read(debian.loader), mode: 0o755 };
    const files = libraries.map((name) => ({ path: `lib/${debian.libraries}/${name}`, bytes: read(name) }));
    return [...entries, { path: 'usr/lib/os-release', bytes: Buffer.from(distribution) }, ...files, loader];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pins the packages that Debian has now, for each platform. */
export async function pinLibraries(platforms: readonly Platform[]): Promise<void> {
  const pins: Record<string, Record<string, PinnedDeb>> = {};
  for (const { debian } of platforms) {
    const folder = await mkdtemp(join(cache, 'libraries-'));
    try {
      await downloadNewer(packages, folder, debian.architecture);
      const found: [string, PinnedDeb][] = [];
      for (const file of (await readdir(folder)).sort()) {
        const field = async (name: string): Promise<string> =>
          (await execute('dpkg-deb', ['--field', join(folder, file), name])).trim();
        const sha256 = digestOf(join(folder, file));
        found.push([await field('Package'), { version: await field('Version'), sha256 }]);
      }
      pins[debian.architecture] = Object.fromEntries(found);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  await writeFile(pinsFile, `${JSON.stringify(pins, undefined, 2)}\n`);
}

/** Returns the path of a pinned package, which is downloaded where it is not there. */
async function fetched(name: string, { version, sha256 }: PinnedDeb, architecture: string): Promise<string> {
  const kept = join(cache, 'packages', `${name}-${architecture}-${sha256}.deb`);
  if (existsSync(kept) && digestOf(kept) === sha256) return kept;
  await mkdir(join(cache, 'packages'), { recursive: true });
  const folder = await mkdtemp(join(cache, 'libraries-'));
  try {
    await downloadNewer([`${name}=${version}`], folder, architecture);
    const [file = ''] = await readdir(folder);
    const digest = digestOf(join(folder, file));
    if (digest !== sha256) throw new Error(`its SHA-256 is ${digest}, where ${sha256} is pinned`);
    await rename(join(folder, file), kept);
    return kept;
  } catch (cause) {
    const hint = 'if Debian has a newer one, "npm run build:image -- --pin-libraries" takes that';
    throw new Error(`cannot get ${name} ${version} for ${architecture}: ${words(cause)}; ${hint}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
