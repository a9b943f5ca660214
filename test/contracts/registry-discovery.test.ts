import { beforeAll, describe, expect, test } from 'vitest';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../formats/oci/manifest.ts';
import {
  bytesOf,
  call,
  expectError,
  json,
  pushManifest,
  type Subject,
  serveBoth,
  subjects,
  web,
} from './registries.ts';

serveBoth();

interface List {
  readonly mediaType: string;
  readonly schemaVersion: number;
  readonly manifests: readonly Descriptor[];
}

// distribution-spec, "Content Discovery".
describe.each(['readOnly', 'writable'] as const)('looking around in the %s registry', (kind) => {
  const subject = (): Subject => subjects[kind];
  const at = (path: string): string => `${subject().url}${path}`;
  const referrers = async (digest: string, query = ''): Promise<[List, Headers]> => {
    const reply = await call(at(`${subject().referred.repository}/referrers/${digest}${query}`));
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe(mediaTypes.index);
    return [(await reply.json()) as List, reply.headers];
  };

  test('tags are listed as the specification writes them', async () => {
    const reply = await call(at(`${web}/tags/list`));
    expect(reply.status).toBe(200);
    expect(await reply.json()).toEqual({ name: 'hello/web', tags: ['1.0.0'] });
  });

  test('no tags are asked for, and none come, without a link', async () => {
    const reply = await call(at(`${web}/tags/list?n=0`));
    expect(await reply.json()).toEqual({ name: 'hello/web', tags: [] });
    expect(reply.headers.get('link')).toBeNull();
  });

  test('the tag that a page begins behind is not on it', async () => {
    expect(await (await call(at(`${web}/tags/list?last=1.0.0`))).json()).toMatchObject({ tags: [] });
    expect(await (await call(at(`${web}/tags/list?n=5&last=0`))).json()).toMatchObject({ tags: ['1.0.0'] });
  });

  test('the list of referrers is an index with type and annotations of each', async () => {
    const { digest, artifactType, repository, count } = subject().referred;
    const [list] = await referrers(digest);
    expect(list).toMatchObject({ schemaVersion: 2, mediaType: mediaTypes.index });
    expect(list.manifests).toHaveLength(count);
    for (const entry of list.manifests) {
      const reply = await call(at(`${repository}/manifests/${entry.digest}`));
      const bytes = await bytesOf(reply);
      const value = JSON.parse(bytes.toString());
      expect(value.subject.digest).toBe(digest);
      expect(entry).toMatchObject({ mediaType: mediaTypes.manifest, size: bytes.length, artifactType });
      expect(entry.annotations).toEqual(value.annotations ?? {});
    }
  });

  test('referrers of one type alone can be asked for, and the answer says so', async () => {
    const { digest, artifactType, count } = subject().referred;
    const [some, headers] = await referrers(digest, `?artifactType=${encodeURIComponent(artifactType)}`);
    expect(some.manifests).toHaveLength(count);
    expect(headers.get('oci-filters-applied')).toBe('artifactType');
    const [none] = await referrers(digest, '?artifactType=application/vnd.example.other');
    expect(none.manifests).toEqual([]);
    expect((await referrers(digest))[1].get('oci-filters-applied')).toBeNull();
  });

  test('what has no referrers has an empty list, and so has what is not there: never 404', async () => {
    expect((await referrers(sha256('nobody')))[0].manifests).toEqual([]);
    const reply = await call(at(`/v2/no/such/referrers/${sha256('nobody')}`));
    expect([reply.status, ((await reply.json()) as List).manifests]).toEqual([200, []]);
  });

  test('referrers of what is not a digest are refused with 400', async () => {
    for (const digest of ['latest', 'sha256:abc', 'sha256:']) {
      await expectError(await call(at(`${web}/referrers/${digest}`)), 400, 'DIGEST_INVALID');
    }
  });
});

describe('a repository of many tags', () => {
  const many = '/v2/many/tags-of';
  const tags = ['1.10', '1.2', 'Beta', '_x', 'alpha', 'beta'];
  beforeAll(async () => {
    const bytes = encodeIndex({ manifests: [] });
    for (const tag of tags.toReversed()) {
      expect((await pushManifest(subjects.writable.url, many, tag, bytes, mediaTypes.index)).status).toBe(201);
    }
  });

  test.each([1, 2, 4, 6, 100])('is listed in the order of bytes, by pages of %i that link to the next', async (n) => {
    const seen: string[] = [];
    for (let next: string | undefined = `${many}/tags/list?n=${n}`; next !== undefined; ) {
      const reply = await call(new URL(next, subjects.writable.url).href);
      const page = ((await reply.json()) as { tags: string[] }).tags;
      expect(page.length).toBeLessThanOrEqual(n);
      seen.push(...page);
      next = /^<([^>]+)>; rel="next"$/.exec(reply.headers.get('link') ?? '')?.[1];
      if (next !== undefined) expect(page).toHaveLength(n);
    }
    expect(seen).toEqual(tags);
  });
});

describe('the type of a referrer', () => {
  const push = async (value: object): Promise<Digest> => {
    const bytes = json({ schemaVersion: 2, ...value });
    const { mediaType } = value as { mediaType: string };
    expect((await pushManifest(subjects.writable.url, web, sha256(bytes), bytes, mediaType)).status).toBe(201);
    return sha256(bytes);
  };
  const subject = { mediaType: mediaTypes.manifest, digest: sha256('typed'), size: 5 };

  test('is that of its config where a manifest has none, and none where an index has none', async () => {
    const { image, url } = subjects.writable;
    const config = JSON.parse(Buffer.from(image.blobs.get(image.manifests[0]!.digest)!).toString()).config;
    const manifest = await push({ mediaType: mediaTypes.manifest, config, layers: [], subject });
    const index = await push({ mediaType: mediaTypes.index, manifests: [], subject, annotations: { a: 'b' } });
    const typed = await push({ mediaType: mediaTypes.index, artifactType: 'a/b', manifests: [], subject });
    const { manifests } = (await (await call(`${url}${web}/referrers/${subject.digest}`)).json()) as List;
    const found = new Map(manifests.map((entry) => [entry.digest, entry]));
    expect(found.get(manifest)).toMatchObject({ artifactType: mediaTypes.config });
    expect(found.get(index)).not.toHaveProperty('artifactType');
    expect(found.get(index)).toMatchObject({ annotations: { a: 'b' }, mediaType: mediaTypes.index });
    expect(found.get(typed)).toMatchObject({ artifactType: 'a/b' });
  });
});
