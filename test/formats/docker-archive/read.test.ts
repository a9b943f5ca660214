import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memory } from '../../../formats/bytes.ts';
import { hexOf, sha256 } from '../../../formats/digest.ts';
import { encodeDockerImage, readDockerArchive } from '../../../formats/docker-archive/read.ts';
import { FormatError } from '../../../formats/error.ts';
import { openTar } from '../../../formats/tar/read.ts';
import { tarOf } from '../../support/image.ts';
import { archive, entry } from '../../support/tar.ts';

const layer = tarOf({ a: 'b' });
const config = Buffer.from(
  JSON.stringify({ os: 'linux', architecture: 'amd64', rootfs: { diff_ids: [sha256(layer)] } }),
);
const configName = `${hexOf(sha256(config))}.json`;
const item = { Config: configName, RepoTags: ['web:1'], Layers: ['l/layer.tar'] };
const parts = (list: unknown = [item]) => [
  entry(configName, { body: config }),
  entry('l/layer.tar', { body: layer }),
  entry('manifest.json', { body: typeof list === 'string' ? list : JSON.stringify(list) }),
];
const read = async (bytes: Uint8Array) => readDockerArchive(await openTar(memory(bytes)), memory(bytes));

describe('the reader of Docker archives', () => {
  test('finds config and layers, and makes one manifest of them', async () => {
    const [image] = await read(archive(...parts()));
    expect(image?.repoTags).toEqual(['web:1']);
    expect(image?.layers[0]).toMatchObject({
      digest: sha256(layer),
      file: { path: 'l/layer.tar', size: layer.length },
    });
    const bytes = encodeDockerImage(image!, [sha256(layer)]);
    expect(sha256(bytes)).toBe('sha256:e635ac93cd388953bb87ca40d875b92c14d162537541ee4eaeea16aa946506b1');
    expect(JSON.parse(Buffer.from(bytes).toString())).toMatchObject({
      schemaVersion: 2,
      config: { digest: sha256(config), size: config.length },
      layers: [{ digest: sha256(layer), size: layer.length }],
    });
  });

  test('leaves the digest of a compressed layer open', async () => {
    for (const [magic, suffix] of [
      ['1f8b0800', '+gzip'],
      ['28b52ffd', '+zstd'],
    ]) {
      const [image] = await read(
        archive(
          entry(configName, { body: config }),
          entry('l/layer.tar', { body: Buffer.from(magic!, 'hex') }),
          parts()[2]!,
        ),
      );
      expect(image?.layers[0]).toMatchObject({
        digest: undefined,
        mediaType: `application/vnd.oci.image.layer.v1.tar${suffix}`,
      });
    }
  });

  test('follows links inside the archive only', async () => {
    const linked = (target: string) =>
      read(
        archive(
          entry(configName, { body: config }),
          entry('real', { body: layer }),
          entry('l/layer.tar', { type: '2', link: target }),
          parts()[2]!,
        ),
      );
    expect((await linked('../real'))[0]?.layers[0]?.file.path).toBe('real');
    for (const target of ['/etc/passwd', '../../real', 'layer.tar', '../l', 'absent']) {
      await expect(linked(target)).rejects.toThrow(expect.objectContaining({ code: 'docker-archive-invalid' }));
    }
  });

  const refused: [string, unknown][] = [
    ['is not JSON', '{'],
    ['is not a list', item],
    ['has no config', [{ ...item, Config: undefined }]],
    ['names a config that is not there', [{ ...item, Config: 'absent.json' }]],
    ['names a config outside', [{ ...item, Config: '../../etc/passwd' }]],
    ['names a layer that is not there', [{ ...item, Layers: ['absent'] }]],
    ['names more layers than the config', [{ ...item, Layers: ['l/layer.tar', 'l/layer.tar'] }]],
    ['names no layers', [{ ...item, Layers: null }]],
    ['names a config that is none', [{ ...item, Config: 'l/layer.tar' }]],
    ['lists too many images', Array.from({ length: 1001 }, () => item)],
  ];
  test.for(refused)('refuses a manifest.json that %s', async ([, list]) => {
    await expect(read(archive(...parts(list)))).rejects.toThrow(
      expect.objectContaining({ code: 'docker-archive-invalid' }),
    );
  });

  test('refuses a config that is not what its name says', async () => {
    const name = `${'0'.repeat(64)}.json`;
    const list = JSON.stringify([{ ...item, Config: name }]);
    const bytes = archive(entry(name, { body: config }), parts()[1]!, entry('manifest.json', { body: list }));
    await expect(read(bytes)).rejects.toThrow(/has the digest sha256:/);
  });

  test('refuses an archive without manifest.json', async () => {
    await expect(read(archive(parts()[0]!))).rejects.toThrow(/should have "manifest.json"/);
  });

  test('ends damaged archives in a FormatError or a list of images', async () => {
    const original = archive(...parts());
    const edits = fc.array(fc.tuple(fc.nat({ max: original.length - 1 }), fc.nat({ max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(edits, async (list) => {
        const bytes = Buffer.from(original);
        for (const [at, value] of list) bytes[at] = value;
        try {
          for (const image of await read(bytes))
            encodeDockerImage(
              image,
              image.layers.map(() => sha256(layer)),
            );
        } catch (error) {
          if (!(error instanceof FormatError)) throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
