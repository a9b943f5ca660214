import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { collect, memory, type ReadAt } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../formats/oci/manifest.ts';
import type { ServedContent } from '../../../../lib/parts/registry-server/content.ts';
import { type RunningRegistry, startRegistry } from '../../../../lib/parts/registry-server/index.ts';
import { type SampleImage, sampleImage } from '../../../support/registry.ts';

/** An image with layers of several chunks, and a small one. */
export const image = sampleImage('embedded', 1_800_000);
export const other = sampleImage('other', 1000);

const empty = { mediaType: mediaTypes.empty, digest: sha256('{}'), size: 2 };
/** Two manifests whose subject is `image`. */
export const sbom = encodeManifestWithSubject('application/spdx+json');
export const signature = encodeManifestWithSubject('application/vnd.example.signature');

function encodeManifestWithSubject(artifactType: string): { bytes: Uint8Array; descriptor: Descriptor } {
  const base = { artifactType, config: empty, layers: [empty], annotations: { made: 'here' } };
  const value: object = JSON.parse(Buffer.from(encodeManifest(base)).toString());
  const bytes = encodeJson({ ...value, subject: image.root });
  return { bytes, descriptor: { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length } };
}

/** Serves sample images under the names given, from memory; `change` alters what is read. */
export function served(
  name: string,
  images: readonly [registry: string, repository: string, tags: readonly string[], image: SampleImage][],
  change: (descriptor: Descriptor, source: ReadAt) => ReadAt = (_, source) => source,
): ServedContent {
  const more = new Map([sbom, signature].map(({ descriptor, bytes }) => [descriptor.digest, { descriptor, bytes }]));
  more.set(empty.digest, { descriptor: empty, bytes: Buffer.from('{}') });
  const all = new Map([...images.flatMap(([, , , { blobs }]) => [...blobs]), ...more]);
  return {
    name,
    repositories: images.map(([registry, repository, tags, { root, blobs }]) => ({
      registry,
      repository,
      tags: new Map(tags.map((tag) => [tag, root])),
      content: new Map(
        [...blobs, ...(root === image.root ? more : [])].map(([digest, { descriptor }]) => [digest, descriptor]),
      ),
    })),
    read: async (descriptor) => change(descriptor, memory(all.get(descriptor.digest)!.bytes)),
  };
}

/** An answer, read whole. */
export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const agent = new Agent({ keepAlive: true });

/** Sends a request to the shared registry, or to the one `at` another URL. */
export function call(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; at?: string } = {},
): Promise<Reply> {
  return new Promise((settle, reject) => {
    const { method = 'GET', headers = {}, body, at = registry.url } = options;
    const outgoing = request(`${at}${path}`, { method, headers, agent }, (message) => {
      collect(message, 100_000_000).then(
        (bytes) => settle({ status: message.statusCode!, headers: message.headers, body: Buffer.from(bytes) }),
        reject,
      );
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** The code of the first error in a reply. */
export function codeOf({ body }: Reply): string {
  return JSON.parse(body.toString()).errors[0].code;
}

/** The registry that the tests of a file share. */
export let registry: RunningRegistry;

/** Serves sample images to all tests of the file that calls this. */
export function shareRegistry(): void {
  beforeAll(async () => {
    registry = await startRegistry(samples(), { host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    agent.destroy();
    await registry.close();
  });
}

const samples = (): ServedContent[] => [
  served('one.iso', [
    ['docker.io', 'library/web', ['b', 'a', 'C', '1.0'], image],
    ['quay.io', 'team/app', ['x'], image],
  ]),
  served('two.iso', [['ghcr.io', 'team/app', ['y'], other]]),
];

/** Paths of a repository, and of a layer in it. */
export const web = '/v2/library/web';
export const layer = image.bytesOf(image.layer);
export const layerPath = `${web}/blobs/${image.layer.digest}`;
