import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../../../formats/digest.ts';
import { openStore, type RunningRegistry, type Store, startRegistry } from '../../../../../lib/registries/index.ts';
import { scratch } from '../../../../support/judges.ts';
import { noise } from '../../../../support/registry.ts';
import { call, codeOf } from '../shelf.ts';

const folder = scratch('interrupted');
const bytes = noise('interrupted', 1_000_000);
const half = bytes.subarray(0, 400_000);
let store: Store;
let writable: RunningRegistry;

beforeAll(async () => {
  store = await openStore(join(folder, 'store'));
  writable = await startRegistry([], { host: '127.0.0.1', port: 0, store });
});
afterAll(async () => {
  await writable.close();
  await store[Symbol.asyncDispose]();
});

const begin = async (): Promise<string> => {
  const { headers } = await call('/v2/a/b/blobs/uploads/', { method: 'POST', at: writable.url });
  return headers.location!;
};
const rangeOf = async (place: string): Promise<unknown> => (await call(place, { at: writable.url })).headers['range'];

/** Sends the head of a PATCH for all of the bytes, and the first of them. */
const sendHalf = (place: string) => {
  const { hostname, port } = new URL(writable.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PATCH ${place} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\n\r\n`);
  socket.write(half);
  return socket;
};

const finish = (place: string) =>
  fetch(`${writable.url}${place}?digest=${sha256(bytes)}`, {
    method: 'PUT',
    body: new Uint8Array(bytes.subarray(half.length)),
    headers: { 'content-range': `${half.length}-${bytes.length - 1}` },
  });

test('an upload whose connection broke goes on where it broke', async () => {
  const place = await begin();
  const socket = sendHalf(place);
  await expect.poll(() => rangeOf(place)).toBe(`0-${half.length - 1}`);
  socket.destroy();
  expect((await finish(place)).status).toBe(201);
  const { body } = await call(`/v2/a/b/blobs/${sha256(bytes)}`, { at: writable.url });
  expect(sha256(body)).toBe(sha256(bytes));
});

test('an upload whose connection hangs goes on by another one, and the hanging one is cut', async () => {
  const place = await begin();
  const socket = sendHalf(place);
  const cut = new Promise((settle) => socket.once('close', settle));
  await expect.poll(() => rangeOf(place)).toBe(`0-${half.length - 1}`);
  expect((await finish(place)).status).toBe(201);
  await cut;
});

test('a single request that broke leaves nothing', async () => {
  const digest = sha256('never whole');
  const { hostname, port } = new URL(writable.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `POST /v2/a/b/blobs/uploads/?digest=${digest} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nnot all of it`,
  );
  await expect.poll(() => store.facts().uploads).toBe(1);
  socket.destroy();
  await expect.poll(() => store.facts().uploads).toBe(0);
  expect((await call(`/v2/a/b/blobs/${digest}`, { at: writable.url })).status).toBe(404);
});

test('what is refused before its body was read gets its answer', async () => {
  const reply = await call('/v2/Upper/manifests/1', { method: 'PUT', body: 'x'.repeat(3_000_000), at: writable.url });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'NAME_INVALID']);
});
