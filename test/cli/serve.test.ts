import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { smallSolution, solpack, starts, succeeds } from '../support/cli.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('serve');
const cwd = folder;
const registry = dockerRegistry(folder);
const listen = ['--listen', '127.0.0.1:0'];
const digestOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

let images: { reference: string; digest: string }[];

beforeAll(async () => {
  await smallSolution(join(folder, 'one'), { version: '1.0.0' });
  await smallSolution(join(folder, 'two'), { version: '2.0.0' });
  await succeeds(['pack', 'one', '-o', 'one.iso'], { cwd });
  await succeeds(['pack', 'two', '-o', 'two.tar'], { cwd });
  const inspected = await Promise.all(
    ['one.iso', 'two.tar'].map((path) => succeeds(['inspect', path, '--json'], { cwd })),
  );
  images = inspected.flatMap((json) => JSON.parse(json).images);
});

describe('serve', () => {
  judged(
    'serves all platforms of every image of several archives to skopeo, with their digests',
    ['skopeo'],
    async () => {
      await using serving = await starts(['serve', 'one.iso', 'two.tar', ...listen], { cwd });
      const host = serving.first.replace('http://', '');
      expect(images).toHaveLength(4);
      for (const [index, { reference, digest }] of images.entries()) {
        for (const name of [reference, reference.replace('registry.example.com/', '')]) {
          const raw = await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', `docker://${host}/${name}`]);
          expect(digestOf(raw)).toBe(digest);
        }
        const to = `dir:${join(folder, `pulled-${index}`)}`;
        await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', `docker://${host}/${reference}`, to]);
      }
    },
  );

  test('writes nothing beside the archives', async () => {
    const before = statSync(join(folder, 'one.iso')).mtimeMs;
    await using serving = await starts(['serve', 'one.iso', ...listen], { cwd });
    expect((await fetch(`${serving.first}/v2/`)).status).toBe(200);
    expect(statSync(join(folder, 'one.iso')).mtimeMs).toBe(before);
  });

  judged('never completes content that is damaged', ['skopeo'], async () => {
    const bytes = readFileSync(join(folder, 'one.iso'));
    writeFileSync(join(folder, 'damaged.iso'), bytes);
    const file = openSync(join(folder, 'damaged.iso'), 'r+');
    const at = bytes.indexOf(Buffer.from([0x1f, 0x8b, 0x08])) + 30;
    writeSync(file, Uint8Array.of(bytes[at]! ^ 1), 0, 1, at);
    closeSync(file);
    await using serving = await starts(['serve', 'damaged.iso', ...listen], { cwd });
    const web = images[0]!.reference.replace('registry.example.com/', '');
    const { code } = await run('skopeo', [
      'copy',
      '--all',
      '--src-tls-verify=false',
      `docker://${serving.first.slice(7)}/${web}`,
      `dir:${join(folder, 'bad')}`,
    ]);
    expect(code).not.toBe(0);
  });

  test('refuses two archives that disagree about an image', async () => {
    await smallSolution(join(folder, 'other'), { version: '1.0.0', seed: 'other' });
    await succeeds(['pack', 'other', '-o', 'other.iso'], { cwd });
    const { code, stderr } = await solpack(['serve', 'one.iso', 'other.iso', ...listen], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('[image-conflict]')]);
  });

  test('tells where its address is taken', async () => {
    await using serving = await starts(['serve', 'one.iso', ...listen], { cwd });
    const { code, stderr } = await solpack(['serve', 'two.tar', '--listen', serving.first.slice(7)], { cwd });
    expect([code, stderr]).toEqual([6, expect.stringContaining('[listen-failed]')]);
  });
});

describe('a registry as source and as target', () => {
  judged('gives pack the images that install pushed, with the same digests', ['docker-registry'], async () => {
    const { host, url } = await registry();
    const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
    writeFileSync(join(folder, 'solutions.yaml'), `${head}archives: [one.iso, two.tar]\nactive: {hello: latest}\n`);
    const json = await succeeds(
      [
        'install',
        '-f',
        'solutions.yaml',
        '--insecure-skip-verify',
        '--images-only',
        '--registry',
        `${url}/edge`,
        '--json',
      ],
      { cwd },
    );
    expect(JSON.parse(json).solutions).toMatchObject([{ version: '2.0.0' }]);
    writeFileSync(
      join(folder, 'pulled.toml'),
      `name = "pulled"\nversion = "1.0.0"\n[[images]]\nreference = "${host}/edge/hello/web:2.0.0"\n`,
    );
    await succeeds(['pack', 'pulled.toml', '-o', 'pulled.iso'], { cwd });
    const { images: pulled } = JSON.parse(await succeeds(['inspect', 'pulled.iso', '--json'], { cwd }));
    const pushed = images.find(({ reference }) => reference === 'registry.example.com/hello/web:2.0.0');
    expect(pulled.map(({ digest }: { digest: string }) => digest)).toEqual([pushed?.digest]);
  });

  judged('is told from one that lacks the image', ['docker-registry'], async () => {
    const { host } = await registry();
    writeFileSync(
      join(folder, 'lacking.toml'),
      `name = "a"\nversion = "1.0.0"\n[[images]]\nreference = "${host}/no/such:1"\n`,
    );
    const { code, stderr } = await solpack(['pack', 'lacking.toml', '-o', 'lacking.iso', '-q'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('[image-absent]')]);
  });
});
