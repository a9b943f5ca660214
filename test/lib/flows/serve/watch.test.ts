import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { annotations } from '../../../../formats/oci/descriptor.ts';
import { type ServeRequest, type Serving, serve } from '../../../../lib/flows/serve/index.ts';
import { signArchive } from '../../../../lib/flows/sign/index.ts';
import { generateKey, loadPrivateKey } from '../../../../lib/parts/trust/index.ts';
import { Crowd, filled } from '../../../attacks/crowd.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { buildImage, writeLayout } from '../../../support/image.ts';
import { scratch } from '../../../support/judges.ts';
import { noise } from '../../../support/registry.ts';
import { eventually } from '../../../support/until.ts';

const folder = scratch('watch');
const kept = (name: string): string => join(folder, `${name}.iso`);
const servings: Serving[] = [];
let number = 0;

beforeAll(async () => {
  for (const [name, seed] of [
    ['one', ''],
    ['two', ''],
    ['other', 'other'],
  ] as const) {
    const solution = name === 'other' ? 'one' : name;
    await smallSolution(join(folder, name), { name: solution, seed });
    await packHere(join(folder, name, 'solution.toml'), kept(name));
  }
});

afterEach(async () => {
  for (const serving of servings.splice(0)) await serving[Symbol.asyncDispose]();
});

/** An empty folder. */
function place(): string {
  const path = join(folder, `place-${++number}`);
  mkdirSync(path);
  return path;
}

async function start(request: Partial<ServeRequest>, flow = testFlow()): Promise<string> {
  const listen = { host: '127.0.0.1', port: 0 };
  const serving = await serve({ archives: [], configuration: undefined, listen, ...request }, flow);
  servings.push(serving);
  return serving.url;
}

const statusOf = async (url: string, path: string): Promise<number> => (await fetch(`${url}${path}`)).status;
const tags = (name: string): string => `/v2/${name}/web/tags/list`;
const become = (url: string, path: string, status: number): Promise<void> =>
  eventually(() => statusOf(url, path)).toBe(status);

describe('while it runs', () => {
  test('archives that come into a folder are served, and those that go are not', async () => {
    const archives = place();
    copyFileSync(kept('one'), join(archives, 'one.iso'));
    const flow = testFlow();
    const url = await start({ archives: [archives] }, flow);
    expect([await statusOf(url, tags('one')), await statusOf(url, tags('two'))]).toEqual([200, 404]);
    copyFileSync(kept('two'), join(archives, 'two.iso'));
    await become(url, tags('two'), 200);
    rmSync(join(archives, 'one.iso'));
    await become(url, tags('one'), 404);
    expect(await statusOf(url, tags('two'))).toBe(200);
    const told = flow.events.map((event) => ('message' in event ? event.message : ''));
    expect(told).toEqual(expect.arrayContaining(['is served now, with 2 images', 'is no longer served']));
  });

  test('a configuration that changes is followed, and one that is wrong changes nothing', async () => {
    const configuration = join(place(), 'solutions.yaml');
    const write = (...archives: string[]): void => {
      const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
      writeFileSync(configuration, `${head}archives: ${JSON.stringify(archives)}\nactive: {}\n`);
    };
    write(kept('one'));
    const flow = testFlow();
    const url = await start({ configuration }, flow);
    write(kept('two'));
    await become(url, tags('two'), 200);
    expect(await statusOf(url, tags('one'))).toBe(404);
    writeFileSync(configuration, 'kind: Nothing');
    await eventually(() => flow.events.filter((event) => event.type === 'notice').length).toBeGreaterThan(2);
    expect(await statusOf(url, tags('two'))).toBe(200);
    write(kept('one'), kept('two'));
    await become(url, tags('one'), 200);
  });

  test('what is not an archive, or contradicts one, is told of and not served', async () => {
    const archives = place();
    copyFileSync(kept('one'), join(archives, 'a.iso'));
    const flow = testFlow();
    const url = await start({ archives: [archives] }, flow);
    writeFiles(archives, { 'b.iso': 'no archive', 'c.txt': 'of no matter' });
    copyFileSync(kept('other'), join(archives, 'd.iso'));
    const refused = (name: string): unknown =>
      flow.events.find((event) => event.type === 'notice' && event.subject === join(archives, name));
    await eventually(() => refused('b.iso')).toMatchObject({ message: expect.stringContaining('is not served') });
    await eventually(() => refused('d.iso')).toMatchObject({ message: expect.stringContaining('solutions/one:1.0.0') });
    expect(await statusOf(url, tags('one'))).toBe(200);
    rmSync(join(archives, 'b.iso'));
    renameSync(join(archives, 'd.iso'), join(archives, 'a.iso'));
    const digest = async (): Promise<string | null> =>
      (await fetch(`${url}/v2/one/web/manifests/1.0.0`)).headers.get('docker-content-digest');
    const before = await digest();
    await eventually(digest).not.toBe(before);
  });

  test('files that stand for far more than they are, and names that are none, keep nothing else from being served', async () => {
    const archives = place();
    copyFileSync(kept('one'), join(archives, 'one.iso'));
    const large = (field: string): Buffer => {
      const made = new Crowd();
      const manifest = made.manifest(filled(`"layers":[],"${field}":[`, () => '{}', ']'));
      for (let times = 0; times < 100; times += 1) made.image(manifest);
      return made.archive('tar');
    };
    const misnamed = new Crowd();
    misnamed.entry({ ...misnamed.manifest('"layers":[]'), annotations: { [annotations.refName]: '::' } });
    // They lie there at the start, and come while it runs, several at once.
    writeFiles(archives, { 'before.tar': large('a'), 'misnamed.tar': misnamed.archive('tar') });
    const flow = testFlow();
    const url = await start({ archives: [archives] }, flow);
    writeFiles(archives, { 'b.tar': large('b'), 'c.tar': large('c'), 'd.tar': misnamed.archive('tar') });
    copyFileSync(kept('two'), join(archives, 'two.iso'));
    await become(url, tags('two'), 200);
    expect(await statusOf(url, tags('one'))).toBe(200);
    for (const name of ['before.tar', 'misnamed.tar', 'b.tar', 'c.tar', 'd.tar']) {
      const told = flow.events.filter((event) => event.type === 'notice' && event.subject === join(archives, name));
      expect([name, told]).toEqual([
        name,
        [expect.objectContaining({ message: expect.stringContaining('is not served') })],
      ]);
    }
  });

  test('an archive that is signed meanwhile has referrers: the signature, and the statement of its provenance', async () => {
    const archive = join(place(), 'signed.iso');
    copyFileSync(kept('one'), archive);
    const url = await start({ archives: [archive] });
    const root = (await fetch(`${url}/v2/solutions/one/manifests/1.0.0`)).headers.get('docker-content-digest');
    const count = async (): Promise<number> => {
      const list = (await (await fetch(`${url}/v2/solutions/one/referrers/${root}`)).json()) as {
        manifests: unknown[];
      };
      return list.manifests.length;
    };
    expect(await count()).toBe(0);
    writeFileSync(join(folder, 'a.key'), generateKey('ecdsa-p256-sha256').privatePem);
    const signer = await loadPrivateKey(join(folder, 'a.key'));
    await signArchive({ archive, signer, output: undefined, verify: false }, testFlow());
    await eventually(count).toBe(2);
  });

  test('a named archive that is gone makes it unready, until it is back', async () => {
    const archive = join(place(), 'one.iso');
    copyFileSync(kept('one'), archive);
    const url = await start({ archives: [archive] });
    expect(await statusOf(url, '/readyz')).toBe(200);
    renameSync(archive, `${archive}.away`);
    await become(url, '/readyz', 503);
    expect(await statusOf(url, '/healthz')).toBe(200);
    renameSync(`${archive}.away`, archive);
    await become(url, '/readyz', 200);
    expect(await statusOf(url, tags('one'))).toBe(200);
  });
});

test('a download of an archive that goes is sent to its end', async () => {
  const reference = 'registry.example.com/large/web:1';
  // More than the buffers of a connection hold.
  const image = buildImage({ files: { 'etc/large': Buffer.from(noise('large', 24_000_000)).toString('base64') } });
  await writeLayout(join(folder, 'large/images'), [{ name: reference, image }]);
  const definition = `name = "large"\nversion = "1.0.0"\n[[images]]\nreference = "${reference}"\nsource = "oci:images:${reference}"\n`;
  writeFiles(join(folder, 'large'), { 'solution.toml': definition });
  const archives = place();
  const path = join(archives, 'large.iso');
  await packHere(join(folder, 'large/solution.toml'), path);
  const url = await start({ archives: [archives] });
  const [digest, bytes] = [...image.blobs].find(([, content]) => content.length > 20_000_000)!;
  const socket = await halfway(url, `/v2/large/web/blobs/${digest}`);
  rmSync(path);
  await become(url, tags('large'), 404);
  expect(await rest(socket)).toBe(bytes.length);
});

/** Asks for something, and reads no more than that the answer has begun. */
async function halfway(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  await new Promise((settle) => socket.once('readable', settle));
  return socket;
}

/** How many bytes of a body there are in all. */
async function rest(socket: Socket): Promise<number> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  return all.length - all.indexOf('\r\n\r\n') - 4;
}
