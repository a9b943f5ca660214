import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { type Serving, serve } from '../../../../lib/flows/serve/index.ts';
import { smallSolution } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, type TestImage } from '../../../support/image.ts';
import { scratch } from '../../../support/judges.ts';

const folder = scratch('joined');
const archive = join(folder, 'hello.iso');
const store = join(folder, 'store');
let image: TestImage;
let serving: Serving;

const start = (archives: string[]): Promise<Serving> =>
  serve(
    { archives, configuration: undefined, listen: { host: '127.0.0.1', port: 0 }, store, openPush: true },
    testFlow(),
  );

beforeAll(async () => {
  ({ web: image } = await smallSolution(folder));
  await packHere(join(folder, 'solution.toml'), archive);
  serving = await start([archive]);
});
afterAll(() => serving[Symbol.asyncDispose]());

const call = (path: string, method = 'GET', body?: Uint8Array, type = ''): Promise<Response> =>
  fetch(`${serving.url}/v2/${path}`, {
    method,
    headers: type === '' ? {} : { 'content-type': type },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
const digestOf = async (path: string): Promise<string | null> =>
  (await call(path)).headers.get('docker-content-digest');
const put = (name: string, reference: string, of: TestImage = image): Promise<Response> =>
  call(`${name}/manifests/${reference}`, 'PUT', of.blobs.get(of.index.digest)!, of.index.mediaType);

const own = 'registry.example.com/hello/web';

describe('archives and a store together', () => {
  test('what an archive holds cannot be deleted', async () => {
    for (const path of ['manifests/1.0.0', `manifests/${image.manifests[0]!.digest}`]) {
      expect((await call(`${own}/${path}`, 'DELETE')).status).toBe(405);
      expect((await call(`${own}/${path}`)).status).toBe(200);
    }
  });

  test('a tag that an archive has is pushed again by the same image alone', async () => {
    const other = buildImage({ seed: 'other' });
    expect((await put(own, '1.0.0', { ...image })).status).toBe(201);
    const refused = await put(own, '1.0.0', { ...other, index: { ...other.index } });
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('"DENIED"')]);
    expect(await digestOf(`${own}/manifests/1.0.0`)).toBe(image.index.digest);
  });

  test('an image of an archive is mounted and tagged without sending it, and stays when the archive goes', async () => {
    for (const { digest } of image.manifests) {
      const bytes = image.blobs.get(digest)!;
      const type = image.manifests[0]!.mediaType;
      const { config, layers } = JSON.parse(Buffer.from(bytes).toString());
      for (const { digest: blob } of [config, ...layers]) {
        const mounted = await call(`team/copy/blobs/uploads/?mount=${blob}&from=${own}`, 'POST');
        expect(mounted.status).toBe(201);
      }
      expect((await call(`team/copy/manifests/${digest}`, 'PUT', bytes, type)).status).toBe(201);
    }
    expect((await put('team/copy', 'v1')).status).toBe(201);
    expect((await put(own, 'again')).status).toBe(201);
    await serving[Symbol.asyncDispose]();
    rmSync(archive);
    serving = await start([]);
    for (const name of ['team/copy', own]) {
      for (const { digest, mediaType } of image.manifests) {
        const reply = await call(`${name}/manifests/${digest}`);
        expect([name, reply.status, reply.headers.get('content-type')]).toEqual([name, 200, mediaType]);
        const { layers } = (await reply.json()) as { layers: { digest: string }[] };
        for (const layer of layers) {
          const bytes = new Uint8Array(await (await call(`${name}/blobs/${layer.digest}`)).arrayBuffer());
          expect(sha256(bytes)).toBe(layer.digest);
        }
      }
    }
    expect(await digestOf('team/copy/manifests/v1')).toBe(image.index.digest);
    expect(await digestOf(`${own}/manifests/again`)).toBe(image.index.digest);
  });

  test('what was pushed under a host is found by containerd, by its bare name, and under no other host', async () => {
    expect(await digestOf('hello/web/manifests/again?ns=registry.example.com')).toBe(image.index.digest);
    expect(await digestOf('hello/web/manifests/again')).toBe(image.index.digest);
    expect((await call('hello/web/manifests/again?ns=quay.io')).status).toBe(404);
    expect((await call('quay.io/hello/web/manifests/again')).status).toBe(404);
    expect((await call('team/copy/manifests/v1?ns=docker.io')).status).toBe(404);
  });
});
