import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes, noPlatform } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import { parseLock } from '../../../../formats/solution/lock.ts';
import { inspect } from '../../../../lib/flows/inspect/index.ts';
import { serve } from '../../../../lib/flows/serve/index.ts';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { solpack, succeeds } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { withArchive, writeDefinition } from '../../../support/packing.ts';

const folder = scratch('platforms');
const reference = 'registry.example.com/team/web:v1';
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64', 'linux/arm/v7'], seed: 'platforms' });
const original = 'io.solpack.image.original';

async function packed(
  name: string,
  lines: readonly string[],
  index = image.index,
  blobs = image.blobs,
): Promise<string> {
  await writeLayout(join(folder, name, 'in'), [{ name: 'v1', image: { index, blobs } }]);
  const more = ['platforms = ["linux/arm64", "linux/arm"]', ...lines];
  const definition = writeDefinition(join(folder, name), [{ reference, source: 'oci:in:v1', more }]);
  const archive = join(folder, `${name}.tar`);
  await packHere(definition, archive);
  const { findings } = await verify({ archive, trust: undefined }, testFlow());
  expect(findings).toEqual([]);
  return archive;
}

describe('an image of which platforms are selected', () => {
  test('keeps its index as it is, without some children, unless a new one is asked for', async () => {
    for (const lines of [[], ['select = "sparse"']]) {
      await withArchive(await packed('sparse', lines), ({ catalog }) => {
        const [web] = catalog.images;
        expect(web!.descriptor.digest).toBe(image.index.digest);
        expect(web!.platforms).toEqual(['linux/arm/v7', 'linux/arm64']);
        expect(web!.closure.absent.map(({ digest }) => digest)).toEqual([image.manifests[0]!.digest]);
      });
    }
  });

  test('tells what it lacks, in verify and inspect', async () => {
    const archive = await packed('told', []);
    const flow = testFlow();
    await verify({ archive, trust: undefined }, flow);
    const message = expect.stringContaining(`linux/amd64 (${image.manifests[0]!.digest})`);
    expect(flow.events).toContainEqual({ type: 'notice', subject: reference, message });
    const { images } = await inspect(archive, testFlow());
    expect(images[0]!.absent).toEqual([{ digest: image.manifests[0]!.digest, platform: 'linux/amd64' }]);
    expect(await succeeds(['inspect', archive])).toContain('linux/arm/v7, linux/arm64 without linux/amd64');
  });

  test('is served without the children it lacks, which are answered with 404', async () => {
    const archives = [await packed('served', [])];
    const serving = await serve(
      { archives, listen: { host: '127.0.0.1', port: 0 }, configuration: undefined },
      testFlow(),
    );
    try {
      const ask = (name: string) => fetch(`${serving.url}/v2/registry.example.com/team/web/manifests/${name}`);
      expect(sha256(Buffer.from(await (await ask('v1')).arrayBuffer()))).toBe(image.index.digest);
      expect((await ask(image.manifests[1]!.digest)).status).toBe(200);
      const answer = await ask(image.manifests[0]!.digest);
      expect(answer.status).toBe(404);
      const { errors } = JSON.parse(await answer.text()) as { errors: object[] };
      expect(errors).toMatchObject([
        { code: 'MANIFEST_UNKNOWN', message: expect.stringContaining('without it, linux/amd64') },
      ]);
    } finally {
      await serving[Symbol.asyncDispose]();
    }
  });

  test('has a new index where that is asked for, which names the one it was made of', async () => {
    const archive = await packed('index', ['select = "index"']);
    const index = await withArchive(archive, ({ catalog }) => {
      const [web] = catalog.images;
      expect(web!.descriptor.annotations?.[original]).toBe(image.index.digest);
      expect(web!.closure.absent).toEqual([]);
      return web!.closure.manifests.at(-1)!;
    });
    const { manifests, ...rest } = JSON.parse(Buffer.from(index.bytes).toString()) as { manifests: Descriptor[] };
    expect(manifests).toEqual(image.manifests.slice(1));
    expect(rest).toEqual({
      schemaVersion: 2,
      mediaType: mediaTypes.index,
      annotations: { [original]: image.index.digest },
    });
    const [locked] = parseLock(readFileSync(join(folder, 'index/solution.lock'))).images;
    expect(locked).toMatchObject({ digest: image.index.digest, select: 'index' });
    await packHere(join(folder, 'index/solution.toml'), archive, { lock: 'locked' });
  });

  judged('and made a new index of is whole for skopeo', ['skopeo'], async () => {
    const archive = await packed('whole', ['select = "index"']);
    const to = join(folder, 'whole-copy');
    await ok('skopeo', ['--insecure-policy', 'copy', '--all', `oci-archive:${archive}:${reference}`, `dir:${to}`]);
    const wanted = await withArchive(archive, ({ catalog }) => catalog.images[0]!.descriptor.digest);
    expect(sha256(readFileSync(join(to, 'manifest.json')))).toBe(wanted);
  });

  test('keeps the attestations of what is kept, and leaves out the others', async () => {
    const blobs = new Map(image.blobs);
    const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
      blobs.set(sha256(bytes), bytes);
      return { mediaType, digest: sha256(bytes), size: bytes.length };
    };
    const attest = (about: Descriptor): Descriptor => {
      const config = add(
        mediaTypes.config,
        encodeJson({ os: 'unknown', architecture: 'unknown', about: about.digest }),
      );
      const statement = add('application/vnd.in-toto+json', encodeJson({ subject: about.digest }));
      const manifest = add(mediaTypes.manifest, encodeManifest({ config, layers: [statement] }));
      const notes = {
        'vnd.docker.reference.type': 'attestation-manifest',
        'vnd.docker.reference.digest': about.digest,
      };
      return { ...manifest, platform: noPlatform, annotations: notes };
    };
    const attestations = image.manifests.map(attest);
    const index = add(mediaTypes.index, encodeIndex({ manifests: [...image.manifests, ...attestations] }));
    for (const select of ['sparse', 'index']) {
      await withArchive(await packed(`attested-${select}`, [`select = "${select}"`], index, blobs), ({ catalog }) => {
        const there = catalog.manifests.map(({ descriptor }) => descriptor.digest);
        for (const at of [0, 1, 2]) {
          expect(there.includes(attestations[at]!.digest)).toBe(at > 0);
          expect(there.includes(image.manifests[at]!.digest)).toBe(at > 0);
        }
      });
    }
  });

  test('is left alone where nothing is left out', async () => {
    const single = buildImage({ platforms: ['linux/arm64', 'linux/arm/v7'], seed: 'all' });
    await withArchive(await packed('all', ['select = "index"'], single.index, single.blobs), ({ catalog }) => {
      expect(catalog.images[0]!.descriptor.digest).toBe(single.index.digest);
      expect(catalog.images[0]!.descriptor.annotations?.[original]).toBeUndefined();
    });
  });

  test('cannot be made a new index of where its reference names a digest, or an index lies within it', async () => {
    await writeLayout(join(folder, 'pinned/in'), [{ name: 'v1', image }]);
    const more = ['platforms = ["linux/arm64"]', 'select = "index"'];
    const pinned = { reference: `registry.example.com/team/web@${image.index.digest}`, source: 'oci:in:v1', more };
    const packing = packHere(writeDefinition(join(folder, 'pinned'), [pinned]), join(folder, 'no.tar'));
    await expect(packing).rejects.toMatchObject({ code: 'image-unsupported', hint: expect.stringContaining('sparse') });
    const outer = encodeIndex({ manifests: [image.index] });
    const index = { mediaType: mediaTypes.index, digest: sha256(outer), size: outer.length };
    const nested = packed('nested', ['select = "index"'], index, new Map([...image.blobs, [index.digest, outer]]));
    await expect(nested).rejects.toMatchObject({ code: 'image-unsupported', hint: expect.stringContaining('sparse') });
  });
});

describe('platforms that are reported in other ways', () => {
  /** Adds a document to the blobs of an image. */
  const add = (blobs: Map<Digest, Uint8Array>, mediaType: string, bytes: Uint8Array): Descriptor => {
    blobs.set(sha256(bytes), bytes);
    return { mediaType, digest: sha256(bytes), size: bytes.length };
  };

  /** Packs an image with the index or manifest `top`, and some platforms of it. */
  async function packs(
    name: string,
    top: Descriptor,
    blobs: Map<Digest, Uint8Array>,
    platforms: string,
  ): Promise<string> {
    await writeLayout(join(folder, name, 'in'), [{ name: 'v1', image: { index: top, blobs } }]);
    const more = [`platforms = [${platforms}]`];
    const definition = writeDefinition(join(folder, name), [{ reference, source: 'oci:in:v1', more }]);
    const archive = join(folder, `${name}.tar`);
    await packHere(definition, archive);
    const { findings } = await verify({ archive, trust: undefined }, testFlow());
    expect(findings).toEqual([]);
    return archive;
  }

  const kept = (archive: string): Promise<{ platforms: readonly string[]; held: readonly Digest[] }> =>
    withArchive(archive, ({ catalog }) => ({
      platforms: catalog.images[0]!.platforms,
      held: catalog.images[0]!.closure.manifests.map(({ descriptor }) => descriptor.digest),
    }));

  test.each([
    ['arm64 is arm64/v8', ['linux/arm64/v8'], '"linux/arm64"', 0],
    ['arm64/v8 is arm64', ['linux/arm64'], '"linux/arm64/v8"', 0],
    ['arm/v7 is arm', ['linux/arm'], '"linux/arm/v7"', 0],
    ['arm is arm/v7, and not arm/v6', ['linux/arm/v6', 'linux/arm/v7'], '"linux/arm"', 1],
  ] as const)('%s', async (name, there, wanted, at) => {
    const { index, blobs, manifests } = buildImage({ platforms: there, seed: name });
    const { held } = await kept(await packs(name.replaceAll(/\W+/g, '-'), index, blobs, wanted));
    expect(held).toEqual([manifests[at]!.digest, index.digest]);
  });

  test('an image of one manifest is judged by its config', async () => {
    const { manifests, blobs } = buildImage({ platforms: ['linux/arm64'], seed: 'single' });
    const { platform: _, ...single } = manifests[0]!;
    await expect(packs('single-amd64', single, blobs, '"linux/amd64"')).rejects.toMatchObject({
      code: 'image-absent',
      message: expect.stringContaining('has no linux/amd64, only linux/arm64'),
    });
    expect((await kept(await packs('single-arm64', single, blobs, '"linux/arm64/v8"'))).platforms).toEqual([
      'linux/arm64',
    ]);
  });

  test('a manifest that is listed for two platforms is kept for either, and has both', async () => {
    const { manifests, blobs } = buildImage({ platforms: ['linux/amd64'], seed: 'both' });
    const both = ['amd64', 'arm64'].map((architecture) => ({
      ...manifests[0]!,
      platform: { os: 'linux', architecture },
    }));
    const index = add(blobs, mediaTypes.index, encodeIndex({ manifests: both }));
    for (const wanted of ['"linux/amd64"', '"linux/arm64"', '"linux/amd64", "linux/arm64"']) {
      const archive = await packs(`both-${wanted.replaceAll(/\W+/g, '-')}`, index, blobs, wanted);
      expect(await kept(archive)).toEqual({
        platforms: ['linux/amd64', 'linux/arm64'],
        held: [manifests[0]!.digest, index.digest],
      });
    }
  });

  test('an entry without platform is chosen by its config, and left out by it', async () => {
    const { manifests, blobs } = buildImage({ platforms: ['linux/amd64', 'linux/arm64', 'linux/s390x'], seed: 'bare' });
    const bare = manifests.map(({ platform, ...entry }, at) => (at === 2 ? { ...entry, platform } : entry));
    const index = add(blobs, mediaTypes.index, encodeIndex({ manifests: bare }));
    const archive = await packs('bare', index, blobs, '"linux/arm64"');
    expect(await kept(archive)).toEqual({ platforms: ['linux/arm64'], held: [manifests[1]!.digest, index.digest] });
    await expect(packs('bare-no', index, blobs, '"linux/riscv64"')).rejects.toMatchObject({
      message: expect.stringContaining('has no linux/riscv64, only linux/amd64, linux/arm64, linux/s390x'),
    });
  });

  test('an index that names no image is reported, whatever platforms are asked for', async () => {
    const blobs = new Map<Digest, Uint8Array>();
    const index = add(blobs, mediaTypes.index, encodeIndex({ manifests: [] }));
    await expect(packs('empty', index, blobs, '"linux/amd64"')).rejects.toMatchObject({
      code: 'image-absent',
      message: expect.stringContaining('is an index that names no image'),
    });
  });
});

judged('"export --arch" takes what "inspect" prints, and skopeo reads that platform', ['skopeo'], async () => {
  const all = buildImage({
    platforms: ['linux/amd64', 'linux/arm64/v8', 'linux/arm/v6', 'linux/arm/v7'],
    seed: 'export',
  });
  await writeLayout(join(folder, 'export/in'), [{ name: 'v1', image: all }]);
  const definition = writeDefinition(join(folder, 'export'), [{ reference, source: 'oci:in:v1' }]);
  const archive = join(folder, 'export.tar');
  await packHere(definition, archive);
  const { images } = await inspect(archive, testFlow());
  const names = [...images[0]!.platforms, 'arm64', 'arm/v6', 'arm'];
  for (const [at, name] of names.entries()) {
    const file = join(folder, `export-${at}.tar`);
    await succeeds(['export', archive, '--format', 'docker-archive', '--arch', name, '-o', file]);
    const config = JSON.parse(await ok('skopeo', ['inspect', '--config', `docker-archive:${file}`]));
    const found = ['linux', config.architecture, config.variant].filter(Boolean).join('/');
    expect([name, found]).toEqual([
      name,
      { arm64: 'linux/arm64/v8', 'arm/v6': 'linux/arm/v6', arm: 'linux/arm/v7' }[name] ?? name,
    ]);
  }
  const { code, stderr } = await solpack([
    'export',
    archive,
    '--format',
    'docker-archive',
    '--arch',
    's390x',
    '-o',
    join(folder, 'no.tar'),
  ]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('for linux/s390x, only for linux/amd64, linux/arm/v6')]);
});
