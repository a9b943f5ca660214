import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { executableName, platforms } from '../../../scripts/executable/platforms.ts';
import { root } from '../../../scripts/home.ts';
import { imageOf } from '../../../scripts/image/assemble.ts';
import { writeOciArchive } from '../../../scripts/images/archives.ts';
import type { Member } from '../../../scripts/images/tar.ts';
import { writeFiles } from '../cli.ts';
import { packHere } from '../flow.ts';
import { find, ok } from '../judges.ts';

/** The image of solpack, as its Solution names it. */
export const solpackImage = 'registry.example.com/solpack/solpack:1.0.0';

/**
 * Packs the Solution `solpack` into `solpack-1.0.0.iso` of a folder: the image of solpack for this machine, as `npm run
 * build:image` makes it, of the executable that is built here, the libraries of this machine, helm and kubectl.
 */
export async function packSolpack(folder: string): Promise<void> {
  const platform = platforms.find(({ name }) => name === `${process.platform}-${process.arch}`);
  if (platform === undefined) throw new Error('no executable is made for this machine');
  const built = join(folder, 'executable');
  await ok(process.execPath, [join(root, 'scripts/build-bin.ts'), '-o', built, '--platform', platform.name]);
  const executable = join(built, executableName(platform));
  const loaded = execFileSync('ldd', [executable], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
  const program = (path: string, from: string): Member => ({
    path,
    bytes: readFileSync(realpathSync(from)),
    mode: 0o755,
  });
  const layers = [
    { title: 'libraries', members: loaded.map((path) => program(path.slice(1), path)) },
    {
      title: 'helm and kubectl',
      members: ['helm', 'kubectl'].map((name) => program(`usr/bin/${name}`, find(name) ?? name)),
    },
    {
      title: 'solpack',
      members: [{ path: 'tmp', mode: 0o1777 }, program('usr/bin/solpack', executable), { path: 'work', mode: 0o1777 }],
    },
  ];
  const { architecture } = platform.debian;
  // A good compression would take a minute.
  const image = imageOf('1.0.0', new Date('2026-01-31T00:00:00Z'), [{ architecture, layers }], (bytes) =>
    gzipSync(bytes, { level: 1 }),
  );
  writeOciArchive(join(folder, 'solpack.oci.tar'), image);
  writeFiles(join(folder, 'solpack'), {
    'solution.toml': `name = "solpack"
version = "1.0.0"

[[images]]
reference = "${solpackImage}"
source = "oci-archive:../solpack.oci.tar"

[[components]]
name = "notes"
kind = "manifests"
path = "notes.yaml"
`,
    'notes.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: solpack-notes, namespace: default}\n',
  });
  await packHere(join(folder, 'solpack/solution.toml'), join(folder, 'solpack-1.0.0.iso'));
}
