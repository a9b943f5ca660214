import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../../../../formats/digest.ts';
import {
  openStore,
  type RunningRegistry,
  type Store,
  startRegistry,
} from '../../../../../lib/parts/registry-server/index.ts';
import { scratch } from '../../../../support/judges.ts';
import { noise } from '../../../../support/registry.ts';
import { eventually } from '../../../../support/until.ts';
import { call, codeOf, shareRegistry } from '../shelf.ts';

shareRegistry();

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

/** Waits until the store has some of an upload. */
const begun = (place: string): Promise<void> =>
  eventually(() => statSync(join(folder, 'store/uploads', basename(place))).size).toBeGreaterThan(0);

/** Sends the head of a request for all of the bytes, and the first of them. */
const sendHalf = (place: string, request = `PATCH ${place}`) => {
  const { hostname, port } = new URL(writable.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`${request} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes.length}\r\n\r\n`);
  socket.write(half);
  return socket;
};

const finish = (place: string, from = half.length) =>
  fetch(`${writable.url}${place}?digest=${sha256(bytes)}`, {
    method: 'PUT',
    body: new Uint8Array(bytes.subarray(from)),
    headers: { 'content-range': `${from}-${bytes.length - 1}` },
  });

test('an upload whose connection broke goes on where it broke', async () => {
  const place = await begin();
  const socket = sendHalf(place);
  await eventually(() => rangeOf(place)).toBe(`0-${half.length - 1}`);
  socket.destroy();
  expect((await finish(place)).status).toBe(201);
  const { body } = await call(`/v2/a/b/blobs/${sha256(bytes)}`, { at: writable.url });
  expect(sha256(body)).toBe(sha256(bytes));
});

test('how much there is of an upload is reported once what was sent of it has come in', async () => {
  const place = await begin();
  const socket = sendHalf(place);
  await begun(place);
  const rest = bytes.subarray(half.length);
  // As through a proxy that has not yet handed on all that it was given before the connection broke.
  const drip = (async () => {
    for (let at = 0; at < rest.length; at += 50_000) {
      // Clock: a connection that is slow.
      await pause(10);
      socket.write(rest.subarray(at, Math.min(at + 50_000, rest.length - 1)));
    }
    socket.destroySoon();
  })();
  expect(await rangeOf(place)).toBe(`0-${bytes.length - 2}`);
  await drip;
  expect((await finish(place, bytes.length - 1)).status).toBe(201);
});

test('an upload that ends while it is asked about is there no more', async () => {
  const place = await begin();
  const socket = sendHalf(place, `PUT ${place}?digest=${sha256(bytes)}`);
  await begun(place);
  const asked = call(place, { at: writable.url });
  socket.write(bytes.subarray(half.length));
  const reply = await asked;
  expect([reply.status, codeOf(reply)]).toEqual([404, 'BLOB_UPLOAD_UNKNOWN']);
  expect((await call(`/v2/a/b/blobs/${sha256(bytes)}`, { at: writable.url })).status).toBe(200);
  socket.destroy();
});

test('an upload whose connection hangs goes on by another one, and the hanging one is cut', async () => {
  const place = await begin();
  const socket = sendHalf(place);
  const cut = new Promise((settle) => socket.once('close', settle));
  await eventually(() => rangeOf(place)).toBe(`0-${half.length - 1}`);
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
  await eventually(() => store.facts().uploads).toBe(1);
  socket.destroy();
  await eventually(() => store.facts().uploads).toBe(0);
  expect((await call(`/v2/a/b/blobs/${digest}`, { at: writable.url })).status).toBe(404);
});

test('what is refused before its body was read gets its answer', async () => {
  const reply = await call('/v2/Upper/manifests/1', { method: 'PUT', body: 'x'.repeat(3_000_000), at: writable.url });
  expect([reply.status, codeOf(reply)]).toEqual([400, 'NAME_INVALID']);
});
