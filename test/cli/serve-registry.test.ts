import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, type TestContext } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { head } from '../support/configurations.ts';
import { ownContainerd } from '../support/containerd.ts';
import { type Fault, faulty } from '../support/faults.ts';
import { sha256Of } from '../support/iso/listing.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { hashed, largeSolution } from '../support/large.ts';
import { fieldOf, listenerOn } from '../support/processes.ts';
import { dockerRegistry } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

const folder = scratch('serve-registry');
const cwd = folder;
const registry = dockerRegistry(folder);
const containerd = ownContainerd(folder);
const listen = ['--listen', '127.0.0.1:0'];
/** Digests of all contents. */
let contents: string[] = [];

beforeAll(async () => {
  await smallSolution(join(folder, 'hello'));
  for (const key of ['a', 'b']) await succeeds(['keygen', '-o', key], { cwd });
  await succeeds(['pack', 'hello', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
  await smallSolution(join(folder, 'newer'), { seed: 'newer' });
  await succeeds(['pack', 'newer', '-o', 'newer.iso'], { cwd });
  const files = await succeeds(['ls', 'hello.iso', 'blobs', '--json'], { cwd });
  const all = files
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; type: string });
  contents = all.flatMap(({ path, type }) => (type === 'file' ? [`sha256:${path.split('/').at(-1)}`] : []));
  expect(contents.length).toBeGreaterThan(8);
});

async function pushed(repository: string, archive = 'hello.iso', tag = '1.0.0'): Promise<string> {
  const reference = `${(await registry()).host}/${repository}:${tag}`;
  await succeeds(['push', archive, reference], { cwd });
  return reference;
}

/**
 * Asks for every content: each answer is an error, or breaks off, or is right to the last byte. Tells how many were
 * right.
 */
async function rightAnswers(url: string): Promise<number> {
  let right = 0;
  for (const digest of contents) {
    const answer = await fetch(`${url}/v2/solutions/hello/blobs/${digest}`);
    const bytes = await answer.arrayBuffer().catch(() => undefined);
    if (answer.status !== 200) expect([404, 500, 502, 503]).toContain(answer.status);
    else if (bytes) {
      expect(`sha256:${sha256Of(Buffer.from(bytes))}`).toBe(digest);
      right += 1;
    }
  }
  return right;
}

describe('a Solution in a registry that is served', () => {
  judged(
    'is pulled by skopeo and crane, and verified with its signatures',
    ['docker-registry', 'skopeo', 'crane'],
    async () => {
      const reference = await pushed('pulled/hello');
      await using serving = await starts(['serve', reference, '--key', 'a.pub', ...listen], { cwd });
      const { host } = new URL(serving.first);
      for (const name of ['web', 'job']) await ok('crane', ['validate', '--remote', `${host}/hello/${name}:1.0.0`]);
      const source = `docker://${host}/registry.example.com/hello/web:1.0.0`;
      await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', source, `oci:${join(folder, 'layout')}:web`]);
      await succeeds(['verify', `${host}/solutions/hello:1.0.0`, '--key', 'a.pub'], { cwd });
      // Registry behind registry: what is pulled from there is the archive that was pushed.
      await succeeds(['pull', `${host}/solutions/hello:1.0.0`, '-o', 'back.iso'], { cwd });
      await ok('cmp', [join(folder, 'back.iso'), join(folder, 'hello.iso')]);
      const range = await fetch(`${serving.first}/v2/solutions/hello/blobs/${contents.at(-1)}`, {
        headers: { range: 'bytes=5-9' },
      });
      expect([range.status, (await range.arrayBuffer()).byteLength]).toEqual([206, 5]);
      expect(await serving.stop()).toBe(0);
      const { code, stderr } = await solpack(['serve', reference, '--key', 'b.pub', ...listen], { cwd });
      expect([code, stderr]).toEqual([3, expect.stringContaining('[not-trusted]')]);
    },
  );

  judged('is pulled by a containerd', ['docker-registry', 'containerd'], async (context: TestContext) => {
    if (process.getuid?.() !== 0) context.skip('needs root');
    const reference = await pushed('run/hello');
    await using serving = await starts(['serve', reference, ...listen], { cwd });
    const { ctr } = await containerd();
    const image = `${new URL(serving.first).host}/hello/web:1.0.0`;
    await ctr('content', 'fetch', '--plain-http', '--all-platforms', image);
    expect(await ctr('images', 'ls')).toContain(image);
  });

  judged('stays what it was when its tag moves', ['docker-registry'], async () => {
    const reference = await pushed('moved/hello');
    await using serving = await starts(['serve', reference, ...listen], { cwd });
    const all = await rightAnswers(serving.first);
    expect(all).toBe(contents.length);
    await pushed('moved/hello', 'newer.iso');
    expect(await rightAnswers(serving.first)).toBe(all);
  });

  judged(
    'gives errors while its registry fails, lies or is gone, never wrong bytes, and serves again after that',
    ['docker-registry'],
    async () => {
      const reference = await pushed('failing/hello');
      const { host } = await registry();
      let fault: Fault | undefined;
      const proxy = await faulty(host, ({ url }) =>
        url.includes('/blobs/') || url.includes('/manifests/') ? fault : undefined,
      );
      await using serving = await starts(['serve', reference.replace(host, proxy.host), ...listen], { cwd });
      const all = await rightAnswers(serving.first);
      expect(all).toBe(contents.length);
      const faults: Fault[] = [
        { status: 404 },
        { status: 403 },
        { body: (bytes) => bytes.map((byte) => byte ^ 1), announced: true },
        { body: (bytes) => bytes.subarray(1), announced: true },
        { body: (bytes) => Buffer.concat([bytes, bytes]) },
        { cut: 'request', after: 0 },
      ];
      for (const one of faults) {
        fault = one;
        expect(await rightAnswers(serving.first)).toBe(0);
        fault = undefined;
        expect(await rightAnswers(serving.first)).toBe(all);
      }
    },
  );

  judged('and is in a configuration, is served once its registry answers', ['docker-registry'], async () => {
    const reference = await pushed('late/hello');
    const { host } = await registry();
    let isUp = false;
    const proxy = await faulty(host, () => (isUp ? undefined : { status: 404 }));
    const entry = reference.replace(host, proxy.host);
    const text = `${head}solutions:\n  - {name: hello, archives: ["${entry}"]}\n`;
    writeFileSync(join(folder, 'late.yaml'), text);
    await using serving = await starts(['serve', '-f', 'late.yaml', ...listen], { cwd });
    expect(await rightAnswers(serving.first)).toBe(0);
    isUp = true;
    const right = (): Promise<number> => rightAnswers(serving.first);
    await eventually(right).toBe(contents.length);
  });
});

judged(
  'A layer of 200 MiB goes through serve from a registry, to several clients at once, in little memory',
  ['docker-registry'],
  async () => {
    const source = join(folder, 'large');
    mkdirSync(source);
    const image = await largeSolution(source, 200 * 2 ** 20);
    await succeeds(['pack', 'large', '-o', 'large.tar'], { cwd });
    const reference = await pushed('large/load', 'large.tar');
    await using serving = await starts(['serve', reference, ...listen], { cwd });
    const manifest = JSON.parse(Buffer.from(image.blobs.get(image.manifests[0]!.digest)!).toString());
    const { digest } = manifest.layers[0];
    const url = `${serving.first}/v2/load/web/blobs/${digest}`;
    expect(await Promise.all([hashed(url), hashed(url), hashed(url)])).toEqual([digest, digest, digest]);
    const peak = fieldOf(listenerOn(new URL(serving.first).port), 'status', 'VmHWM');
    expect(peak).toBeLessThan(256 * 1024);
  },
);
