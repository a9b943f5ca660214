import { copyFileSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { encodeIndex } from '../../formats/oci/manifest.ts';
import { smallSolution, writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { buildImage, type TestImage, writeLayout } from '../support/image.ts';
import { eventually } from '../support/until.ts';
import { type Attacked, clientAttack, expectAnswer, serving } from './serving.ts';
import { codeOf, setStage } from './stage.ts';

// What an archive says of a name stays so, whatever is pushed beside it.

const stage = setStage('serve-names');
const at = (name: string): string => join(stage.folder, name);
const open = ['--store', 'store', '--open-push', '--quiet'];
const host = 'registry.example.com';
/** Names of an archive that has images of several registries, with tag `1`. */
const mixed = ['localhost:5000/team/app', 'edge:5000/team/tool', 'docker.io/library/proxy', 'quay.io/team/app'];
const evil = buildImage({ seed: 'evil' });

beforeAll(async () => {
  mkdirSync(at('mixed'));
  const image = buildImage({ seed: 'mixed' });
  const references = mixed.map((name) => `${name}:1`);
  await writeLayout(
    at('mixed/images'),
    references.map((name) => ({ name, image })),
  );
  const images = references.map((name) => `[[images]]\nreference = "${name}"\nsource = "oci:images:${name}"\n`);
  writeFiles(at('mixed'), { 'solution.toml': `name = "mixed"\nversion = "1.0.0"\n${images.join('')}` });
  await packHere(at('mixed/solution.toml'), at('mixed.iso'));
  await smallSolution(at('strange'), { name: 'strange' });
  await packHere(at('strange/solution.toml'), at('strange.iso'));
});

/** The digest of what a name means, or the status where it means nothing. */
async function meaning({ call }: Attacked, path: string): Promise<string | number> {
  const reply = await call(path);
  return reply.headers.get('docker-content-digest') ?? reply.status;
}

/** Sends the bytes of an image, all but its index. */
async function send({ call }: Attacked, name: string, { blobs, index, manifests }: TestImage): Promise<void> {
  const documents = new Map([index, ...manifests].map(({ digest, mediaType }) => [digest, mediaType]));
  for (const [digest, bytes] of blobs) {
    if (documents.has(digest)) continue;
    const reply = await call(`${name}/blobs/uploads/?digest=${digest}`, { method: 'POST', body: Buffer.from(bytes) });
    expect(reply.status).toBe(201);
  }
  for (const { digest } of manifests) {
    expect((await put({ call } as Attacked, `${name}/manifests/${digest}`, blobs.get(digest)!)).status).toBe(201);
  }
}

const put = ({ call }: Attacked, path: string, bytes: Uint8Array): Promise<Response> => {
  const { mediaType } = JSON.parse(Buffer.from(bytes).toString());
  return call(path, { method: 'PUT', body: Buffer.from(bytes), headers: { 'content-type': mediaType } });
};
const index = evil.blobs.get(evil.index.digest)!;

for (const [name, repository] of [
  ['a push without a password', 'team/own'],
  ['an image that is planted for mirrors of Docker Hub', 'docker.io/library/nginx'],
] as const) {
  clientAttack(name, async (answer) => {
    await using attacked = await serving(stage.folder, 'good.iso', '--store', 'closed');
    for (const [method, path] of [
      ['POST', `${repository}/blobs/uploads/`],
      ['PUT', `${repository}/manifests/latest`],
      ['DELETE', `${repository}/manifests/latest`],
    ] as const) {
      const reply = await attacked.call(path, { method, ...(method === 'PUT' ? { body: Buffer.from(index) } : {}) });
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic realm=/);
      await expectAnswer(reply, answer);
    }
    expect(attacked.said()).toContain('nobody can push: give --htpasswd');
    expect(await meaning(attacked, `${host}/hello/web/manifests/1.0.0`)).toMatch(/^sha256:/);
  });
}

clientAttack('a push to the bare name of an image of an archive', async (answer) => {
  await using attacked = await serving(stage.folder, 'good.iso', ...open);
  const before = await meaning(attacked, 'hello/web/manifests/1.0.0');
  await send(attacked, 'hello/web', evil);
  await expectAnswer(await put(attacked, 'hello/web/manifests/1.0.0', index), answer);
  expect(await meaning(attacked, 'hello/web/manifests/1.0.0')).toBe(before);
  // Another tag is nobody's, and takes nothing from those of the archive.
  expect((await put(attacked, 'hello/web/manifests/mine', index)).status).toBe(201);
  expect(await meaning(attacked, 'hello/web/manifests/mine')).toBe(evil.index.digest);
  expect(await meaning(attacked, 'hello/web/manifests/1.0.0')).toBe(before);
  expect(((await (await attacked.call('hello/web/tags/list')).json()) as { tags: string[] }).tags).toEqual([
    '1.0.0',
    'mine',
  ]);
});

clientAttack('a push to another spelling of a name of an archive', async (answer) => {
  await using attacked = await serving(stage.folder, 'mixed.iso', 'good.iso', ...open);
  const asked = [...mixed.map((name) => name.replace(':', '_')), 'library/proxy', 'team/tool'];
  const meanings = (): Promise<unknown[]> => Promise.all(asked.map((name) => meaning(attacked, `${name}/manifests/1`)));
  const before = await meanings();
  for (const path of [
    'localhost_5000/team/app/manifests/1',
    'team/app/manifests/1?ns=localhost_5000',
    'team/app/manifests/1?ns=LOCALHOST:5000',
    'team/app/manifests/1',
    'edge_5000/team/tool/manifests/1',
    'team/tool/manifests/1?ns=edge:5000',
    'team/tool/manifests/1?ns=edge_5000',
    'team/tool/manifests/1',
    'docker.io/library/proxy/manifests/1',
    'docker.io/proxy/manifests/1',
    'index.docker.io/library/proxy/manifests/1',
    'registry-1.docker.io/proxy/manifests/1',
    'library/proxy/manifests/1',
    'proxy/manifests/1?ns=docker.io',
    'library/proxy/manifests/1?ns=registry-1.docker.io',
    'docker.io/library/proxy/manifests/1?ns=docker.io',
    'solutions/hello/manifests/1.0.0',
    'web/manifests/1.0.0?ns=registry.example.com/hello',
  ]) {
    const reply = await put(attacked, path, encodeIndex({ manifests: [] }));
    const slash = path.endsWith('.com/hello');
    await expectAnswer(reply, slash ? { ...answer, status: 400, code: 'NAME_INVALID' } : answer);
  }
  expect(await meanings()).toEqual(before);
});

clientAttack('a push by digest that brings a tag of an archive', async (answer) => {
  await using attacked = await serving(stage.folder, 'good.iso', ...open);
  await send(attacked, 'hello/web', evil);
  const path = `hello/web/manifests/${evil.index.digest}?tag=own&tag=1.0.0`;
  await expectAnswer(await put(attacked, path, index), answer);
  expect(await meaning(attacked, 'hello/web/manifests/own')).toBe(404);
});

clientAttack('a push to the bare name of an image that fails half-way', async (answer) => {
  await using attacked = await serving(stage.folder, 'good.iso', '--store', 'failing', '--open-push', '--quiet');
  const before = await meaning(attacked, 'hello/web/manifests/1.0.0');
  const blob = Buffer.from('a blob alone');
  const lacking = encodeIndex({ manifests: [...evil.manifests] });
  for (const name of ['hello/web', 'evil.example.com/hello/web']) {
    await attacked.call(`${name}/blobs/uploads/`, { method: 'POST' });
    await attacked.call(`${name}/blobs/uploads/?digest=${sha256(blob)}`, { method: 'POST', body: blob });
    expect((await put(attacked, `${name}/manifests/${evil.manifests[0]!.digest}`, lacking)).status).toBe(400);
    const manifest = evil.blobs.get(evil.manifests[0]!.digest)!;
    expect((await put(attacked, `${name}/manifests/${evil.manifests[0]!.digest}`, manifest)).status).toBe(404);
    expect((await put(attacked, `${name}/manifests/${sha256(lacking)}`, lacking)).status).toBe(201);
    const reply = await attacked.call('hello/web/manifests/1.0.0');
    expect(reply.headers.get('docker-content-digest')).toBe(before);
    await expectAnswer(reply, answer);
  }
});

clientAttack('a push to a name that an archive brings later', async (answer) => {
  mkdirSync(at('folder'));
  const args = ['folder', '--store', 'early', '--open-push'];
  await using attacked = await serving(stage.folder, ...args);
  const names = ['hello/web', `${host}/hello/web`];
  for (const name of names) {
    await send(attacked, name, evil);
    expect((await put(attacked, `${name}/manifests/1.0.0`, index)).status).toBe(201);
  }
  copyFileSync(at('good.iso'), at('coming'));
  renameSync(at('coming'), at('folder/good.iso'));
  for (const path of [...names.map((name) => `${name}/manifests/1.0.0`), `hello/web/manifests/1.0.0?ns=${host}`]) {
    await eventually(() => meaning(attacked, path)).not.toBe(evil.index.digest);
    await expectAnswer(await attacked.call(path), answer);
  }
  for (const name of names) expect(attacked.said()).toContain(`${name}:1.0.0 of the store is ${evil.index.digest}`);
  // What was pushed is there still, by its digest.
  expect(await meaning(attacked, `hello/web/manifests/${evil.index.digest}`)).toBe(evil.index.digest);
});

for (const trust of [
  ['--key', 'release.pub'],
  ['--policy', 'policy.json'],
] as const) {
  test(`serve ${trust[0]} refuses an archive that is named and not trusted`, async () => {
    writeFiles(stage.folder, {
      'policy.json': JSON.stringify({
        version: 1,
        keys: [{ id: stage.keys.release.id, pem: stage.keys.release.pem }],
        policies: [{ match: 'hello', keys: [stage.keys.release.id] }],
      }),
    });
    const outcome = await stage.run('serve', 'good.iso', 'strange.iso', '--listen', '127.0.0.1:0', ...trust);
    expect([outcome.code, codeOf(outcome)]).toEqual([3, 'not-trusted']);
    await using attacked = await serving(stage.folder, 'good.iso', '--quiet', ...trust);
    expect(await meaning(attacked, 'hello/web/manifests/1.0.0')).toMatch(/^sha256:/);
  });
}

clientAttack('an archive that nobody trusts, moved into a folder that is served with a key', async (answer) => {
  mkdirSync(at('trusted'));
  for (const name of ['good.iso', 'strange.iso']) copyFileSync(at(name), at(`trusted/${name}`));
  await using attacked = await serving(stage.folder, 'trusted', '--key', 'release.pub');
  expect(await meaning(attacked, 'hello/web/manifests/1.0.0')).toMatch(/^sha256:/);
  await expectAnswer(await attacked.call('strange/web/manifests/1.0.0'), answer);
  expect(attacked.said()).toContain('strange.iso: is not served: ');
  copyFileSync(at('strange.iso'), at('coming'));
  renameSync(at('coming'), at('trusted/later.iso'));
  await eventually(() => attacked.said()).toContain('later.iso: is not served: ');
  await expectAnswer(await attacked.call('strange/web/manifests/1.0.0'), answer);
});
