import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, type TestContext, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { verified } from '../../../../formats/digest.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { generateKey, loadPrivateKey } from '../../../../lib/parts/trust/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { type Containerd, ownContainerd } from '../../../support/containerd.ts';
import { packHere } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { imageContext } from '../../../support/sources.ts';

const folder = scratch('containerd');
const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'containerd' });
const other = buildImage({ seed: 'other' });
const containerd = ownContainerd(folder);
const address = join(folder, 'containerd/containerd.sock');
const context = imageContext(folder, { daemons: { containerd: { address, namespace: 'k8s.io' } } });
let imported = false;

/** Starts a containerd of which only the content store is used, with two images in it. */
async function started(context: TestContext): Promise<Containerd> {
  if (process.getuid?.() !== 0) context.skip('needs root');
  const running = await containerd();
  if (imported) return running;
  imported = true;
  const images = [
    { name: 'registry.example.com/team/web:v1', image },
    { name: 'docker.io/library/other:1', image: other },
  ];
  await writeLayout(join(folder, 'in'), images);
  await ok('tar', ['-cf', join(folder, 'in.tar'), '-C', join(folder, 'in'), 'oci-layout', 'index.json', 'blobs']);
  await running.ctr('images', 'import', '--no-unpack', '--all-platforms', join(folder, 'in.tar'));
  return running;
}

describe('an image of containerd', () => {
  judged('is read out of its content store, byte for byte', ['containerd'], async (test) => {
    await started(test);
    for (const [name, expected] of [
      ['registry.example.com/team/web:v1', image],
      ['other:1', other],
    ] as const) {
      const { source, name: wanted } = await openImageSource(`containerd:${name}`, context);
      const root = await source.resolve(wanted);
      expect(root).toEqual({ ...expected.index });
      const { manifests, blobs } = await closureOf(new Manifests(source), root!);
      expect(manifests.length + blobs.length).toBe(expected.blobs.size);
      for (const blob of blobs) {
        const bytes = await collect(verified(source.open(blob), blob), 2 ** 20);
        expect(Buffer.compare(bytes, expected.blobs.get(blob.digest)!)).toBe(0);
        const rest = await collect(source.open(blob, { offset: 7 }), blob.size);
        expect(Buffer.compare(rest, bytes.subarray(7))).toBe(0);
      }
      expect((await source.resolve(root!.digest))?.size).toBe(root!.size);
      await source.close();
    }
  });

  judged('that is not there is not found', ['containerd'], async (test) => {
    await started(test);
    const { source, name } = await openImageSource('containerd:registry.example.com/none:v1', context);
    expect(await source.resolve(name)).toBeUndefined();
    expect(await source.resolve(`sha256:${'0'.repeat(64)}`)).toBeUndefined();
  });

  judged('of which a platform was never pulled says what to do', ['containerd'], async (test) => {
    const { ctr } = await started(test);
    const { source, name } = await openImageSource('containerd:registry.example.com/team/web:v1', context);
    const root = await source.resolve(name);
    await ctr('content', 'delete', image.manifests[1]!.digest);
    await expect(closureOf(new Manifests(source), root!)).rejects.toMatchObject({
      code: 'source-invalid',
      side: 'source',
      message: expect.stringContaining(image.manifests[1]!.digest),
      hint: expect.stringContaining('platforms = ['),
    });
    expect(
      (
        await closureOf(new Manifests(source), root!, {
          keep:
            () =>
            ({ digest }) =>
              digest !== image.manifests[1]!.digest,
        })
      ).absent,
    ).toHaveLength(1);
  });

  judged('is out of reach where containerd does not run', ['containerd'], async () => {
    const nowhere = imageContext(folder, { daemons: { containerd: { address: join(folder, 'none.sock') } } });
    await expect(openImageSource('containerd:web:1', nowhere)).rejects.toMatchObject({
      code: 'source-invalid',
      hint: expect.stringContaining('CONTAINERD_ADDRESS'),
    });
  });

  test('needs ctr, and a reference', async () => {
    mkdirSync(join(folder, 'empty'), { recursive: true });
    const bare = { ...context, host: { ...context.host, path: [join(folder, 'empty')] } };
    expect(existsSync(join(folder, 'empty/ctr'))).toBe(false);
    await expect(openImageSource('containerd:web:1', bare)).rejects.toMatchObject({
      code: 'tool-missing',
      subject: 'ctr',
    });
    await expect(openImageSource('containerd:', context)).rejects.toMatchObject({ code: 'source-invalid' });
  });
});

judged(
  'a signed tar is imported by containerd as it is, with the names of its images',
  ['containerd'],
  async (test) => {
    const { ctr } = await started(test);
    await smallSolution(join(folder, 'solution'));
    const key = join(folder, 'release.key');
    writeFileSync(key, generateKey('ed25519').privatePem);
    const archive = join(folder, 'signed.tar');
    await packHere(join(folder, 'solution/solution.toml'), archive, { sign: await loadPrivateKey(key) });
    await ctr('images', 'import', '--no-unpack', archive);
    const names = (await ctr('images', 'ls', '-q')).split('\n');
    expect(names).toEqual(
      expect.arrayContaining(['registry.example.com/hello/job:1.0.0', 'registry.example.com/hello/web:1.0.0']),
    );
  },
);
