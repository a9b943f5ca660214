import { describe, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { noise } from '../support/registry.ts';
import { bytesOf, call, digestOf, expectError, pushBlob, serveBoth, subjects, web } from './registries.ts';

serveBoth();

const repository = '/v2/pushed/blobs-of';
const at = (path: string): string => new URL(path, subjects.writable.url).href;
const size = 300_000;

/** Begins an upload, and returns where it goes on. */
async function begin(query = ''): Promise<string> {
  const reply = await call(at(`${repository}/blobs/uploads/${query}`), 'POST');
  expect(reply.status).toBe(202);
  return at(reply.headers.get('location')!);
}

/** Sends a chunk that begins at `start`. */
const chunk = (place: string, bytes: Uint8Array, start: number, method = 'PATCH'): Promise<Response> =>
  call(place, method, bytes, { 'content-range': `${start}-${start + bytes.length - 1}` });

const ended = (place: string, digest: string): string => `${place}?digest=${digest}`;

/** Expects 201 and a place where the blob can be pulled. */
async function expectPulled(reply: Response, bytes: Uint8Array, digest = sha256(bytes)): Promise<void> {
  expect(reply.status).toBe(201);
  const pulled = await call(at(reply.headers.get('location')!));
  expect([pulled.status, pulled.headers.get('docker-content-digest')]).toEqual([200, digest]);
  expect(Buffer.compare(await bytesOf(pulled), bytes)).toBe(0);
}

// distribution-spec, "Pushing blobs".
describe.each(['sha256', 'sha512'])('a blob is pushed by %s', (algorithm) => {
  test('in one piece, by POST and PUT', async () => {
    const bytes = noise(`post-put ${algorithm}`, size);
    const digest = digestOf(bytes, algorithm);
    await expectPulled(await call(ended(await begin(), digest), 'PUT', bytes), bytes, digest);
  });

  test('in one request, by POST alone', async () => {
    const bytes = noise(`post ${algorithm}`, size);
    const digest = digestOf(bytes, algorithm);
    await expectPulled(await call(at(`${repository}/blobs/uploads/?digest=${digest}`), 'POST', bytes), bytes, digest);
  });

  test.each(['the closing PUT', 'a PATCH'])('in chunks, the last of them by %s', async (last) => {
    const bytes = noise(`chunks ${algorithm} ${last}`, size);
    const digest = digestOf(bytes, algorithm);
    let place = await begin(`?digest-algorithm=${algorithm}`);
    for (let start = 0; start < (last === 'a PATCH' ? size : 200_000); start += 100_000) {
      const reply = await chunk(place, bytes.subarray(start, start + 100_000), start);
      expect([reply.status, reply.headers.get('range')]).toEqual([202, `0-${start + 99_999}`]);
      place = at(reply.headers.get('location')!);
    }
    const rest =
      last === 'a PATCH'
        ? call(ended(place, digest), 'PUT')
        : chunk(ended(place, digest), bytes.subarray(200_000), 200_000, 'PUT');
    await expectPulled(await rest, bytes, digest);
  });

  test('as a stream, whose length nobody tells', async () => {
    const bytes = noise(`stream ${algorithm}`, size);
    const digest = digestOf(bytes, algorithm);
    const place = await begin();
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(bytes);
        controller.close();
      },
    });
    expect((await fetch(place, { method: 'PATCH', body, duplex: 'half' } as RequestInit)).status).toBe(202);
    await expectPulled(await call(ended(place, digest), 'PUT'), bytes, digest);
  });

  test('also where it is empty', async () => {
    const digest = digestOf(new Uint8Array(), algorithm);
    await expectPulled(await call(ended(await begin(), digest), 'PUT'), new Uint8Array(), digest);
  });
});

describe('an upload', () => {
  test('has a place with a UUID', async () => {
    expect(await begin()).toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/);
  });

  test('tells with 204 where it stands', async () => {
    const place = await begin();
    await chunk(place, noise('status', 1000), 0);
    const reply = await call(place);
    expect([reply.status, reply.headers.get('range')]).toEqual([204, '0-999']);
    expect(at(reply.headers.get('location')!)).toBe(place);
  });

  test('refuses with 416 what does not go on where it stands, and goes on afterwards', async () => {
    const bytes = noise('order', size);
    const place = await begin();
    for (const method of ['PATCH', 'PUT']) {
      const where = method === 'PUT' ? ended(place, sha256(bytes)) : place;
      await expectError(await chunk(where, bytes.subarray(5, 10), 5, method), 416, 'BLOB_UPLOAD_INVALID');
    }
    expect((await chunk(place, bytes.subarray(0, 10), 0)).status).toBe(202);
    const again = await chunk(place, bytes.subarray(0, 10), 0);
    expect(again.headers.get('range')).toBe('0-9');
    await expectError(again, 416);
    await expectError(await call(place, 'PATCH', 'x', { 'content-range': 'bytes 10-10/*' }), 416);
    await expectPulled(await chunk(ended(place, sha256(bytes)), bytes.subarray(10), 10, 'PUT'), bytes);
  });

  test('refuses a chunk of another length than its range', async () => {
    await expectError(await call(await begin(), 'PATCH', 'four', { 'content-range': '0-9' }), 400, 'SIZE_INVALID');
  });

  test('is cancelled with 204, and no longer exists', async () => {
    const place = await begin();
    expect((await call(place, 'DELETE')).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      await expectError(await call(place, method), 404, 'BLOB_UPLOAD_UNKNOWN');
    }
  });

  test('belongs to its repository', async () => {
    const elsewhere = (await begin()).replace('pushed/blobs-of', 'other/repository');
    await expectError(await call(elsewhere), 404, 'BLOB_UPLOAD_UNKNOWN');
  });

  test('that does not hold what its digest says is refused with 400, and nothing of it can be pulled', async () => {
    const digest = sha256('something else');
    await expectError(await call(ended(await begin(), digest), 'PUT', 'this'), 400, 'DIGEST_INVALID');
    await expectError(
      await call(at(`${repository}/blobs/uploads/?digest=${digest}`), 'POST', 'this'),
      400,
      'DIGEST_INVALID',
    );
    expect((await call(at(`${repository}/blobs/${digest}`), 'HEAD')).status).toBe(404);
  });

  test('by a digest that is none, or of an algorithm that nobody knows, is refused with 400', async () => {
    const place = await begin();
    for (const digest of ['', 'sha256:abc', 'md5:d41d8cd98f00b204e9800998ecf8427e']) {
      await expectError(await call(ended(place, digest), 'PUT', 'x'), 400, 'DIGEST_INVALID');
    }
    await expectError(
      await call(at(`${repository}/blobs/uploads/?digest-algorithm=md5`), 'POST'),
      400,
      'DIGEST_INVALID',
    );
  });
});

// distribution-spec, "Mounting a blob from another repository".
describe('a mount', () => {
  const mount = (digest: string, from = ''): Promise<Response> =>
    call(at(`/v2/mounted/here/blobs/uploads/?mount=${digest}${from}`), 'POST');

  test('is answered with 201 and the place of the blob', async () => {
    const bytes = noise('mounted', 1000);
    const digest = await pushBlob(subjects.writable.url, repository, bytes);
    await expectPulled(await mount(digest, '&from=pushed/blobs-of'), bytes);
  });

  test('may leave out where from', async () => {
    const bytes = noise('mounted from anywhere', 1000);
    await expectPulled(await mount(await pushBlob(subjects.writable.url, repository, bytes)), bytes);
  });

  test('of what is not there begins an upload', async () => {
    const bytes = noise('not there', 1000);
    const reply = await mount(sha256(bytes), '&from=no/such');
    expect(reply.status).toBe(202);
    await expectPulled(await call(ended(at(reply.headers.get('location')!), sha256(bytes)), 'PUT', bytes), bytes);
  });
});

test('a blob is in the repository that it was pushed to, and in no other', async () => {
  const digest = await pushBlob(subjects.writable.url, repository, noise('one repository', 100));
  await expectError(await call(at(`${web}/blobs/${digest}`)), 404, 'BLOB_UNKNOWN');
});

test.each([
  ['POST', 'blobs/uploads/'],
  ['PATCH', 'blobs/uploads/5f3c7a52-6f0e-4d7b-9d2e-0a9b8c7d6e5f'],
  ['PUT', 'blobs/uploads/5f3c7a52-6f0e-4d7b-9d2e-0a9b8c7d6e5f'],
])('archives alone take no blobs: %s %s is answered with 405', async (method, path) => {
  await expectError(await call(`${subjects.readOnly.url}${web}/${path}`, method), 405, 'UNSUPPORTED');
});
