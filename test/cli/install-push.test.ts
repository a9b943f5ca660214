import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../../formats/bytes.ts';
import { smallSolution, starts, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { withArchive } from '../support/packing.ts';

// What goes to a registry is read once: it is hashed while it is sent.

const folder = scratch('install-push');
const cwd = folder;
const path = join(folder, 'hello.iso');
let registry: Awaited<ReturnType<typeof starts>>;

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  await packHere(join(folder, 'hello/solution.toml'), path);
  writeFiles(folder, {
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
solutions: [{name: hello, archives: [hello.iso]}]
`,
  });
  registry = await starts(['serve', '--store', 'store', '--open-push', '--listen', '127.0.0.1:0'], { cwd });
});

afterAll(() => registry[Symbol.asyncDispose]());

const install = (...to: string[]): Promise<Outcome> => {
  const args = ['install', '-f', 'solutions.yaml', '--insecure-skip-verify', '--registry', registry.first, '--json'];
  return solpackHere([...args, ...(to.length === 0 ? ['--images-only'] : to)], { cwd });
};

/** Flips a byte in the middle of the largest layer, and flips it back. */
async function damaged<T>(work: () => Promise<T>): Promise<T> {
  const layer = await withArchive(path, ({ catalog, source }) => {
    const blobs = catalog.images.flatMap(({ closure }) => closure.blobs);
    return collect(source.open(blobs.toSorted((a, b) => b.size - a.size)[0]!), 1_000_000);
  });
  const sound = readFileSync(path);
  const bytes = Buffer.from(sound);
  bytes[bytes.indexOf(layer) + Math.floor(layer.length / 2)]! ^= 1;
  writeFileSync(path, bytes);
  try {
    return await work();
  } finally {
    writeFileSync(path, sound);
  }
}

test('a damaged layer is found while it is sent: no image has a tag then, and nothing is rendered', async () => {
  const { code, stderr } = await damaged(() => install('--render', 'rendered'));
  expect([code, stderr]).toEqual([1, expect.stringContaining('[content-mismatch]')]);
  // What was whole may be there by then, so that the repository exists: no tag may.
  expect((await fetch(`${registry.first}/v2/hello/web/manifests/1.0.0`)).status).toBe(404);
  expect(() => readFileSync(join(folder, 'rendered'))).toThrow('ENOENT');
});

test('of an image that the registry has nothing is read, and its tag is set again', async () => {
  expect(await install()).toMatchObject({ code: 0 });
  const tag = `${registry.first}/v2/hello/web/manifests/1.0.0`;
  const before = (await fetch(tag)).headers.get('docker-content-digest');
  expect((await fetch(tag, { method: 'DELETE' })).status).toBe(202);
  const again = await damaged(() => install());
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.stdout)).toMatchObject({ moved: 0, movedBytes: 0 });
  expect((await fetch(tag)).headers.get('docker-content-digest')).toBe(before);
});

test('a registry that has all is asked for each tag, and told nothing', async () => {
  expect(await install()).toMatchObject({ code: 0 });
  const before = await requests();
  expect(await install()).toMatchObject({ code: 0 });
  const after = await requests();
  expect(after.filter((line) => !before.includes(line))).toEqual([expect.stringMatching(/method="HEAD",code="200"/)]);
});

test('a tag that stands for something else is set again', async () => {
  expect(await install()).toMatchObject({ code: 0 });
  const tag = `${registry.first}/v2/hello/web/manifests/1.0.0`;
  const ours = await fetch(tag);
  const manifest = { ...((await ours.json()) as object), annotations: { made: 'elsewhere' } };
  const headers = { 'content-type': ours.headers.get('content-type')! };
  expect((await fetch(tag, { method: 'PUT', headers, body: JSON.stringify(manifest) })).status).toBe(201);
  expect(await install()).toMatchObject({ code: 0 });
  expect((await fetch(tag)).headers.get('docker-content-digest')).toBe(ours.headers.get('docker-content-digest'));
});

/** How often the registry was asked for what, without those who ask for this. */
async function requests(): Promise<string[]> {
  const lines = (await (await fetch(`${registry.first}/metrics`)).text()).split('\n');
  return lines.filter((line) => line.startsWith('solpack_http_requests_total{') && !line.includes('method="GET"'));
}

test('a layer that the registry has lost is brought back', async () => {
  expect(await install()).toMatchObject({ code: 0 });
  const digest = await withArchive(path, ({ catalog }) => catalog.images[0]!.descriptor.digest);
  const manifest = `${registry.first}/v2/hello/web/manifests/${digest}`;
  expect((await fetch(manifest, { method: 'DELETE' })).status).toBe(202);
  const again = await install();
  expect(again).toMatchObject({ code: 0 });
  expect(JSON.parse(again.stdout).moved).toBeGreaterThan(0);
  expect((await fetch(manifest)).status).toBe(200);
});
