import { describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../formats/oci/manifest.ts';
import {
  bytesOf,
  call,
  digestOf,
  empty,
  expectError,
  json,
  manifestOf,
  pushBlob,
  pushManifest,
  referrerTo,
  serveBoth,
  subjects,
  web,
} from './registries.ts';

serveBoth();

const repository = '/v2/pushed/manifests-of';
const at = (path: string): string => new URL(path, subjects.writable.url).href;
const put = (reference: string, bytes: Uint8Array, mediaType?: string): Promise<Response> =>
  pushManifest(subjects.writable.url, repository, reference, bytes, mediaType);
const config = (): Promise<Digest> => pushBlob(subjects.writable.url, repository, Buffer.from('{}'));

/** Expects 201, a place where the manifest can be pulled, and its exact bytes there. */
async function expectPulled(reply: Response, bytes: Uint8Array, digest = sha256(bytes)): Promise<void> {
  expect([reply.status, reply.headers.get('docker-content-digest')]).toEqual([201, digest]);
  for (const path of [reply.headers.get('location')!, `${repository}/manifests/${digest}`]) {
    const pulled = await call(at(path));
    expect([pulled.status, pulled.headers.get('docker-content-digest')]).toEqual([200, digest]);
    expect(Buffer.compare(await bytesOf(pulled), bytes)).toBe(0);
  }
}

// distribution-spec, "Pushing Manifests".
describe('a manifest', () => {
  test.each(['tag', 'sha256', 'sha512'])('is pushed by %s, and pulled byte for byte', async (by) => {
    await config();
    const bytes = Buffer.concat([manifestOf(empty, by), Buffer.from('\n \n')]);
    const digest = digestOf(bytes, by === 'sha512' ? 'sha512' : 'sha256');
    await expectPulled(await put(by === 'tag' ? 'pushed' : digest, bytes), bytes, digest);
  });

  test('takes a tag from the one that had it', async () => {
    await config();
    for (const text of ['first', 'second']) await put('moved', manifestOf(empty, text));
    const { headers } = await call(at(`${repository}/manifests/moved`), 'HEAD');
    expect(headers.get('docker-content-digest')).toBe(sha256(manifestOf(empty, 'second')));
    expect((await call(at(`${repository}/manifests/${sha256(manifestOf(empty, 'first'))}`))).status).toBe(200);
  });

  test('may name a subject that is not there, and is listed; the answer names the subject', async () => {
    await config();
    const subject: Descriptor = { mediaType: mediaTypes.manifest, digest: sha256('to come'), size: 7 };
    const bytes = referrerTo(subject, 'early');
    const reply = await put(sha256(bytes), bytes);
    expect([reply.status, reply.headers.get('oci-subject')]).toEqual([201, subject.digest]);
    const { manifests } = (await (await call(at(`${repository}/referrers/${subject.digest}`))).json()) as {
      manifests: Descriptor[];
    };
    expect(manifests.map(({ digest }) => digest)).toEqual([sha256(bytes)]);
  });

  test('whose blobs are not there is refused, and names them', async () => {
    await config();
    const absent = { mediaType: mediaTypes.layer, digest: sha256('absent'), size: 6 };
    for (const value of [
      { config: absent, layers: [] },
      { config: empty, layers: [empty, absent] },
    ]) {
      const reply = await put('incomplete', encodeManifest(value));
      expect(await reply.clone().text()).toContain(absent.digest);
      await expectError(reply, 404, 'MANIFEST_BLOB_UNKNOWN');
    }
    expect((await call(at(`${repository}/manifests/incomplete`))).status).toBe(404);
  });

  test('may have foreign layers, which no registry has', async () => {
    await config();
    const foreign = [
      'application/vnd.oci.image.layer.nondistributable.v1.tar+gzip',
      'application/vnd.docker.image.rootfs.foreign.diff.tar.gzip',
    ].map((mediaType) => ({ mediaType, digest: sha256(mediaType), size: 9, urls: ['https://example.com/layer'] }));
    expect((await put('foreign', encodeManifest({ config: empty, layers: foreign }))).status).toBe(201);
  });

  test('that is an index may lack the children of platforms that nobody needs', async () => {
    const child = { mediaType: mediaTypes.manifest, digest: sha256('absent child'), size: 12 };
    const bytes = encodeIndex({ manifests: [child] });
    await expectPulled(await put('sparse', bytes, mediaTypes.index), bytes);
  });

  test('that is not what its digest says is refused with 400', async () => {
    await config();
    const digest = sha256('another');
    await expectError(await put(digest, manifestOf(empty, 'one')), 400, 'DIGEST_INVALID');
    await expectError(await put('sha256:abc', manifestOf(empty, 'one')), 400, 'DIGEST_INVALID');
    expect((await call(at(`${repository}/manifests/${digest}`))).status).toBe(404);
  });

  test.each([
    ['no JSON', 'not JSON', mediaTypes.manifest],
    [
      'of another type than it says',
      '{"schemaVersion":2,"mediaType":"a/b","config":{},"layers":[]}',
      mediaTypes.manifest,
    ],
    ['neither manifest nor index', '{"schemaVersion":2}', mediaTypes.manifest],
    ['of a type that nobody knows', '{"schemaVersion":2,"manifests":[]}', 'text/plain'],
    ['of schema 1', '{"schemaVersion":1}', 'application/vnd.docker.distribution.manifest.v1+json'],
  ])('that is %s is refused with 400', async (_, text, mediaType) => {
    await expectError(await put('invalid', Buffer.from(text), mediaType), 400, 'MANIFEST_INVALID');
  });

  test('of a tag that the grammar does not allow is refused with 400', async () => {
    for (const tag of ['-a', 'a'.repeat(129), 'ä']) {
      await expectError(await put(encodeURIComponent(tag), manifestOf(empty, 'tag')), 400);
    }
  });

  test('may have 4 MiB, and is refused with 413 where it has more', async () => {
    const padded = (size: number): Uint8Array => {
      const head = json({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [] });
      return Buffer.concat([head, Buffer.alloc(size - head.length, ' ')]);
    };
    const largest = 4 * 1024 * 1024;
    expect((await put('large', padded(largest), mediaTypes.index)).status).toBe(201);
    await expectError(await put('too-large', padded(largest + 1), mediaTypes.index), 413, 'SIZE_INVALID');
  });

  test('may be pushed with parameters of its type, and is served without', async () => {
    await config();
    const bytes = manifestOf(empty, 'parameters');
    expect((await put('parameters', bytes, `${mediaTypes.manifest}; charset=utf-8`)).status).toBe(201);
    const { headers } = await call(at(`${repository}/manifests/parameters`), 'HEAD');
    expect(headers.get('content-type')).toBe(mediaTypes.manifest);
  });

  test('brings ten tags and more with its digest, each of which the answer names', async () => {
    await config();
    const bytes = manifestOf(empty, 'tags');
    const tags = Array.from({ length: 12 }, (_, number) => `t${number}`);
    const reply = await put(`${sha256(bytes)}?${tags.map((tag) => `tag=${tag}`).join('&')}`, bytes);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('oci-tag')?.split(/, */)).toEqual(tags);
    for (const tag of tags) {
      const { headers } = await call(at(`${repository}/manifests/${tag}`), 'HEAD');
      expect(headers.get('docker-content-digest')).toBe(sha256(bytes));
    }
    const many = Array.from({ length: 101 }, (_, number) => `tag=t${number}`).join('&');
    await expectError(await put(`${sha256(bytes)}?${many}`, bytes), 414);
  });
});

test('archives alone take no manifests', async () => {
  const reply = await pushManifest(subjects.readOnly.url, web, 'new', manifestOf(empty, 'x'));
  expect(reply.headers.get('allow')).toBe('GET, HEAD');
  await expectError(reply, 405, 'UNSUPPORTED');
});
