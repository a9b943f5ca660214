import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { hexOf, sha256 } from '../../formats/digest.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { elsewhere, folderOf, here, writePrograms } from '../support/installer.ts';
import { judged, ok, scratch } from '../support/judges.ts';

const folder = scratch('contract-installer');
const cwd = folder;
const at = (name: string): string => join(folder, name);
const programs = [here, elsewhere]
  .flatMap((platform) => ['helm', 'kubectl', 'solpack'].map((name) => `${folderOf(platform)}/${name}`))
  .sort();
const bytesOf = (program: string): Buffer => readFileSync(at(`programs/${program}`));

beforeAll(async () => {
  await smallSolution(at('src'));
  writePrograms(at('programs'), 'x'.repeat(100_000));
  const installer = { platforms: undefined, folder: at('programs'), executable: undefined };
  await packHere(at('src/solution.toml'), at('plain.iso'));
  for (const output of ['a.iso', 'a.tar']) await packHere(at('src/solution.toml'), at(output), { installer });
});

describe('programs in bin/ of an ISO', () => {
  judged(
    'cost nothing beyond their bytes, but for sectors that are not full and the names of files',
    ['isoinfo'],
    () => {
      const sectors = (bytes: number): number => 2048 * Math.ceil(bytes / 2048);
      const bytes = programs.reduce((sum, program) => sum + sectors(bytesOf(program).length), 0);
      const more = statSync(at('a.iso')).size - statSync(at('plain.iso')).size;
      expect(more).toBeGreaterThanOrEqual(bytes);
      // Directories, the manifest of the installer, longer lists of sums.
      expect(more - bytes).toBeLessThan(64 * 1024);
    },
  );

  judged('share their extents with the blobs, as isoinfo sees them', ['isoinfo'], async () => {
    const listing = await ok('isoinfo', ['-R', '-l', '-i', 'a.iso'], { cwd });
    const blockOf = (name: string): string => {
      const lines = listing.split('\n').filter((line) => line.trimEnd().endsWith(` ${name}`));
      return lines.map((line) => /\[ *(\d+) /.exec(line)?.[1] ?? '').join();
    };
    const [own] = [here].map(folderOf);
    const section = listing.slice(listing.indexOf(`Directory listing of /bin/${own}/`));
    for (const name of ['helm', 'kubectl', 'solpack']) {
      const [, mode, block] = new RegExp(`^(-\\S+).*\\[ *(\\d+) \\S+\\] +${name} *$`, 'm').exec(section)!;
      expect([mode, block]).toEqual(['-rwxr-xr-x', blockOf(hexOf(sha256(bytesOf(`${own}/${name}`))))]);
    }
  });

  judged('are executable files for xorriso and bsdtar, byte for byte', ['xorriso', 'bsdtar'], async () => {
    await ok('xorriso', ['-osirrox', 'on', '-indev', 'a.iso', '-extract', '/bin', 'by-xorriso'], { cwd });
    await ok('mkdir', ['by-bsdtar'], { cwd });
    // It takes paths that share bytes for hard links, so that what they lead to has to come along.
    await ok('bsdtar', ['-xf', 'a.iso', '-C', 'by-bsdtar'], { cwd });
    for (const program of programs) {
      for (const place of ['by-xorriso', 'by-bsdtar/bin']) {
        const file = at(`${place}/${program}`);
        expect(readFileSync(file).equals(bytesOf(program)), file).toBe(true);
        expect(statSync(file).mode & 0o777, file).toBe(0o755);
      }
    }
  });

  judged('are there for 7-Zip and in the Joliet tree', ['7zz', 'isoinfo'], async () => {
    await ok('7zz', ['x', '-oby-7zz', 'a.iso', 'bin'], { cwd });
    for (const program of programs) {
      expect(readFileSync(at(`by-7zz/bin/${program}`)).equals(bytesOf(program)), program).toBe(true);
    }
    const names = await ok('isoinfo', ['-J', '-f', '-i', 'a.iso'], { cwd });
    for (const program of programs) expect(names).toContain(`/bin/${program}`);
  });
});

describe('a tar with an installer', () => {
  judged('is an OCI archive, whose images skopeo takes as before', ['skopeo'], async () => {
    const image = 'registry.example.com/hello/web:1.0.0';
    const copied = ['--insecure-policy', 'copy', '--all', '--quiet', `oci-archive:a.tar:${image}`, 'oci:copied:web'];
    await ok('skopeo', copied, { cwd });
    const raw = ['inspect', '--raw', `oci-archive:a.tar:${image}`];
    const inspected = await ok('skopeo', raw, { cwd });
    expect(inspected).toBe(await ok('skopeo', ['inspect', '--raw', 'oci:copied:web'], { cwd }));
  });

  judged('shows oras the installer in its root, for no platform', ['oras'], async () => {
    const fetched = await ok('oras', ['manifest', 'fetch', '--oci-layout', 'a.tar:1.0.0'], { cwd });
    const type = 'application/vnd.solpack.solution.installer.v1+json';
    const entries = JSON.parse(fetched).manifests.filter((one: { artifactType?: string }) => one.artifactType === type);
    expect(entries).toMatchObject([{ platform: { os: 'unknown', architecture: 'unknown' } }]);
    const reference = `a.tar@${entries[0].digest}`;
    const manifest = JSON.parse(await ok('oras', ['manifest', 'fetch', '--oci-layout', reference], { cwd }));
    expect(manifest).toMatchObject({ artifactType: type, config: { mediaType: 'application/vnd.oci.empty.v1+json' } });
    const titles = manifest.layers.map((layer: { annotations: Record<string, string> }) => layer.annotations);
    expect(titles).toEqual(
      programs.map((program) => ({
        'org.opencontainers.image.title': `bin/${program}`,
        'io.solpack.file.mode': '0755',
      })),
    );
  });
});
