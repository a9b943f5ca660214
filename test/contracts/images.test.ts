import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect } from '../../formats/bytes.ts';
import { hexOf, sha256, verified } from '../../formats/digest.ts';
import { closureOf, fetchManifest, Manifests } from '../../lib/kernel/content/manifests.ts';
import { type ImageSourceContext, imageSourceKinds, openImageSource } from '../../lib/parts/images/index.ts';
import { packHere } from '../support/flow.ts';
import { buildImage, layoutFiles, tarOf, writeLayout } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { imageContext } from '../support/sources.ts';
import { packTar } from '../support/tar.ts';

const folder = scratch('image-kinds');
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'contract' });
const layout = [{ name: 'v1', image }];
const NONE = sha256('no such image');

/** How an input of each transport is made, with the location to open and one that lacks what the image needs. */
const inputs: Record<string, { make(at: string): Promise<void>; location: string; damage(at: string): Promise<void> }> =
  {
    oci: {
      make: (at) => writeLayout(at, layout),
      location: 'input:v1',
      damage: (at) => writeFile(join(at, 'index.json'), '{'),
    },
    'oci-archive': {
      make: (at) => writeFile(at, packTar(layoutFiles(layout))),
      location: 'input:v1',
      damage: (at) => writeFile(at, 'not a tar archive'),
    },
    'docker-archive': {
      make: async (at) => {
        const tar = tarOf({ hello: 'world' });
        const config = Buffer.from(
          JSON.stringify({ os: 'linux', architecture: 'amd64', rootfs: { diff_ids: [sha256(tar)] } }),
        );
        const name = `${hexOf(sha256(config))}.json`;
        const list = Buffer.from(
          JSON.stringify([{ Config: name, RepoTags: ['example.com/web:v1'], Layers: ['layer.tar'] }]),
        );
        await writeFile(
          at,
          packTar(
            new Map([
              [name, config],
              ['layer.tar', tar],
              ['manifest.json', list],
            ]),
          ),
        );
      },
      location: 'input:example.com/web:v1',
      damage: (at) => writeFile(at, packTar(new Map([['manifest.json', Buffer.from('{')]]))),
    },
    solpack: {
      make: async (at) => {
        const definition = join(dirname(at), 'solution.toml');
        const lines = ['name = "source"', 'version = "1.0.0"', '[[images]]', 'reference = "example.com/web:v1"'];
        await writeLayout(join(dirname(at), 'layout'), layout);
        await writeFile(definition, [...lines, 'source = "oci:layout:v1"', ''].join('\n'));
        await packHere(definition, at, { format: 'iso' });
      },
      location: 'input:example.com/web:v1',
      damage: (at) => writeFile(at, 'not an archive'),
    },
    dir: {
      make: async (at) => {
        await mkdir(at, { recursive: true });
        for (const [digest, bytes] of image.blobs) {
          await writeFile(join(at, digest === image.index.digest ? 'manifest.json' : hexOf(digest)), bytes);
        }
      },
      location: 'input',
      damage: (at) => writeFile(join(at, 'manifest.json'), '{}'),
    },
  };

const context = (at: string): ImageSourceContext =>
  imageContext(at, { connect: async () => (await openImageSource('oci:registry', context(at))).source });

test('every transport that reads files has an input here', () => {
  const asked = ['docker', 'containerd', 'docker-daemon'];
  expect(imageSourceKinds.map(({ transport }) => transport).sort()).toEqual([...asked, ...Object.keys(inputs)].sort());
});

for (const [transport, input] of Object.entries(inputs)) {
  describe(`an image source of transport ${transport}`, () => {
    const at = join(folder, transport);
    const opened = async () => {
      await mkdir(at, { recursive: true });
      await input.make(join(at, 'input'));
      return openImageSource(`${transport}:${input.location}`, context(at));
    };

    test('resolves its image and holds all that the image needs, byte for byte', async () => {
      const { source, name } = await opened();
      const root = await source.resolve(name);
      expect(root?.digest).toMatch(/^sha256:/);
      const { manifests, blobs } = await closureOf(new Manifests(source), root!);
      expect(manifests.at(-1)?.descriptor.digest).toBe(root!.digest);
      expect(blobs.length).toBeGreaterThanOrEqual(2);
      for (const blob of blobs) {
        expect((await collect(verified(source.open(blob), blob), 2 ** 20)).length).toBe(blob.size);
      }
      await source.close();
    });

    test('resolves the digest of its image, and the same one each time it is opened', async () => {
      const first = await opened();
      const root = await first.source.resolve(first.name);
      expect(await first.source.resolve(root!.digest)).toMatchObject({ digest: root!.digest, size: root!.size });
      await first.source.close();
      const second = await opened();
      await fetchManifest(second.source, root!);
      expect((await second.source.resolve(second.name))?.digest).toBe(root!.digest);
      await second.source.close();
    });

    test('reads content from any byte on', async () => {
      const { source, name } = await opened();
      const root = (await source.resolve(name))!;
      const { blobs } = await closureOf(new Manifests(source), root);
      for (const content of [root, ...blobs]) {
        const whole = await collect(source.open(content), 2 ** 20);
        for (const offset of [1, whole.length - 1, whole.length]) {
          const rest = await collect(source.open(content, { offset }), 2 ** 20);
          expect(Buffer.compare(rest, whole.subarray(offset))).toBe(0);
        }
      }
      await source.close();
    });

    test('has no image of another name', async () => {
      const { source } = await opened();
      expect(await source.resolve('other.example.com/none:v9')).toBeUndefined();
      expect(await source.resolve(NONE)).toBeUndefined();
      await source.close();
    });

    test('tells which content is missing, and where', async () => {
      const { source } = await opened();
      const lost = collect(source.open({ mediaType: '', digest: NONE, size: 1 }), 1);
      await expect(lost).rejects.toMatchObject({ code: 'source-invalid', subject: join(at, 'input'), side: 'source' });
      await source.close();
    });

    test('stops when it is told to', async () => {
      const { source, name } = await opened();
      const root = await source.resolve(name);
      const bytes = source.open(root!, { signal: AbortSignal.abort(new Error('told to stop')) });
      await expect(collect(bytes, 2 ** 20)).rejects.toThrow('told to stop');
      await source.close();
    });

    test('that is not there, or damaged, is refused with its path and what to do', async () => {
      const missing = openImageSource(`${transport}:absent`, context(at));
      await expect(missing).rejects.toMatchObject({
        code: 'file-missing',
        subject: join(at, 'absent'),
        hint: expect.any(String),
      });
      await (await opened()).source.close();
      await input.damage(join(at, 'input'));
      const damaged = openImageSource(`${transport}:${input.location}`, context(at));
      await expect(damaged).rejects.toMatchObject({
        code: 'source-invalid',
        subject: join(at, 'input'),
        hint: expect.any(String),
      });
      await input.make(join(at, 'input'));
    });
  });
}

describe('an image source of transport docker', () => {
  test('asks the repository that the reference names for its digest or its tag', async () => {
    await writeLayout(join(folder, 'registry'), [{ name: '1.27', image }]);
    for (const [location, name] of [
      ['//nginx:1.27', '1.27'],
      ['//nginx', 'latest'],
      [`//nginx:1.27@${image.index.digest}`, image.index.digest],
    ] as const) {
      const asked: unknown[] = [];
      const connect: ImageSourceContext['connect'] = (reference) => {
        asked.push(`${reference.registry}/${reference.repository}`);
        return context(folder).connect(reference);
      };
      const found = await openImageSource(`docker:${location}`, imageContext(folder, { connect }));
      expect(found.name).toBe(name);
      expect(asked).toEqual(['docker.io/library/nginx']);
      expect((await found.source.resolve(name))?.digest).toBe(name === 'latest' ? undefined : image.index.digest);
    }
  });

  test('refuses what is not a reference', async () => {
    for (const location of ['nginx:1', '//web/UPPER:1', '//', '//nginx@sha256:1']) {
      const opening = openImageSource(`docker:${location}`, context(folder));
      await expect(opening).rejects.toMatchObject({
        code: 'source-invalid',
        hint: expect.stringContaining('docker://'),
      });
    }
  });
});
