import { beforeEach, describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { mediaTypes } from '../../formats/oci/descriptor.ts';
import {
  call,
  empty,
  expectError,
  manifestOf,
  pushBlob,
  pushManifest,
  referrerTo,
  serveBoth,
  subjects,
  web,
} from './registries.ts';

serveBoth();

const repository = '/v2/managed/here';
const at = (path: string): string => `${subjects.writable.url}${repository}/${path}`;
const status = async (path: string): Promise<number> => (await call(at(path), 'HEAD')).status;
const bytes = manifestOf(empty, 'managed');
const digest = sha256(bytes);
let config: Digest;

beforeEach(async () => {
  const { url } = subjects.writable;
  config = await pushBlob(url, repository, Buffer.from('{}'));
  for (const tag of ['one', 'two']) expect((await pushManifest(url, repository, tag, bytes)).status).toBe(201);
});

// distribution-spec, "Content Management".
describe('deleting', () => {
  test('a tag is answered with 202, and leaves the manifest and other tags', async () => {
    expect((await call(at('manifests/one'), 'DELETE')).status).toBe(202);
    expect([await status('manifests/one'), await status('manifests/two'), await status(`manifests/${digest}`)]).toEqual(
      [404, 200, 200],
    );
  });

  test('a manifest is answered with 202, and takes all of its tags along', async () => {
    expect((await call(at(`manifests/${digest}`), 'DELETE')).status).toBe(202);
    expect([await status('manifests/one'), await status('manifests/two'), await status(`manifests/${digest}`)]).toEqual(
      [404, 404, 404],
    );
    const list = await call(at('tags/list'));
    expect([list.status, await list.json()]).toEqual([200, { name: 'managed/here', tags: [] }]);
  });

  test('a referrer takes it from the list of its subject', async () => {
    const referrer = referrerTo({ mediaType: mediaTypes.manifest, digest, size: bytes.length }, 'gone');
    await pushManifest(subjects.writable.url, repository, sha256(referrer), referrer);
    await call(at(`manifests/${sha256(referrer)}`), 'DELETE');
    expect(await (await call(at(`referrers/${digest}`))).json()).toMatchObject({ manifests: [] });
  });

  test('a blob is answered with 202', async () => {
    expect((await call(at(`blobs/${config}`), 'DELETE')).status).toBe(202);
    expect(await status(`blobs/${config}`)).toBe(404);
  });

  test('a blob leaves it to other repositories', async () => {
    const other = `${subjects.writable.url}/v2/managed/there`;
    await call(`${other}/blobs/uploads/?mount=${config}&from=managed/here`, 'POST');
    await call(at(`blobs/${config}`), 'DELETE');
    expect((await call(`${other}/blobs/${config}`)).status).toBe(200);
  });

  test('what is not there is answered with 404', async () => {
    const missing = sha256('missing');
    await expectError(await call(at(`blobs/${missing}`), 'DELETE'), 404, 'BLOB_UNKNOWN');
    await expectError(await call(at(`manifests/${missing}`), 'DELETE'), 404, 'MANIFEST_UNKNOWN');
    await expectError(await call(at('manifests/absent'), 'DELETE'), 404, 'MANIFEST_UNKNOWN');
    const elsewhere = `${subjects.writable.url}/v2/no/such/manifests/${missing}`;
    await expectError(await call(elsewhere, 'DELETE'), 404, 'NAME_UNKNOWN');
  });

  test('from archives alone is not done: 405', async () => {
    const { url, image } = subjects.readOnly;
    for (const path of ['manifests/1.0.0', `manifests/${image.index.digest}`, `blobs/${[...image.blobs.keys()][0]}`]) {
      await expectError(await call(`${url}${web}/${path}`, 'DELETE'), 405, 'UNSUPPORTED');
    }
  });
});
