import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { smallSolution, starts } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import type { TestImage } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { largeSolution } from '../support/large.ts';
import { eventually } from '../support/until.ts';
import { secondsOf } from '../support/yardstick.ts';
import { type Attacked, clientAttack, expectAnswer, serving } from './serving.ts';

// Whatever some clients do, others are served.

const folder = scratch('attacks-serve-load');
const MIB = 1024 * 1024;
/** The SHA-crypt hash of `right`. */
const hash = '$6$saltsalt$gzY3OAolfMFSB9Ld7iMdOQlViFqO3IOPeU0zkHsD.58tcMxRAFD0Qjfi2sjus3i.8aqWarEvFPREqzp18Jm291';
let image: TestImage;

beforeAll(async () => {
  await smallSolution(join(folder, 'small'));
  await packHere(join(folder, 'small/solution.toml'), join(folder, 'small.iso'));
  image = await largeSolution(join(folder, 'large'), 24 * MIB);
  await packHere(join(folder, 'large/solution.toml'), join(folder, 'large.iso'));
  writeFileSync(join(folder, 'users'), `ada:${hash}\n`);
});

const basic = (user: string, password: string): RequestInit => ({
  headers: { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` },
});

/** A connection that has said something, and when it was closed. */
function says({ url }: Attacked, text: string): { socket: Socket; closed: Promise<void> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  socket.on('error', () => undefined);
  return { socket, closed: new Promise((settle) => socket.on('close', () => settle())) };
}

async function metric({ url }: Attacked, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

clientAttack('a password of more than 256 bytes', async (answer) => {
  await using attacked = await serving(folder, 'small.iso', '--htpasswd', 'users', '--quiet');
  const seconds = await secondsOf(async () => {
    for (const length of [257, 11_500]) {
      const tries = Array.from({ length: 20 }, () => attacked.call('', basic('ada', 'x'.repeat(length))));
      for (const reply of await Promise.all(tries)) await expectAnswer(reply, answer);
    }
  });
  // One hash of 11,500 bytes takes 0.4 s.
  expect(seconds).toBeLessThan(4);
  expect((await attacked.call('', basic('ada', 'right'))).status).toBe(200);
});

clientAttack('more passwords at once than are hashed', async (answer) => {
  await using attacked = await serving(folder, 'small.iso', '--htpasswd', 'users', '--quiet');
  const tries = Array.from({ length: 100 }, (_, number) => attacked.call('', basic('ada', `guess ${number}`)));
  const healthy = fetch(`${attacked.url}/healthz`);
  const replies = await Promise.all(tries);
  const refused = replies.filter(({ status }) => status === answer.status);
  expect(refused.length).toBeGreaterThan(0);
  expect(replies.every(({ status }) => status === answer.status || status === 401)).toBe(true);
  for (const reply of refused) {
    expect(reply.headers.get('retry-after')).toBe('1');
    await expectAnswer(reply, answer);
  }
  expect((await healthy).status).toBe(200);
  // Who asks many times at once with one password waits for one hash.
  const same = await Promise.all(Array.from({ length: 100 }, () => attacked.call('', basic('ada', 'right'))));
  expect(new Set(same.map(({ status }) => status))).toEqual(new Set([200]));
});

clientAttack('more uploads than are taken', async (answer) => {
  await using attacked = await serving(folder, '--store', 'uploads', '--open-push', '--quiet');
  const begin = (): Promise<Response> => attacked.call('a/b/blobs/uploads/', { method: 'POST' });
  for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 100 }, begin));
  const refused = await begin();
  expect(refused.headers.get('retry-after')).toBe('10');
  await expectAnswer(refused, answer);
  expect(await metric(attacked, 'solpack_store_uploads')).toBe(1000);
});

/** Asks for the large layer, and reads no more than the system does by itself. */
function deaf(attacked: Attacked): ReturnType<typeof says> {
  const [digest] = [...image.blobs].find(([, bytes]) => bytes.length > 20 * MIB)!;
  return says(attacked, `GET /v2/load/web/blobs/${digest} HTTP/1.1\r\nhost: x\r\n\r\n`);
}

/** Gets the large layer, which has to be right. */
async function gets(attacked: Attacked): Promise<void> {
  const [digest] = [...image.blobs].find(([, bytes]) => bytes.length > 20 * MIB)!;
  const reply = await attacked.call(`load/web/blobs/${digest}`);
  expect(sha256(new Uint8Array(await reply.arrayBuffer()))).toBe(digest);
}

clientAttack('more requests at once than are taken', async (answer) => {
  await using attacked = await serving(folder, 'large.iso', '--max-connections', '8', '--quiet');
  const all = Array.from({ length: 8 }, () => deaf(attacked));
  await eventually(() => metric(attacked, 'solpack_http_requests_running')).toBe(9);
  const refused = await attacked.call('load/web/tags/list');
  expect(refused.headers.get('retry-after')).toBe('1');
  await expectAnswer(refused, answer);
  expect((await fetch(`${attacked.url}/healthz`)).status).toBe(200);
  for (const { socket } of all) socket.destroy();
  await eventually(async () => (await attacked.call('load/web/tags/list')).status).toBe(200);
  // Those who went are no problem of the registry.
  expect(await metric(attacked, 'solpack_problems_total')).toBe(0);
  expect(attacked.said()).not.toContain('the client has gone');
});

clientAttack('many requests ahead by one connection', async ({ status, code }) => {
  await using attacked = await serving(folder, 'large.iso', '--quiet');
  const [digest] = [...image.blobs].find(([, bytes]) => bytes.length > 20 * MIB)!;
  const ask = `GET /v2/load/web/blobs/${digest} HTTP/1.1\r\nhost: x\r\nrange: bytes=0-9\r\n\r\n`;
  const { socket, closed } = says(attacked, ask.repeat(20));
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await closed;
  expect(text).toContain(`HTTP/1.1 ${status} `);
  expect(text).toContain(`"${code}"`);
  expect(text.match(/HTTP\/1\.1 206 /g)).toHaveLength(4);
});

clientAttack('connections that say nothing, where there are too many', async () => {
  await using attacked = await serving(folder, 'small.iso', '--max-connections', '20', '--quiet');
  const silent = Array.from({ length: 60 }, (_, number) => says(attacked, number % 2 ? 'GET /v2/ HTTP/1.1\r\nx' : ''));
  await Promise.any(silent.map(({ closed }) => closed));
  await eventually(() => metric(attacked, 'solpack_http_connections')).toBeLessThanOrEqual(21);
  expect(await metric(attacked, 'solpack_http_cut_connections_total')).toBeGreaterThanOrEqual(40);
  expect((await attacked.call('hello/web/tags/list')).status).toBe(200);
  for (const { socket } of silent) socket.destroy();
});

clientAttack('readers that stand still, where others wait', async () => {
  await using attacked = await serving(folder, 'large.iso', '--quiet');
  const all = Array.from({ length: 200 }, () => deaf(attacked));
  await eventually(() => metric(attacked, 'solpack_http_requests_running')).toBeGreaterThan(150);
  await Promise.all([gets(attacked), gets(attacked)]);
  expect(await metric(attacked, 'solpack_http_cut_connections_total')).toBeGreaterThan(0);
  expect(await metric(attacked, 'solpack_problems_total')).toBe(0);
  for (const { socket } of all) socket.destroy();
});

clientAttack('a manifest whose sender stands still, where others wait', async () => {
  await using attacked = await serving(folder, 'large.iso', '--store', 'still', '--open-push', '--quiet');
  const begun = `PUT /v2/a/b/manifests/1 HTTP/1.1\r\nhost: x\r\ncontent-length: ${4 * MIB}\r\n\r\n{`;
  const all = Array.from({ length: 40 }, () => says(attacked, begun));
  await eventually(() => metric(attacked, 'solpack_http_requests_running')).toBe(41);
  await gets(attacked);
  expect(await metric(attacked, 'solpack_http_cut_connections_total')).toBeGreaterThan(0);
  for (const { socket } of all) socket.destroy();
});

test('a client that leaves is no problem, whenever it does', async () => {
  await using serving = await starts(['serve', 'large.iso', '--listen', '127.0.0.1:0'], { cwd: folder });
  const attacked = { url: serving.first } as Attacked;
  for (const wait of [0, 1, 5, 20, 50, 100]) {
    const leaving = Array.from({ length: 20 }, () => deaf(attacked));
    // Clock: clients leave at several moments of an answer, whichever these are.
    await new Promise((settle) => setTimeout(settle, wait));
    for (const [number, { socket }] of leaving.entries()) number % 2 ? socket.destroy() : socket.resetAndDestroy();
    await Promise.all(leaving.map(({ closed }) => closed));
  }
  await eventually(() => metric(attacked, 'solpack_http_requests_running')).toBe(1);
  expect([serving.said(), await metric(attacked, 'solpack_problems_total')]).toEqual(['', 0]);
});
