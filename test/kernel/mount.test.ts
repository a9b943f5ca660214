import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { writePrograms } from '../support/installer.ts';
import { ok, scratch } from '../support/judges.ts';
import { driveAt, programFiles, runMachine } from '../support/kernel/machine.ts';
import { mediaScript } from '../support/kernel/media.ts';
import { kernelIsHere, kernelTest } from '../support/kernel.ts';
import { noise } from '../support/registry.ts';

const folder = scratch('kernel-mount');
const cwd = folder;
const names = ['hello', 'other'] as const;

/** The digest of a layer of each archive, and of its root. */
const layers: string[] = [];
let out = '';

const said = (file: string): string => readFileSync(join(out, file), 'utf8').trimEnd();
const json = (name: string): unknown => JSON.parse(said(`${name}.stdout`));
/** How an answer of `serve` ended, and the digest of what came. */
const answer = (name: string) => ({ code: said(`${name}.code`), digest: `sha256:${said(`${name}.sum`).slice(0, 64)}` });

/** Writes a Solution whose image has a layer of some megabytes, which nothing keeps in memory. */
async function solution(name: string): Promise<void> {
  const reference = `registry.example.com/${name}/web:1.0.0`;
  const bulk = Buffer.from(noise(name, 3_000_000)).toString('base64');
  const image = buildImage({ platforms: ['linux/amd64'], seed: name, files: { bulk } });
  await writeLayout(join(folder, name, 'images'), [{ name: reference, image }]);
  const images = `[[images]]\nreference = "${reference}"\nsource = "oci:images:${reference}"\n`;
  const component = '[[components]]\nname = "base"\nkind = "manifests"\npath = "base.yaml"\n';
  writeFiles(join(folder, name), {
    'solution.toml': `name = "${name}"\nversion = "1.0.0"\n\n${images}\n${component}`,
    'base.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: base, namespace: default}\n',
  });
}

beforeAll(async () => {
  if (!kernelIsHere()) return;
  writePrograms(join(folder, 'programs'));
  for (const name of names) {
    await solution(name);
    const installer = name === 'hello' ? ['--with-installer', '--installer-from', 'programs'] : [];
    await succeeds(['pack', name, '-o', `${name}.iso`, ...installer], { cwd });
    const listed = await succeeds(['ls', `${name}.iso`, 'blobs', '--json'], { cwd });
    const files = listed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { path: string; type: string; size: number });
    const largest = files.filter(({ type }) => type === 'file').sort((a, b) => b.size - a.size)[0]!;
    layers.push(`sha256:${largest.path.split('/').at(-1)}`);
  }
  const built = join(folder, 'solpack');
  await ok(process.execPath, [join(import.meta.dirname, '../../scripts/build.ts'), '-o', built]);
  const programs = { node: process.execPath, mount: '/usr/bin/mount', umount: '/usr/bin/umount' };
  const files = [];
  for (const [name, path] of Object.entries(programs)) files.push(...(await programFiles(`/usr/bin/${name}`, path)));
  const machine = join(folder, 'machine');
  mkdirSync(machine);
  const served = names.map((name, at) => ({
    drive: driveAt(at),
    repository: `${name}/web`,
    digest: layers[at]!,
  }));
  out = await runMachine(machine, {
    init: mediaScript('/archive.iso', [served[0]!, served[1]!]),
    drives: names.map((name) => join(folder, `${name}.iso`)),
    files: [
      ...files,
      ['/solpack/bin', join(built, 'bin')],
      ['/solpack/package.json', join(built, 'package.json')],
      ['/archive.iso', join(folder, 'hello.iso')],
    ],
    memory: 1024,
  });
});

describe('solpack mount where the kernel reads ISO 9660', () => {
  kernelTest('has it mount the file of an archive, read only, and unmounts it with its loop device', () => {
    const mounted = { archive: '/archive.iso', folder: '/mnt/file', by: 'kernel', already: false };
    expect(jsonSchemas.mount.strict().parse(json('mount-file'))).toMatchObject(mounted);
    expect(said('mount-file.stderr')).not.toMatch(/note|fuse/);
    expect(said('mounts-file')).toMatch(/^\/dev\/loop0 \/mnt\/file iso9660 ro,nosuid,nodev,/);
    expect(said('read.sum').slice(0, 64)).toBe(layers[0]!.slice('sha256:'.length));
    expect(said('write.stderr')).toContain('Read-only file system');
    expect(json('unmount-file')).toMatchObject({ folder: '/mnt/file', already: false });
    expect([said('mounts-none'), said('loops-none')]).toEqual(['', '']);
  });

  kernelTest('has it run the installer of the archive from there, which is what its sums say', () => {
    expect(said('installer.code')).toBe('0');
    expect(said('installer.stdout')).toMatch(/^-rwxr-xr-x .* \/mnt\/file\/bin\/linux-amd64\/solpack$/);
    expect(said('installer.sums').split('\n')).toEqual(
      ['helm', 'kubectl', 'solpack'].map((name) => `bin/linux-amd64/${name}: OK`),
    );
  });

  kernelTest('has it mount the drive that an archive is on, and finds it mounted the second time', () => {
    expect(json('mount-drive')).toMatchObject({
      archive: '/dev/vdb',
      folder: '/mnt/drive',
      by: 'kernel',
      already: false,
    });
    expect(json('mount-again')).toMatchObject({ by: 'kernel', already: true });
    expect(said('mounts-drive')).toMatch(/^\/dev\/\S+ \/mnt\/drive iso9660 ro,nosuid,nodev,\S+ 0 0$/);
    expect(json('unmount-drive')).toMatchObject({ already: false });
    expect(said('mounts-end')).toBe('');
  });

  kernelTest('verifies and inspects the folder and the drive as it does the file', async () => {
    const own = JSON.parse(await succeeds(['inspect', 'hello.iso', '--json'], { cwd }));
    for (const place of ['folder', 'device']) {
      expect([said(`verify-${place}.code`), said(`verify-${place}.stdout`)]).toEqual([
        '0',
        expect.stringContaining('hello 1.0.0'),
      ]);
      expect((json(`inspect-${place}`) as typeof own).root).toEqual(own.root);
    }
  });
});

describe('a drive that is pulled out while it is served', () => {
  for (const [at, place] of (['folder', 'device'] as const).entries()) {
    kernelTest(`as a ${place} gives errors, never wrong bytes, and is served again once it is back`, () => {
      const right = { code: '0', digest: layers[at] };
      expect(answer(`before-${place}`)).toEqual(right);
      expect(said('drives-pulled')).toBe('/dev/vda');
      for (const when of ['pulled', 'still']) {
        expect(answer(`${when}-${place}`).code).not.toBe('0');
        expect(said(`${when}-${place}.stderr`)).toMatch(/HTTP\/1.1 (?:404|50\d) /);
      }
      expect(answer(`back-${place}`)).toEqual(right);
    });
  }

  kernelTest('does not end what serves it', () => {
    expect(json('mount-back')).toMatchObject({ by: 'kernel', already: false });
    expect(said('serve.code')).toBe('0');
  });
});
