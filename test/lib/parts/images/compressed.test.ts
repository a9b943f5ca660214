import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { verified } from '../../../../formats/digest.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { buildImage, layoutFiles, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { imageContext } from '../../../support/sources.ts';
import { packTar } from '../../../support/tar.ts';

const folder = scratch('compressed');
const temp = join(folder, 'temp');
mkdirSync(temp);
const context = imageContext(folder, { host: { ...imageContext(folder).host, temp } });
const image = buildImage({ seed: 'compressed' });
const tar = packTar(layoutFiles([{ name: 'v1', image }]));

async function rootOf(spec: string): Promise<string> {
  const { source, name } = await openImageSource(spec, context);
  try {
    const root = await source.resolve(name);
    const { blobs } = await closureOf(new Manifests(source), root!);
    for (const blob of blobs) await collect(verified(source.open(blob), blob), 2 ** 20);
    for (const blob of blobs) expect((await source.locate?.(blob))?.path).toMatch(new RegExp(`^${temp}/`));
    return root!.digest;
  } finally {
    await source.close();
  }
}

describe('an archive that is compressed', () => {
  test.each([
    ['gzip', gzipSync],
    [
      'several members of gzip',
      (bytes: Uint8Array) => Buffer.concat([bytes.subarray(0, 700), bytes.subarray(700)].map((part) => gzipSync(part))),
    ],
    ['Zstandard', zstdCompressSync],
  ])('by %s is read as what is in it, and nothing of that is left', async (_, compress) => {
    writeFileSync(join(folder, 'image.tar.z'), compress(tar));
    expect(await rootOf('oci-archive:image.tar.z:v1')).toBe(image.index.digest);
    expect(readdirSync(temp)).toEqual([]);
  });

  test('and cut off or damaged is refused, and nothing of it is left', async () => {
    const whole = gzipSync(tar);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 0xff;
    for (const bytes of [whole.subarray(0, whole.length - 20), whole.subarray(0, 5), flipped]) {
      writeFileSync(join(folder, 'bad.tar.gz'), bytes);
      await expect(openImageSource('docker-archive:bad.tar.gz', context)).rejects.toMatchObject({
        code: 'source-invalid',
        subject: join(folder, 'bad.tar.gz'),
        hint: expect.any(String),
      });
      expect(readdirSync(temp)).toEqual([]);
    }
  });

  test('and cut off is refused where the place for it takes long to make', async () => {
    const slow = join(folder, 'slow');
    mkdirSync(slow);
    // They are read before a folder is made among them, while a small archive could be decompressed already.
    for (let n = 0; n < 5_000; n++) writeFileSync(join(slow, `file-${n}`), '');
    writeFileSync(join(folder, 'bad.tar.gz'), gzipSync(tar).subarray(0, -20));
    await expect(
      openImageSource('docker-archive:bad.tar.gz', { ...context, host: { ...context.host, temp: slow } }),
    ).rejects.toMatchObject({ code: 'source-invalid' });
  });

  judged('is that of docker save as well', ['skopeo'], async () => {
    await writeLayout(join(folder, 'in'), [{ name: 'v1', image }]);
    const plain = join(folder, 'saved.tar');
    await ok('skopeo', ['--insecure-policy', 'copy', `oci:${folder}/in:v1`, `docker-archive:${plain}:web:v1`]);
    writeFileSync(`${plain}.gz`, gzipSync(readFileSync(plain)));
    const { source, name } = await openImageSource('docker-archive:saved.tar:web:v1', context);
    const digest = (await source.resolve(name))?.digest;
    await source.close();
    expect(await rootOf('docker-archive:saved.tar.gz:web:v1')).toBe(digest);
  });
});
