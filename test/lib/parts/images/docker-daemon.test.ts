import { createReadStream } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { collect } from '../../../../formats/bytes.ts';
import { verified } from '../../../../formats/digest.ts';
import { closureOf, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import { openImageSource } from '../../../../lib/parts/images/index.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { imageContext } from '../../../support/sources.ts';

// No Docker engine runs here: a server of the test's own stands for its API, and answers with what skopeo wrote.
const folder = scratch('docker-daemon');
const closing: (() => unknown)[] = [];
afterAll(() => closing.map((close) => close()));

async function daemon(name: string, answer: RequestListener): Promise<ReturnType<typeof imageContext>> {
  const server = createServer(answer);
  await new Promise<void>((settle) => server.listen(join(folder, name), settle));
  closing.push(() => server.close());
  const host = { ...imageContext(folder).host, temp: folder };
  return imageContext(folder, { host, daemons: { docker: `unix://${join(folder, name)}` } });
}

describe('an image of Docker', () => {
  judged('is read out of what its API sends, and nothing of that is left', ['skopeo'], async () => {
    await writeLayout(join(folder, 'in'), [{ name: 'v1', image: buildImage({ seed: 'daemon' }) }]);
    const tar = join(folder, 'saved.tar');
    const to = `docker-archive:${tar}:registry.example.com/team/web:v1`;
    await ok('skopeo', ['--insecure-policy', 'copy', `oci:${folder}/in:v1`, to]);
    const asked: (string | undefined)[] = [];
    const context = await daemon('api.sock', ({ url }, response) => {
      asked.push(url);
      response.writeHead(200, { 'content-type': 'application/x-tar' });
      createReadStream(tar).pipe(response);
    });
    const { source, name } = await openImageSource('docker-daemon:registry.example.com/team/web:v1', context);
    expect(asked).toEqual(['/images/registry.example.com%2Fteam%2Fweb%3Av1/get']);
    const root = await source.resolve(name);
    const { blobs } = await closureOf(new Manifests(source), root!);
    expect(blobs).toHaveLength(3);
    for (const blob of blobs) await collect(verified(source.open(blob), blob), 2 ** 20);
    const plain = await openImageSource(to, context);
    expect((await plain.source.resolve(plain.name))?.digest).toBe(root!.digest);
    await plain.source.close();
    expect((await readdir(folder)).some((entry) => entry.startsWith('solpack-'))).toBe(true);
    await source.close();
    expect((await readdir(folder)).filter((entry) => entry.startsWith('solpack-'))).toEqual([]);
  });

  test('that it does not have is reported in its words', async () => {
    const context = await daemon('none.sock', (_, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"reference does not exist"}');
    });
    await expect(openImageSource('docker-daemon:web:9', context)).rejects.toMatchObject({
      code: 'image-absent',
      message: expect.stringContaining('reference does not exist'),
    });
  });

  test('that breaks off leaves nothing behind', async () => {
    const context = await daemon('cut.sock', (_, response) => {
      response.writeHead(200, { 'content-length': '100000' });
      response.write(Buffer.alloc(1000), () => response.destroy());
    });
    await expect(openImageSource('docker-daemon:web:9', context)).rejects.toMatchObject({
      code: 'source-invalid',
      message: expect.stringContaining('closed the connection'),
    });
    expect((await readdir(folder)).filter((entry) => entry.startsWith('solpack-'))).toEqual([]);
  });

  test('is out of reach where Docker does not run, or at an address of another kind', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const docker of [`unix://${join(folder, 'absent.sock')}`, `unix://${join(folder, 'file')}`, 'ssh://host']) {
      const context = imageContext(folder, { daemons: { docker } });
      await expect(openImageSource('docker-daemon:web:9', context)).rejects.toMatchObject({
        code: 'source-invalid',
        hint: expect.stringContaining('DOCKER_HOST'),
      });
    }
  });
});
