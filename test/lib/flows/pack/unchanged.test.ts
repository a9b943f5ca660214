import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { sha256, verified } from '../../../../formats/digest.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import type { PackRequest } from '../../../../lib/flows/pack/index.ts';
import { packHere } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { connectPlainly, withArchive, writeDefinition } from '../../../support/packing.ts';
import { dockerRegistry } from '../../../support/registry.ts';

const folder = scratch('unchanged');
const registry = dockerRegistry(folder);
const reference = 'registry.example.com/team/web:v1';
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'unchanged' });
let packs = 0;

/** Packs one image, and returns the bytes of its manifests and its layers' types, as the archive has them. */
async function packed(source: string, request: Partial<PackRequest> = {}): Promise<{ top: Buffer; types: string[] }> {
  packs += 1;
  const definition = writeDefinition(join(folder, `pack-${packs}`), [{ reference, source }]);
  const archive = join(folder, `pack-${packs}.iso`);
  await packHere(definition, archive, request);
  return withArchive(archive, async ({ catalog, source: content }) => {
    const [web] = catalog.images;
    const top = Buffer.from(await collect(verified(content.open(web!.descriptor), web!.descriptor), 2 ** 22));
    const all = [
      ...web!.closure.manifests.map(({ value }) => value.mediaType),
      ...web!.closure.blobs.map((blob) => blob.mediaType),
    ];
    return { top, types: [...new Set(all)].sort() };
  });
}

async function layout(): Promise<string> {
  await writeLayout(join(folder, 'in'), [{ name: 'v1', image }]);
  return `oci:${folder}/in:v1`;
}

describe('content is not changed:', () => {
  judged(
    'Docker’s schema 2 and its manifest list, out of a registry and a dir:',
    ['skopeo', 'docker-registry'],
    async () => {
      const { host } = await registry();
      const dir = `dir:${folder}/v2s2`;
      const place = `docker://${host}/team/web:v2s2`;
      const format = ['--insecure-policy', 'copy', '--all', '--format', 'v2s2'];
      await ok('skopeo', [...format, '--dest-tls-verify=false', await layout(), place]);
      await ok('skopeo', ['--insecure-policy', 'copy', '--all', '--src-tls-verify=false', place, dir]);
      const raw = await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', place]);
      for (const [source, request] of [
        [dir, {}],
        [place, { connect: connectPlainly }],
      ] as const) {
        const { top, types } = await packed(source, request);
        expect(top.toString()).toBe(raw);
        expect(types).toEqual(
          [
            mediaTypes.dockerList,
            mediaTypes.dockerManifest,
            mediaTypes.dockerConfig,
            'application/vnd.docker.image.rootfs.diff.tar.gzip',
          ].sort(),
        );
      }
    },
  );

  judged('layers that Zstandard compressed', ['skopeo'], async () => {
    const to = `oci:${folder}/zstd:v1`;
    const zstd = ['--dest-compress', '--dest-compress-format', 'zstd'];
    await ok('skopeo', ['--insecure-policy', 'copy', ...zstd, await layout(), `dir:${folder}/zstd-dir`]);
    await ok('skopeo', ['--insecure-policy', 'copy', `dir:${folder}/zstd-dir`, to]);
    const raw = await ok('skopeo', ['inspect', '--raw', to]);
    expect(raw).toContain('application/vnd.oci.image.layer.v1.tar+zstd');
    const { top, types } = await packed(to);
    expect(top.toString()).toBe(raw);
    expect(types).toContain('application/vnd.oci.image.layer.v1.tar+zstd');
  });

  judged('an image that umoci made', ['umoci', 'skopeo'], async () => {
    const path = join(folder, 'umoci');
    await ok('umoci', ['init', '--layout', path]);
    await ok('umoci', ['new', '--image', `${path}:v1`]);
    expect((await packed(`oci:${path}:v1`)).top.toString()).toBe(
      await ok('skopeo', ['inspect', '--raw', `oci:${path}:v1`]),
    );
  });

  judged('an artifact that oras pushed', ['oras', 'docker-registry'], async () => {
    const { host } = await registry();
    writeFileSync(join(folder, 'model.bin'), 'a model');
    const place = `${host}/team/artifact:v1`;
    const args = [
      '--plain-http',
      '--artifact-type',
      'application/vnd.example.model',
      place,
      'model.bin:application/x-model',
    ];
    await ok('oras', ['push', ...args], { cwd: folder });
    const { top, types } = await packed(`docker://${place}`, { connect: connectPlainly });
    expect(top.toString()).toBe(await ok('oras', ['manifest', 'fetch', '--plain-http', place]));
    expect(types).toContain('application/x-model');
  });
});

describe('what cannot be carried unchanged is refused with a reason:', () => {
  const refused = (source: string) =>
    packed(source).then(
      () => undefined,
      (error: unknown) => error,
    );

  test('Docker’s schema 1', async () => {
    mkdirSync(join(folder, 'schema1'));
    const old = { schemaVersion: 1, name: 'web', tag: 'v1', architecture: 'amd64', fsLayers: [], history: [] };
    writeFileSync(join(folder, 'schema1/manifest.json'), JSON.stringify(old));
    expect(await refused(`dir:${folder}/schema1`)).toMatchObject({
      message: expect.stringContaining('schema 1'),
      hint: expect.any(String),
    });
  });

  test('a manifest of more than 4 MiB', async () => {
    const manifest = JSON.parse(Buffer.from(image.blobs.get(image.manifests[0]!.digest)!).toString()) as object;
    const bytes = Buffer.from(JSON.stringify({ ...manifest, annotations: { long: 'x'.repeat(2 ** 22) } }));
    const index = { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length };
    const blobs = new Map([...image.blobs, [index.digest, bytes]]);
    await writeLayout(join(folder, 'large'), [{ name: 'v1', image: { index, blobs } }]);
    expect(await refused(`oci:${folder}/large:v1`)).toMatchObject({
      code: 'image-unsupported',
      message: expect.stringMatching(/^\S+: a manifest of 4\.0 MiB in |^a manifest of 4\.0 MiB in /),
      hint: expect.stringContaining('4 MiB'),
    });
    expect(readFileSync(join(folder, 'large/index.json')).length).toBeLessThan(1000);
  });
});
