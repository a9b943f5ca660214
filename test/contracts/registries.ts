import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { encodeJson } from '../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../formats/oci/manifest.ts';
import { type Serving, serve } from '../../lib/flows/serve/index.ts';
import { signArchive } from '../../lib/flows/sign/index.ts';
import { generateKey, loadPrivateKey } from '../../lib/parts/trust/index.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import type { TestImage } from '../support/image.ts';
import { scratch } from '../support/judges.ts';

/** A registry that has the image `hello/web:1.0.0`, and something that two manifests refer to. */
export interface Subject {
  readonly url: string;
  readonly image: TestImage;
  /** Path of a repository that has a manifest with referrers of one type, and how many these are. */
  readonly referred: {
    readonly repository: string;
    readonly digest: Digest;
    readonly artifactType: string;
    readonly count: number;
  };
}

/** The two kinds of registries, by name. `readOnly` has a signed archive, `writable` a store that was pushed to. */
export const subjects: { readOnly: Subject; writable: Subject } = {} as never;

/** Path of the image that both have. */
export const web = '/v2/hello/web';

/** Starts both for the tests of a file. Call it at the top level. */
export function serveBoth(): void {
  const folder = scratch('registries');
  const servings: Serving[] = [];
  beforeAll(async () => {
    mkdirSync(join(folder, 'solution'));
    const { web: image } = await smallSolution(join(folder, 'solution'));
    const archive = join(folder, 'hello.iso');
    await packHere(join(folder, 'solution/solution.toml'), archive);
    for (const number of [1, 2]) {
      const key = join(folder, `${number}.key`);
      writeFileSync(key, generateKey('ecdsa-p256-sha256').privatePem);
      await signArchive({ archive, signer: await loadPrivateKey(key), output: undefined, verify: false }, testFlow());
    }
    const start = async (archives: string[], store?: string): Promise<string> => {
      const listen = { host: '127.0.0.1', port: 0 };
      const serving = await serve({ archives, configuration: undefined, listen, store, openPush: true }, testFlow());
      servings.push(serving);
      return serving.url;
    };
    const archived = await start([archive]);
    const stored = await start([], join(folder, 'store'));
    const root = (await call(`${archived}/v2/solutions/hello/manifests/1.0.0`)).headers.get('docker-content-digest');
    subjects.readOnly = {
      url: archived,
      image,
      referred: {
        repository: '/v2/solutions/hello',
        digest: root as Digest,
        artifactType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
        // Two signatures, and the signed provenance.
        count: 3,
      },
    };
    await pushImage(stored, web, image, '1.0.0');
    for (const text of ['one', 'two']) await pushReferrer(stored, web, image.index, text);
    subjects.writable = {
      url: stored,
      image,
      referred: { repository: web, digest: image.index.digest, artifactType: 'application/vnd.example.note', count: 2 },
    };
    return () => Promise.all(servings.map((serving) => serving[Symbol.asyncDispose]()));
  });
}

/** Sends one request. */
export function call(
  url: string,
  method = 'GET',
  body?: Uint8Array | string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const content = typeof body === 'string' ? body : body && new Uint8Array(body);
  return fetch(url, { method, headers, redirect: 'error', ...(content === undefined ? {} : { body: content }) });
}

/** The bytes of a reply. */
export async function bytesOf(reply: Response): Promise<Buffer> {
  return Buffer.from(await reply.arrayBuffer());
}

/** Error codes of the distribution specification ("Error Codes"). */
const codes =
  /^(BLOB_UNKNOWN|BLOB_UPLOAD_INVALID|BLOB_UPLOAD_UNKNOWN|DIGEST_INVALID|MANIFEST_BLOB_UNKNOWN|MANIFEST_INVALID|MANIFEST_UNKNOWN|NAME_INVALID|NAME_UNKNOWN|SIZE_INVALID|UNAUTHORIZED|DENIED|UNSUPPORTED|TOOMANYREQUESTS)$/;

/** Expects an error of the form that the specification gives, with one of its codes. */
export async function expectError(reply: Response, status: number, code?: string): Promise<void> {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json');
  const { errors } = (await reply.json()) as { errors: { code: string; message: string }[] };
  expect(errors).toHaveLength(1);
  expect(errors[0]!.code).toMatch(codes);
  expect(errors[0]!.message).not.toBe('');
  if (code !== undefined) expect(errors[0]!.code).toBe(code);
}

/** Pushes a blob in one piece, and returns its digest. */
export async function pushBlob(
  url: string,
  repository: string,
  bytes: Uint8Array,
  algorithm = 'sha256',
): Promise<Digest> {
  const digest = digestOf(bytes, algorithm);
  const begun = await call(`${url}${repository}/blobs/uploads/`, 'POST');
  expect(begun.status).toBe(202);
  const place = new URL(begun.headers.get('location')!, url);
  place.searchParams.set('digest', digest);
  const ended = await call(place.href, 'PUT', bytes, { 'content-type': 'application/octet-stream' });
  expect(ended.status).toBe(201);
  return digest;
}

/** Pushes a manifest under a tag or a digest. */
export function pushManifest(
  url: string,
  repository: string,
  reference: string,
  bytes: Uint8Array,
  mediaType: string = mediaTypes.manifest,
): Promise<Response> {
  return call(`${url}${repository}/manifests/${reference}`, 'PUT', bytes, { 'content-type': mediaType });
}

/** Pushes an image: blobs, manifests of platforms, and its index under a tag. */
export async function pushImage(url: string, repository: string, image: TestImage, tag: string): Promise<void> {
  const manifests = new Set([image.index, ...image.manifests].map(({ digest }) => digest));
  for (const [digest, bytes] of image.blobs) if (!manifests.has(digest)) await pushBlob(url, repository, bytes);
  for (const { digest, mediaType } of image.manifests) {
    expect((await pushManifest(url, repository, digest, image.blobs.get(digest)!, mediaType)).status).toBe(201);
  }
  const index = image.blobs.get(image.index.digest)!;
  expect((await pushManifest(url, repository, tag, index, image.index.mediaType)).status).toBe(201);
}

/** The empty config and layer of artifacts. */
export const empty: Descriptor = { mediaType: mediaTypes.empty, digest: sha256('{}'), size: 2 };

/** An artifact that refers to `subject`. */
export function referrerTo(subject: Descriptor, text: string): Uint8Array {
  const { mediaType, digest, size } = subject;
  return encodeManifest({
    artifactType: 'application/vnd.example.note',
    config: empty,
    layers: [empty],
    subject: { mediaType, digest, size },
    annotations: { 'org.example.text': text },
  });
}

/** Pushes an artifact that refers to `subject`. */
export async function pushReferrer(
  url: string,
  repository: string,
  subject: Descriptor,
  text: string,
): Promise<Response> {
  await pushBlob(url, repository, Buffer.from('{}'));
  const bytes = referrerTo(subject, text);
  const reply = await pushManifest(url, repository, sha256(bytes), bytes);
  expect(reply.status).toBe(201);
  return reply;
}

/** A small manifest of one config, different for each `text`. */
export function manifestOf(config: Descriptor, text: string): Uint8Array {
  return encodeManifest({ artifactType: 'application/vnd.example.note', config, layers: [], annotations: { text } });
}

/** The digest of bytes by an algorithm. */
export function digestOf(bytes: Uint8Array, algorithm: string): Digest {
  return `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}` as Digest;
}

/** The bytes of JSON. */
export const json = encodeJson;
