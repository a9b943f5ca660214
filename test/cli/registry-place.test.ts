import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { jsonSchemas } from '../../cli/view/json.ts';
import { smallSolution, solpack, succeeds } from '../support/cli.ts';
import { faulty } from '../support/faults.ts';
import { judged, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('registry-place');
const cwd = folder;
const registry = dockerRegistry(folder);

let layers: readonly string[];

beforeAll(async () => {
  const { web } = await smallSolution(folder);
  const manifests = web.manifests.map(({ digest }) => JSON.parse(Buffer.from(web.blobs.get(digest)!).toString()));
  layers = manifests.flatMap((manifest) => manifest.layers.map(({ digest }: { digest: string }) => digest));
  for (const key of ['a', 'b']) await succeeds(['keygen', '-o', key], { cwd });
  await succeeds(['pack', '.', '-o', 'hello.iso', '--sign', 'a.key'], { cwd });
});

/** Pushes the archive, and returns the reference that it has then. */
async function pushed(repository: string): Promise<string> {
  const { host } = await registry();
  await succeeds(['push', 'hello.iso', `${host}/${repository}`], { cwd });
  return `${host}/${repository}:1.0.0`;
}

type Told<C extends 'inspect' | 'verify'> = z.infer<(typeof jsonSchemas)[C]>;

/** What a command tells of a Solution. */
async function told<C extends 'inspect' | 'verify'>(
  command: C,
  ...args: string[]
): Promise<{ code: number; result: Told<C> }> {
  const { code, stdout, stderr } = await solpack([command, ...args, '--json', '-q'], { cwd });
  expect(stderr).toBe('');
  return { code, result: jsonSchemas[command].strict().parse(JSON.parse(stdout)) as Told<C> };
}

describe('a Solution in a registry', () => {
  judged(
    'is inspected without a layer being fetched, and found to be what the archive is',
    ['docker-registry'],
    async () => {
      const reference = await pushed('inspected/hello');
      const { host } = await registry();
      const proxy = await faulty(host, () => undefined);
      const through = reference.replace(host, proxy.host);
      const { path, carrier, size, ...rest } = (await told('inspect', through)).result;
      const archive = (await told('inspect', 'hello.iso')).result;
      expect({ path, carrier, size: size < archive.size }).toEqual({ path: through, carrier: 'registry', size: true });
      expect({ ...archive, ...rest }).toEqual(archive);
      expect(proxy.seen.filter(({ url }) => layers.some((digest) => url.includes(digest)))).toEqual([]);
      expect(await told('inspect', `oci://${host}/inspected/hello@${rest.root}`)).toMatchObject({ result: rest });
    },
  );

  judged('is verified by all of its content, and by who signed it', ['docker-registry'], async () => {
    const reference = await pushed('verified/hello');
    const signed = await told('verify', reference, '--key', 'a.pub');
    expect(signed).toMatchObject({ code: 0, result: { ok: true, trusted: true, name: 'hello', findings: [] } });
    expect(await told('verify', reference)).toMatchObject({ code: 0, result: { ok: true } });
    const other = await told('verify', reference, '--key', 'b.pub');
    expect(other).toMatchObject({ code: 3, result: { trusted: false, findings: [{ code: 'signature-untrusted' }] } });
  });

  judged('of which content is damaged or gone is told of by every digest', ['docker-registry'], async () => {
    const reference = await pushed('damaged/hello');
    const { host } = await registry();
    const [changed, gone] = [layers[0]!, layers[1]!];
    const proxy = await faulty(host, ({ url }) => {
      if (url.includes(gone)) return { status: 404, body: '{"errors":[{"code":"BLOB_UNKNOWN"}]}' };
      return url.includes(changed) ? { body: (bytes) => bytes.map((byte) => byte ^ 1) } : undefined;
    });
    const { code, result } = await told('verify', reference.replace(host, proxy.host), '--key', 'a.pub');
    expect(code).toBe(1);
    expect(result).toMatchObject({ ok: false, trusted: true });
    const found = result.findings.map((finding) => `${finding.code} ${finding.subject}`);
    expect(found.sort()).toEqual([`blob-mismatch ${changed}`, `missing-file ${gone}`]);
  });

  judged('that is not there, or is none, is told of in one line', ['docker-registry'], async () => {
    const reference = await pushed('absent/hello');
    const { host } = await registry();
    const { images } = (await told('inspect', reference)).result;
    for (const command of ['inspect', 'verify']) {
      for (const [name, code, message] of [
        [`${host}/absent/hello:9.9.9`, 4, '[solution-absent]'],
        [`${host}/absent/hello@${images[0]!.digest}`, 2, '[archive-invalid]'],
        ['oci://a.test/UPPER:1', 2, '[usage-invalid]'],
        ['127.0.0.1:1/absent/hello:1.0.0', 4, '[registry-unreachable]'],
      ] as const) {
        const outcome = await solpack([command, name, '-q'], { cwd });
        expect(outcome).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
        expect(outcome.stderr).not.toContain('    at ');
      }
    }
  });
});

test('what has the form of a reference is a file where there is one of that name', async () => {
  const name = 'registry.test/hello:1.0.0';
  mkdirSync(join(folder, 'registry.test'));
  cpSync(join(folder, 'hello.iso'), join(folder, name));
  expect((await told('inspect', name)).result).toMatchObject({ carrier: 'iso', path: join(folder, name) });
});

test('options for registries are refused for archives, and --ca-file for registries', async () => {
  for (const [command, ...args] of [
    ['inspect', 'hello.iso', '--plain-http'],
    ['verify', 'hello.iso', '--no-tls-verify'],
    ['verify', 'hello.iso', '--authfile', 'auth.json'],
    ['inspect', '127.0.0.1:1/a:1', '--ca-file', 'ca.pem'],
  ] as const) {
    const { code, stderr } = await solpack([command, ...args], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('[usage-invalid]')]);
  }
});
