import { describe, expect, test } from 'vitest';
import { once } from '../../../../formats/bytes.ts';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex } from '../../../../formats/oci/manifest.ts';
import { openRegistries, type Repository } from '../../../../lib/parts/registries/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { dockerRegistry, referrersRegistry, sampleImage } from '../../../support/registry.ts';
import { connect, push, waits } from './faults.ts';
import { front, sendManifest } from './front.ts';

const folder = scratch('referrers');
const upstream = dockerRegistry(folder);
const image = sampleImage('referred to', 1000);
const fallback = image.root.digest.replace(':', '-');
const empty = { mediaType: mediaTypes.empty, digest: sha256('{}'), size: 2 };

/** A manifest that refers to the image. */
function referrer(seed: string, artifactType = 'application/vnd.example.note', subject: Descriptor = image.root) {
  const { mediaType, digest, size } = subject;
  const bytes = encodeJson({
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    artifactType,
    config: empty,
    layers: [empty],
    subject: { mediaType, digest, size },
    annotations: { seed },
  });
  const descriptor = { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length };
  return { descriptor, bytes, artifactType, seed };
}

async function refer(repository: Repository, { descriptor, bytes }: ReturnType<typeof referrer>): Promise<void> {
  await repository.push(empty, () => once(Buffer.from('{}')));
  await repository.push(descriptor, () => once(bytes));
}

describe('referrers', () => {
  judged(
    'are listed by a registry that does so itself, where a list of nothing is null',
    ['referrers-registry'],
    async () => {
      await using registry = await referrersRegistry();
      const { host } = new URL(registry.first);
      const repository = await connect(host, 'team/web');
      await push(image, repository, '1');
      const list = await fetch(`${registry.first}/v2/team/web/referrers/${image.root.digest}`);
      expect(await list.json()).toMatchObject({ manifests: null });
      expect(await repository.referrers(image.root)).toEqual([]);
      const note = referrer('one');
      await refer(repository, note);
      const listed = await repository.referrers(image.root);
      expect(listed).toMatchObject([
        { ...note.descriptor, artifactType: note.artifactType, annotations: { seed: 'one' } },
      ]);
      expect(await repository.tags()).toEqual(['1']);
    },
  );

  judged(
    'are listed by the fallback tag, with type and annotations, and oras finds them',
    ['docker-registry', 'oras'],
    async () => {
      const { host } = await upstream();
      const repository = await connect(host, 'team/web');
      await push(image, repository, '1');
      expect(await repository.referrers(image.root)).toEqual([]);
      const [note, other] = [referrer('one'), referrer('two', 'application/vnd.example.other')];
      await refer(repository, note);
      await refer(repository, other);
      await refer(repository, note);
      const entry = { ...note.descriptor, artifactType: note.artifactType, annotations: { seed: 'one' } };
      expect(await repository.referrers(image.root)).toHaveLength(2);
      expect(await repository.referrers(image.root, note.artifactType)).toEqual([entry]);
      const found = JSON.parse(
        await ok('oras', ['discover', '--plain-http', '--format', 'json', `${host}/team/web:1`]),
      );
      expect(JSON.stringify(found)).toContain(other.descriptor.digest);
      expect(await repository.tags()).toEqual(['1', fallback]);
      await repository.close();
    },
  );

  judged('that come together are all listed', ['docker-registry'], async () => {
    const { host } = await upstream();
    const registries = openRegistries({ timing: waits().timing });
    const target = { scheme: 'http', registry: host, repository: 'team/together' } as const;
    await push(image, registries.open(target), '1');
    const all = Array.from({ length: 12 }, (_, index) => referrer(`together ${index}`));
    await registries.open(target).push(empty, () => once(Buffer.from('{}')));
    await Promise.all(all.map(({ descriptor, bytes }) => registries.open(target).push(descriptor, () => once(bytes))));
    const listed = await registries.open(target).referrers(image.root);
    expect(new Set(listed.map(({ digest }) => digest))).toEqual(
      new Set(all.map(({ descriptor }) => descriptor.digest)),
    );
    registries.close();
  });

  judged('that others listed keep what they say, whatever it is', ['docker-registry'], async () => {
    const { host } = await upstream();
    const repository = await connect(host, 'team/kept');
    await push(image, repository, '1');
    const other = { ...referrer('other').descriptor, data: 'e30=', 'org.example.more': [{}] };
    await refer(repository, referrer('other'));
    const index = encodeJson({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [other], more: 1 });
    await repository.tag({ mediaType: mediaTypes.index, digest: sha256(index), size: index.length }, index, fallback);
    await refer(repository, referrer('own'));
    const accept = { headers: { accept: mediaTypes.index } };
    const list = await (await fetch(`http://${host}/v2/team/kept/manifests/${fallback}`, accept)).json();
    const own = { digest: referrer('own').descriptor.digest };
    expect(list).toMatchObject({ manifests: [other, own], more: 1 });
    await repository.close();
  });

  judged('of an entry whose manifest names another subject are none', ['docker-registry'], async () => {
    const { host } = await upstream();
    const repository = await connect(host, 'team/wrong');
    await push(image, repository, '1');
    const [child] = JSON.parse(Buffer.from(image.bytesOf(image.root)).toString()).manifests;
    const index = encodeIndex({ manifests: [child] });
    await repository.tag({ mediaType: mediaTypes.index, digest: sha256(index), size: index.length }, index, fallback);
    expect(await repository.referrers(image.root)).toEqual([]);
    await repository.close();
  });

  judged(
    'are refused where the fallback tag is the image itself, and none are found',
    ['docker-registry'],
    async () => {
      const { host } = await upstream();
      const repository = await connect(host, 'team/same');
      await push(image, repository, fallback);
      expect(await repository.referrers(image.root)).toEqual([]);
      await expect(refer(repository, referrer('x'))).rejects.toMatchObject({
        code: 'registry-error',
        message: expect.stringContaining(`the tag ${fallback} is not a list`),
      });
      await repository.close();
    },
  );
});

test('an entry of the fallback tag whose manifest is gone does not count', async () => {
  const { host } = await front((request, response) => {
    if (!request.url!.endsWith(fallback)) return response.writeHead(404).end();
    return sendManifest(response, encodeIndex({ manifests: [referrer('gone').descriptor, empty] }));
  });
  const repository = await connect(host, 'team/web');
  expect(await repository.referrers(image.root)).toEqual([]);
  await repository.close();
});

describe.each([400, 401, 403, 404, 405, 406, 501])(
  'a registry that answers the list of referrers with %i',
  (status) => {
    test('is asked for the fallback tag', async () => {
      const note = referrer('one');
      const { host } = await front((request, response) => {
        if (request.url!.includes('/referrers/')) return response.writeHead(status).end();
        if (request.url!.endsWith(fallback))
          return sendManifest(response, encodeIndex({ manifests: [note.descriptor] }));
        return sendManifest(response, note.bytes);
      });
      const repository = await connect(host, 'team/web');
      expect(await repository.referrers(image.root)).toEqual([note.descriptor]);
      await repository.close();
    });
  },
);

describe.each([400, 401, 403])('a registry that answers %i about each tag that it does not have', (status) => {
  /** Takes manifests, has those that it was sent, and refuses to tell of all else. */
  async function stingy(): Promise<{ readonly host: string; readonly stored: Map<string, Buffer> }> {
    const stored = new Map<string, Buffer>();
    const { host } = await front(async (request, response) => {
      const name = request.url!.split('/').at(-1)!;
      if (request.method !== 'PUT') {
        const bytes = stored.get(name);
        return bytes ? sendManifest(response, bytes) : response.writeHead(status).end();
      }
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      stored.set(name, Buffer.concat(chunks));
      return response.writeHead(201).end();
    });
    return { host, stored };
  }

  test('is taken to have none of those that are guessed, and takes those that are written', async () => {
    const { host, stored } = await stingy();
    const told: string[] = [];
    const repository = await connect(host, 'team/web', { onWarning: (message) => told.push(message) });
    expect(await repository.tagged('1.0.0')).toBeUndefined();
    expect(await repository.resolve(`${fallback}.sig`)).toBeUndefined();
    expect(await repository.referrers(image.root)).toEqual([]);
    const denied = expect.stringContaining(`refuses with status ${status} to list what refers to an image`);
    expect(told).toEqual(status === 400 ? [] : [denied]);
    const note = referrer('one');
    await repository.push(note.descriptor, () => once(note.bytes));
    expect(JSON.parse(`${stored.get(fallback)}`).manifests).toMatchObject([{ digest: note.descriptor.digest }]);
    await repository.close();
  });

  test('still refuses a tag that somebody asks for', async () => {
    const { host } = await stingy();
    const repository = await connect(host, 'team/web');
    await expect(repository.resolve('1.0.0')).rejects.toMatchObject({ code: expect.stringMatching(/^registry-/) });
    await repository.close();
  });
});

describe('a registry that heeds If-Match', () => {
  test('loses nothing that another process adds in between', async () => {
    let index = encodeIndex({ manifests: [] });
    let interfered = 0;
    const mine = referrer('mine');
    const theirs = referrer('theirs');
    const { host } = await front(async (request, response) => {
      const { method, url = '', headers } = request;
      if (method === 'GET') return sendManifest(response.setHeader('etag', `"${sha256(index)}"`), index);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const etag = `"${sha256(index)}"`;
      if (url.endsWith(fallback) && interfered < 2) {
        // Somebody else is faster.
        interfered += 1;
        index = encodeIndex({ manifests: [{ ...theirs.descriptor, annotations: { n: String(interfered) } }] });
      }
      if (url.endsWith(fallback) && headers['if-match'] !== `"${sha256(index)}"`) return response.writeHead(412).end();
      if (url.endsWith(fallback)) index = Buffer.concat(chunks);
      return response.writeHead(201, { etag }).end();
    });
    const repository = await connect(host, 'team/web');
    await repository.push(mine.descriptor, () => once(mine.bytes));
    const digests = JSON.parse(Buffer.from(index).toString()).manifests.map(({ digest }: Descriptor) => digest);
    expect(digests).toEqual([theirs.descriptor.digest, mine.descriptor.digest]);
    expect(interfered).toBe(2);
    await repository.close();
  });
});

describe('a registry with the referrers API', () => {
  test('is not given a fallback tag, is read page by page, and filtered where it does not do that', async () => {
    const notes = [referrer('1'), referrer('2', 'other/type'), referrer('3')];
    const { host, seen } = await front((request, response) => {
      if (request.method === 'PUT') return response.writeHead(201, { 'oci-subject': image.root.digest }).end();
      const page = Number(new URL(request.url!, 'http://x').searchParams.get('page'));
      const { descriptor, artifactType } = notes[page]!;
      if (page < 2) response.setHeader('link', `</v2/team/web/referrers/x?page=${page + 1}>; rel="next"`);
      return sendManifest(response, encodeIndex({ manifests: [{ ...descriptor, artifactType }] }));
    });
    const repository = await connect(host, 'team/web');
    await repository.push(notes[0]!.descriptor, () => once(notes[0]!.bytes));
    expect(seen.map(({ method }) => method)).toEqual(['PUT']);
    const found = await repository.referrers(image.root, 'application/vnd.example.note');
    expect(found.map(({ digest }) => digest)).toEqual([notes[0]!.descriptor.digest, notes[2]!.descriptor.digest]);
    await repository.close();
  });

  test.each([
    ['has no end', '</v2/team/web/referrers/x>; rel="next"', /more than 1000 pages/],
    ['goes on elsewhere', '<http://127.0.0.1:1/v2/>; rel=next', /continues at http:\/\/127.0.0.1:1/],
  ])('whose list %s is refused', async (_, link, message) => {
    const { host } = await front((_, response) =>
      sendManifest(response.setHeader('link', link), encodeIndex({ manifests: [] })),
    );
    const repository = await connect(host, 'team/web');
    await expect(repository.referrers(image.root)).rejects.toMatchObject({
      code: 'registry-error',
      message: expect.stringMatching(message),
    });
    await repository.close();
  });

  test('whose list is damaged is refused', async () => {
    const { host } = await front((_, response) => sendManifest(response, Buffer.from('{"schemaVersion":2')));
    const repository = await connect(host, 'team/web');
    await expect(repository.referrers(image.root)).rejects.toMatchObject({ code: 'registry-error' });
    await repository.close();
  });
});

describe('tags', () => {
  judged('of more than one page are read to the last', ['docker-registry'], async () => {
    const { host } = await upstream();
    const repository = await connect(host, 'team/tags');
    await push(image, repository, 't1');
    for (const tag of ['t2', 't3']) await repository.tag(image.root, image.bytesOf(image.root), tag);
    expect(await repository.tags()).toEqual(['t1', 't2', 't3']);
    const nothing = await connect(host, 'team/nothing');
    expect(await nothing.tags()).toEqual([]);
    await Promise.all([repository.close(), nothing.close()]);
  });

  test.each(['{"tags":5}', '[]', 'x', '{"tags":[1]}'])('that are %s are refused', async (body) => {
    const { host } = await front((_, response) => response.end(body));
    const repository = await connect(host, 'team/web');
    await expect(repository.tags()).rejects.toMatchObject({ code: 'registry-error' });
    await repository.close();
  });

  test('that are no tags are passed over, and pages may overlap', async () => {
    const { host } = await front((_, response, count) => {
      if (count === 1) response.setHeader('link', '</v2/team/web/tags/list?last=b>; rel="next"');
      response.end(JSON.stringify({ tags: count === 1 ? ['a', 'b', '../x'] : ['b', 'c'] }));
    });
    const repository = await connect(host, 'team/web');
    expect(await repository.tags()).toEqual(['a', 'b', 'c']);
    await repository.close();
  });
});
