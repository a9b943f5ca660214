import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { hexOf, sha256, verified } from '../../../../formats/digest.ts';
import { blobPath } from '../../../../formats/oci/layout.ts';
import type { Manifest } from '../../../../formats/oci/manifest.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { buildImage, layoutFiles, tarOf, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { imageContext } from '../../../support/sources.ts';
import { packTar } from '../../../support/tar.ts';

const folder = scratch('docker-archives');
const context = imageContext(folder);
const tar = tarOf({ hello: 'world' });
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const config = (seed: string) =>
  json({ os: 'linux', architecture: 'amd64', seed, rootfs: { type: 'layers', diff_ids: [sha256(tar)] } });
const nameOf = (bytes: Uint8Array): string => `${hexOf(sha256(bytes))}.json`;

async function manifestOf(spec: string): Promise<{ manifest: Manifest; digest: string }> {
  const { source, name } = await openImageSource(spec, context);
  const root = await source.resolve(name);
  const { manifests, blobs } = await closureOf(new Manifests(source), root!);
  for (const blob of blobs) await collect(verified(source.open(blob), blob), 2 ** 20);
  await source.close();
  return { manifest: manifests[0]!.value as Manifest, digest: root!.digest };
}

describe('a Docker archive', () => {
  test('gets a manifest of the bytes as they are stored, the same one each time', async () => {
    const one = config('one');
    await writeFile(
      join(folder, 'plain.tar'),
      packTar(
        new Map([
          [nameOf(one), one],
          ['l.tar', tar],
          ['manifest.json', json([{ Config: nameOf(one), RepoTags: null, Layers: ['l.tar'] }])],
        ]),
      ),
    );
    const { manifest, digest } = await manifestOf('docker-archive:plain.tar');
    expect(manifest.config).toEqual({
      mediaType: 'application/vnd.oci.image.config.v1+json',
      digest: sha256(one),
      size: one.length,
    });
    expect(manifest.layers).toEqual([
      { mediaType: 'application/vnd.oci.image.layer.v1.tar', digest: sha256(tar), size: tar.length },
    ]);
    expect((await manifestOf('docker-archive:plain.tar:@0')).digest).toBe(digest);
    expect((await manifestOf(`docker-archive:plain.tar:${digest}`)).digest).toBe(digest);
    expect((await manifestOf(`docker-archive:plain.tar:${sha256(one)}`)).digest).toBe(digest);
  });

  test('with compressed layers names them by what is stored', async () => {
    const one = config('gzip');
    const gzip = gzipSync(tar);
    await writeFile(
      join(folder, 'gzip.tar'),
      packTar(
        new Map([
          [nameOf(one), one],
          ['l.tar', gzip],
          ['manifest.json', json([{ Config: nameOf(one), Layers: ['l.tar'] }])],
        ]),
      ),
    );
    expect((await manifestOf('docker-archive:gzip.tar')).manifest.layers).toEqual([
      { mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', digest: sha256(gzip), size: gzip.length },
    ]);
  });

  test('of the old kind follows the links between shared layers', async () => {
    const at = join(folder, 'old');
    const configs = [config('a'), config('b')];
    const list = configs.map((bytes, index) => ({
      Config: nameOf(bytes),
      RepoTags: [`web:${index}`],
      Layers: [`id${index}/layer.tar`],
    }));
    for (const index of [0, 1]) {
      await mkdir(join(at, `id${index}`), { recursive: true });
      await writeFile(join(at, nameOf(configs[index]!)), configs[index]!);
    }
    await writeFile(join(at, 'id0/layer.tar'), tar);
    await symlink('../id0/layer.tar', join(at, 'id1/layer.tar'));
    await writeFile(join(at, 'manifest.json'), json(list));
    await ok('tar', ['-cf', join(folder, 'old.tar'), '-C', at, '.']);
    const { manifest } = await manifestOf('docker-archive:old.tar:docker.io/library/web:1');
    expect(manifest.config.digest).toBe(sha256(configs[1]!));
    expect(manifest.layers[0]?.digest).toBe(sha256(tar));
    const { source } = await openImageSource('docker-archive:old.tar', context);
    await expect(source.resolve('')).rejects.toMatchObject({ hint: expect.stringContaining('web:0, web:1') });
    await source.close();
  });

  test('of Docker 25 and later is read as the OCI layout that it also is', async () => {
    const image = buildImage();
    const manifest = image.manifests[0]!;
    const value = JSON.parse(Buffer.from(image.blobs.get(manifest.digest)!).toString()) as Manifest;
    const item = {
      Config: blobPath(value.config.digest),
      RepoTags: ['web:1'],
      Layers: value.layers.map(({ digest }) => blobPath(digest)),
    };
    const files = layoutFiles([{ name: '', image: { ...image, index: manifest } }]);
    await writeFile(join(folder, 'hybrid.tar'), packTar(new Map([...files, ['manifest.json', json([item])]])));
    for (const name of ['', ':web:1', ':docker.io/library/web:1', ':@0']) {
      expect((await manifestOf(`docker-archive:hybrid.tar${name}`)).digest).toBe(manifest.digest);
    }
    const { source } = await openImageSource('docker-archive:hybrid.tar', context);
    expect(await source.resolve('web:2')).toBeUndefined();
    await source.close();
  });

  test('that is none says so', async () => {
    await writeFile(join(folder, 'none.tar'), packTar(new Map([['a', json(1)]])));
    await expect(openImageSource('docker-archive:none.tar', context)).rejects.toMatchObject({
      code: 'source-invalid',
      message: 'is not what docker save writes: it has no manifest.json',
    });
    await writeFile(join(folder, 'none.tar.bz2'), Buffer.from('BZh91AY&SY'));
    await expect(openImageSource('docker-archive:none.tar.bz2', context)).rejects.toMatchObject({
      code: 'source-invalid',
      subject: join(folder, 'none.tar.bz2'),
    });
  });
});

judged('skopeo’s Docker archives give the config and the layers that skopeo finds in them', ['skopeo'], async () => {
  const images = ['one', 'two'].map((seed) => ({
    name: seed,
    image: buildImage({ seed, files: { 'usr/share/text': seed.repeat(20_000) } }),
  }));
  await writeLayout(join(folder, 'in'), images);
  for (const { name } of images) {
    const path = join(folder, `skopeo-${name}.tar`);
    await ok('skopeo', [
      '--insecure-policy',
      'copy',
      `oci:${folder}/in:${name}`,
      `docker-archive:${path}:example.com/app:${name}`,
    ]);
    const said = JSON.parse(await ok('skopeo', ['inspect', '--raw', `docker-archive:${path}`])) as Manifest;
    const { manifest } = await manifestOf(`docker-archive:${path}:example.com/app:${name}`);
    expect(manifest.config.digest).toBe(said.config.digest);
    const pairs = (value: Manifest) => value.layers.map(({ digest, size }) => `${digest} ${size}`);
    expect(pairs(manifest)).toEqual(pairs(said));
    const list = JSON.parse((await readFile(path)).toString('latin1').match(/\[\{"Config".*?\}\]/)![0]) as {
      RepoTags: string[];
    }[];
    expect(list[0]?.RepoTags).toEqual([`example.com/app:${name}`]);
  }
});
