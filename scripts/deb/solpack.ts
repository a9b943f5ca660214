import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Platform } from '../executable/platforms.ts';
import { root } from '../home.ts';
import { sharedFiles } from '../package/share.ts';
import { dayOf } from '../reproducible/changelog.ts';
import { gzip } from '../reproducible/gzip.ts';
import { type Control, debOf, type InstalledFile } from './package.ts';

/** What goes into a Debian package of solpack. */
export interface DebianSolpack {
  readonly platform: Platform;
  /** As package.json has it. */
  readonly version: string;
  readonly date: Date;
  readonly executable: Uint8Array;
  /** The licences of all that is in the executable. */
  readonly licenses: string;
}

/** Where Debian has what a package brings for shells, by where the package of npm has it. */
const vendorFolders: Readonly<Record<string, string>> = {
  'share/zsh/site-functions/_solpack': 'usr/share/zsh/vendor-completions/_solpack',
};

/** Makes the Debian package of solpack for one platform. */
export function debOfSolpack({ platform, version, date, executable, licenses }: DebianSolpack): Uint8Array {
  const documents = 'usr/share/doc/solpack';
  const files: InstalledFile[] = [
    { path: 'usr/bin/solpack', bytes: executable, mode: 0o755 },
    { path: `${documents}/copyright`, bytes: Buffer.from(licenses) },
    { path: `${documents}/changelog.gz`, bytes: gzip(readFileSync(join(root, 'CHANGELOG.md'))) },
    ...Object.entries(sharedFiles(version, dayOf(date))).map(([path, text]) => sharedFile(path, Buffer.from(text))),
  ];
  return debOf(controlOf(version, platform), files, date);
}

/** The name of the file of such a package. */
export function debName(version: string, { debian }: Platform): string {
  return `solpack_${debianVersion(version)}_${debian.architecture}.deb`;
}

/** What comes before a release has to be older than it for dpkg too: a tilde says so. */
function debianVersion(version: string): string {
  return version.replace('-', '~');
}

function sharedFile(path: string, bytes: Uint8Array): InstalledFile {
  if (path.startsWith('share/man/')) return { path: `usr/${path}.gz`, bytes: gzip(bytes) };
  return { path: vendorFolders[path] ?? `usr/${path}`, bytes };
}

function controlOf(version: string, { debian }: Platform): Control {
  return [
    ['Package', 'solpack'],
    ['Version', debianVersion(version)],
    ['Architecture', debian.architecture],
    ['Maintainer', 'The solpack developers <developers@solpack.invalid>'],
    ['Depends', 'libc6 (>= 2.28), libstdc++6, libgcc-s1'],
    ['Section', 'admin'],
    ['Priority', 'optional'],
    ['Description', description],
  ];
}

const description = `pack, carry and install Kubernetes Solutions without a network
solpack packs manifests, charts, plugins and all their container images into
one signed ISO or OCI archive, and installs it where there is no network.
.
It renders charts and kustomizations by helm and kubectl, which have to be on
PATH, or to come with an archive.`;
