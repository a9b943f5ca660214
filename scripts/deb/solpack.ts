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
export async function debOfSolpack({
  platform,
  version,
  date,
  executable,
  licenses,
}: DebianSolpack): Promise<Uint8Array> {
  const documents = 'usr/share/doc/solpack';
  const files: InstalledFile[] = [
    { path: 'usr/bin/solpack', bytes: executable, mode: 0o755 },
    { path: `${documents}/copyright`, bytes: Buffer.from(licenses) },
    { path: `${documents}/changelog.gz`, bytes: gzip(Buffer.from(debianChangelog(version, date)), 9) },
    { path: `${documents}/NEWS.gz`, bytes: gzip(readFileSync(join(root, 'CHANGELOG.md')), 9) },
    { path: 'usr/share/lintian/overrides/solpack', bytes: Buffer.from(overrides) },
    ...Object.entries(await sharedFiles(version, dayOf(date))).map(([path, text]) =>
      sharedFile(path, Buffer.from(text)),
    ),
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
  if (path.startsWith('share/man/')) return { path: `usr/${path}.gz`, bytes: gzip(bytes, 9) };
  return { path: vendorFolders[path] ?? `usr/${path}`, bytes };
}

function controlOf(version: string, { debian }: Platform): Control {
  return [
    ['Package', 'solpack'],
    ['Version', debianVersion(version)],
    ['Architecture', debian.architecture],
    ['Maintainer', maintainer],
    ['Depends', 'libc6 (>= 2.28), libstdc++6, libgcc-s1'],
    ['Section', 'admin'],
    ['Priority', 'optional'],
    ['Description', description],
  ];
}

const maintainer = 'The solpack developers <developers@solpack.invalid>';

/** What Debian's own tools read of this version (deb-changelog(5)); NEWS says what has changed. */
function debianChangelog(version: string, date: Date): string {
  const day = date.toUTCString().replace('GMT', '+0000');
  return `solpack (${debianVersion(version)}) unstable; urgency=medium

  * What has changed is in /usr/share/doc/solpack/NEWS.gz.

 -- ${maintainer}  ${day}
`;
}

/** What lintian finds, and stays as it is, each with the reason. */
const overrides = `# It is an executable of Node.js, as its project builds it: with a zlib of its own, and at a fixed address.
solpack: embedded-library
solpack: hardening-no-pie
# The file is what "solpack --licenses" prints, word for word: all licences as those whose code it is have written them.
solpack: copyright-file-contains-full-apache-2-license
solpack: copyright-not-using-common-license-for-gpl
solpack: old-fsf-address-in-copyright-file
`;

const description = `pack, carry and install Kubernetes Solutions without a network
solpack packs manifests, charts, plugins and all their container images into
one signed ISO or OCI archive, and installs it where there is no network.
.
It renders charts and kustomizations by helm and kubectl, which have to be on
PATH, or to come with an archive.`;
