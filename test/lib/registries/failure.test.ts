import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { encodeJson } from '../../../formats/json.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { openRegistries } from '../../../lib/registries/index.ts';

/** What the server answers next, and the requests that it got. */
const next = { status: 200, message: '' };
const seen: string[] = [];
const server = createServer((incoming, response) => {
  seen.push(`${incoming.method} ${incoming.headers.authorization ?? ''}`.trim());
  incoming.resume();
  response.writeHead(next.status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ errors: [{ code: 'CODE', message: next.message }] }));
});
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
    [401, 'project hello not found', 'registry-denied', 'make the project in Harbor first'],
    [403, '2 B will exceed the configured upper limit of 1 B', 'registry-denied', 'raise the quota'],
    [412, "due to 'hello:1' configured as immutable.", 'registry-error', 'push under another tag'],
    [403, 'no', 'registry-denied', 'ask for access to this repository'],
  ])('is told with its words and with what to do: %i %s', async (status, message, code, hint) => {
    Object.assign(next, { status, message });
    await expect(repository().tag(descriptor, bytes, '1')).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`(CODE: ${message})`),
      hint: expect.stringContaining(hint),
    });
  });

  test('is asked for its words by GET where the answer was to HEAD', async () => {
    Object.assign(next, { status: 403, message: 'because' });
    seen.length = 0;
    await expect(repository().has(descriptor)).rejects.toMatchObject({ message: expect.stringContaining('because') });
    expect(seen).toEqual(['HEAD', 'GET']);
  });

  test('is asked once where the answer to HEAD was about a password, or a failure', async () => {
    for (const status of [401, 405]) {
      Object.assign(next, { status, message: 'because' });
      seen.length = 0;
      await expect(repository().has(descriptor)).rejects.toMatchObject({
        message: expect.stringContaining(`${status}`),
      });
      expect(seen).toEqual(['HEAD']);
    }
  });
});
