import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../formats/oci/manifest.ts';
import type { PackRequest } from '../../../../lib/flows/pack/index.ts';
import { verify } from '../../../../lib/flows/verify/index.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { tarOf, writeLayout } from '../../../support/image.ts';
import { scratch } from '../../../support/judges.ts';
import { withArchive, writeDefinition } from '../../../support/packing.ts';

const folder = scratch('foreign-layers');
const layer = gzipSync(tarOf({ 'Windows/base': 'not for everybody' }));
const types = [
  'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip',
  'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
];
const closing: (() => unknown)[] = [];
afterEach(() => closing.splice(0).map((close) => close()));

/** A server of the vendor's; returns its address. */
async function vendor(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/layer`;
}

/** Packs an image whose layout lacks its one foreign layer. */
async function packing(
  urls: readonly string[] | undefined,
  lines: readonly string[],
  request: Partial<PackRequest> = {},
  mediaType = types[0]!,
): Promise<string> {
  const blobs = new Map<`sha256:${string}`, Uint8Array>();
  const add = (type: string, bytes: Uint8Array): Descriptor => {
    blobs.set(sha256(bytes) as `sha256:${string}`, bytes);
    return { mediaType: type, digest: sha256(bytes), size: bytes.length };
  };
  const config = add(mediaTypes.config, encodeJson({ os: 'windows', architecture: 'amd64' }));
  const layers = [{ mediaType, digest: sha256(layer), size: layer.length, ...(urls ? { urls } : {}) }];
  const index = add(mediaTypes.manifest, encodeManifest({ config, layers }));
  await writeLayout(join(folder, 'in'), [{ name: 'v1', image: { index, blobs } }]);
  const image = { reference: 'registry.example.com/windows:v1', source: 'oci:in:v1', more: lines };
  const archive = join(folder, 'out.tar');
  await packHere(writeDefinition(folder, [image]), archive, { lock: 'update', ...request });
  return archive;
}

const fetched = ['foreign-layers = "fetch"'];

describe('an image with foreign layers', () => {
  test.each(types)('of type %s is refused, with what would help', async (type) => {
    await expect(packing(['http://127.0.0.1:1/x'], [], {}, type)).rejects.toMatchObject({
      code: 'image-unsupported',
      subject: 'registry.example.com/windows:v1',
      message: expect.stringContaining(sha256(layer)),
      hint: expect.stringMatching(/foreign-layers = "fetch".*--allow-foreign-layers/),
    });
  });

  test('is packed whole where they may be fetched, by the definition or by the one who packs', async () => {
    const moved = await vendor((_, response) => response.end(layer));
    const start = await vendor((_, response) => response.writeHead(302, { location: moved }).end());
    for (const [lines, request] of [
      [fetched, {}],
      [[], { allowForeignLayers: true }],
    ] as const) {
      const archive = await packing([start], lines, request);
      expect((await verify({ archive, trust: undefined }, testFlow())).findings).toEqual([]);
      await withArchive(archive, ({ catalog }) => {
        expect(catalog.imageBlobs.map(({ digest }) => digest)).toContain(sha256(layer));
        expect(catalog.images[0]!.closure.blobs.at(-1)?.urls).toEqual([start]);
      });
    }
  });

  test('is fetched from the next address where one does not answer', async () => {
    const gone = await vendor((_, response) => response.writeHead(404).end());
    const good = await vendor((_, response) => response.end(layer));
    await packing(['ftp://example.com/x', gone, good], fetched);
    await expect(packing([gone], fetched)).rejects.toMatchObject({
      code: 'remote-error',
      subject: 'registry.example.com/windows:v1',
      message: expect.stringContaining('404'),
    });
  });

  test('is refused where an address sends other bytes', async () => {
    const wrong = await vendor((_, response) => response.end(Buffer.alloc(layer.length)));
    await expect(packing([wrong], fetched)).rejects.toMatchObject({ code: 'content-mismatch', subject: sha256(layer) });
  });

  test('is looked for in its own source where its manifest names no address', async () => {
    await expect(packing(undefined, fetched)).rejects.toMatchObject({ code: 'source-invalid', side: 'source' });
  });
});
