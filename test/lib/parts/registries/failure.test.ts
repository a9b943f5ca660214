import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { openRegistries } from '../../../../lib/parts/registries/index.ts';

/** What the server answers next, and the requests that it got. */
const next = { status: 200, message: '', code: 'CODE', headers: {} };
const seen: string[] = [];
const server = createServer((incoming, response) => {
  seen.push(`${incoming.method} ${incoming.headers.authorization ?? ''}`.trim());
  incoming.resume();
  response.writeHead(next.status, { 'content-type': 'application/json', ...next.headers });
  response.end(JSON.stringify({ errors: [{ code: next.code, message: next.message }] }));
});
beforeEach(() => void Object.assign(next, { code: 'CODE', headers: {} }));
beforeAll(async () => {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
});
afterAll(() => {
  server.close();
});

function repository() {
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return openRegistries().open({ scheme: 'http', registry, repository: 'hello' });
}

const bytes = encodeJson({ schemaVersion: 2, mediaType: mediaTypes.index, manifests: [] });
const descriptor = { mediaType: mediaTypes.index, digest: sha256(bytes), size: bytes.length };

describe('what a registry refuses', () => {
  test.each([
    [415, 'manifest invalid', 'registry-error', 'http.compat: ["docker2s2"]'],
    [400, 'invalid repository name: hello', 'registry-error', 'HOST/PROJECT/NAME'],
    [401, 'project hello not found', 'registry-denied', 'create the project in Harbor first'],
    [403, '2 B will exceed the configured upper limit of 1 B', 'registry-denied', 'raise the quota'],
    [412, "due to 'hello:1' configured as immutable.", 'registry-error', 'push under another tag'],
    [403, 'no', 'registry-denied', 'ask for the right to push to this repository'],
  ])('is reported with its words and with what to do: %i %s', async (status, message, code, hint) => {
    Object.assign(next, { status, message });
    await expect(repository().tag(descriptor, bytes, '1')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`(CODE: ${message})`),
      hint: expect.stringContaining(hint),
    });
  });

  test.each([
    [404, 'unknown', 'check the name, and that it was pushed there', 'check the name, and that the repository exists'],
    [403, 'no', 'ask for access to this repository', 'ask for the right to push to this repository'],
    [405, 'no', 'the server there may not be a registry', 'is read-only'],
  ])('is told of by what was wanted, to read or to write: %i', async (status, message, reading, writing) => {
    Object.assign(next, { status, message });
    const read = async (): Promise<void> => {
      for await (const _ of repository().open(descriptor)) throw new Error('nothing can be read');
    };
    await expect(read()).rejects.toMatchObject({ hint: expect.stringContaining(reading) });
    await expect(repository().tag(descriptor, bytes, '1')).rejects.toMatchObject({
      hint: expect.stringContaining(writing),
    });
  });

  test('on push for want of the repository names it', async () => {
    Object.assign(next, { status: 404, code: 'NAME_UNKNOWN', message: 'the repository does not exist' });
    const { name } = repository();
    await expect(repository().tag(descriptor, bytes, '1')).rejects.toMatchObject({
      hint: `create this repository in the registry first, because it creates none by itself: ${name}`,
    });
  });

  test('of a manifest that names a sha512 digest gives that as the reason', async () => {
    Object.assign(next, { status: 400, code: 'DIGEST_INVALID', message: 'unsupported digest algorithm' });
    const config = { mediaType: mediaTypes.config, digest: `sha512:${'0'.repeat(128)}`, size: 2 };
    const wide = encodeJson({ schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: [] });
    const named = { mediaType: mediaTypes.manifest, digest: sha256(wide), size: wide.length };
    await expect(repository().tag(named, wide, '1')).rejects.toMatchObject({
      hint: expect.stringContaining('many registries only support sha256, but this content has a sha512 digest'),
    });
  });

  test.each([
    ['61', 'wait for 61 seconds, as the registry asks, then run the command again'],
    ['900', 'wait for 15 minutes, as the registry asks'],
    ['5400', 'wait for 90 minutes, as the registry asks'],
    ['21600', 'wait for 6 hours, as the registry asks'],
  ])('until later is reported in words: Retry-After %s', async (seconds, hint) => {
    Object.assign(next, { status: 429, message: 'too many', headers: { 'retry-after': seconds } });
    await expect(repository().tag(descriptor, bytes, '1')).rejects.toMatchObject({
      hint: expect.stringContaining(hint),
    });
  });

  test('is asked for its words by GET where the answer was to HEAD', async () => {
    Object.assign(next, { status: 403, message: 'because' });
    seen.length = 0;
    await expect(repository().has(descriptor)).rejects.toMatchObject({ message: expect.stringContaining('because') });
    expect(seen).toEqual(['HEAD', 'GET']);
  });

  test('is asked once where the answer to HEAD was about a password', async () => {
    Object.assign(next, { status: 401, message: 'because' });
    seen.length = 0;
    await expect(repository().has(descriptor)).rejects.toMatchObject({ message: expect.stringContaining('401') });
    expect(seen).toEqual(['HEAD']);
  });
});
