import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mediaTypes } from '../../formats/oci/descriptor.ts';
import { smallSolution, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';
import { eventually } from '../support/until.ts';

// A tag that moved between two versions, or that two Solutions have for different images.

const folder = scratch('moved-tags');
const cwd = folder;
const registry = dockerRegistry(folder);
const listen = ['--listen', '127.0.0.1:0'];
const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
const NAME = 'registry.example.com/base/web:latest';
const MESSAGE = `${NAME}: is the image of`;

/** The digests of the image that has the tag, by archive. */
const digests: Record<string, string> = {};

beforeAll(async () => {
  for (const [file, name, version] of [
    ['old', 'shop', '1.0.0'],
    ['new', 'shop', '1.1.0'],
    ['other', 'db', '1.0.5'],
  ] as const) {
    await smallSolution(join(folder, file), { name, version, seed: name, repository: 'base', tag: 'latest' });
    await succeeds(['pack', file, '-o', `${file}.iso`], { cwd });
    const { images } = JSON.parse(await succeeds(['inspect', `${file}.iso`, '--json'], { cwd }));
    digests[file] = images.find(({ reference }: { reference: string }) => reference === NAME).digest;
  }
  expect(new Set(Object.values(digests)).size).toBe(3);
});

/** Asks a registry for a manifest by tag or digest; returns its digest, or the status. */
async function asked(url: string, repository: string, reference: string): Promise<string | number | null> {
  const answer = await fetch(`${url}/v2/${repository}/manifests/${reference}`, {
    headers: { accept: mediaTypes.index },
  });
  return answer.ok ? answer.headers.get('docker-content-digest') : answer.status;
}

const told = (stderr: string): string[] => stderr.split('\n').filter((line) => line.includes(MESSAGE));

describe('serve', () => {
  judged('serves both, and the tag is that of the higher version, which is said once', ['skopeo'], async () => {
    await using serving = await starts(['serve', 'old.iso', 'new.iso', ...listen], { cwd });
    const host = serving.first.replace('http://', '');
    expect(await asked(serving.first, 'base/web', 'latest')).toBe(digests['new']);
    for (const file of ['old', 'new']) {
      const name = `docker://${host}/base/web@${digests[file]}`;
      await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', name, `dir:${join(folder, `pulled-${file}`)}`]);
    }
    expect(told(serving.said())).toEqual([expect.stringContaining('of shop 1.1.0; that of shop 1.0.0')]);
  });

  test('answers for what the configuration activates, as soon as that changes', async () => {
    const active = (version: string): void =>
      writeFiles(folder, { 'serve.yaml': `${head}archives: [old.iso, new.iso]\nactive: {shop: ${version}}\n` });
    active('1.0.0');
    await using serving = await starts(['serve', '-f', 'serve.yaml', ...listen], { cwd });
    const digest = (): Promise<unknown> => asked(serving.first, 'base/web', 'latest');
    expect(await digest()).toBe(digests['old']);
    active('1.1.0');
    await eventually(digest).toBe(digests['new']);
    expect(await asked(serving.first, 'base/web', digests['old']!)).toBe(digests['old']);
    expect(told(serving.said())).toHaveLength(2);
  });
});

describe('two active Solutions that share a tag', () => {
  const install = ['install', '-f', 'both.yaml', '--insecure-skip-verify', '--images-only', '--registry'];

  beforeAll(() => {
    writeFiles(folder, { 'both.yaml': `${head}archives: [new.iso, other.iso]\nactive: {shop: latest, db: latest}\n` });
  });

  judged('are pushed to a registry, which has both images, and are reported once', ['docker-registry'], async () => {
    const { url } = await registry();
    const plan = await solpack([...install, url, '--plan'], { cwd });
    expect([plan.code, told(plan.stderr)]).toEqual([0, [expect.stringContaining('of shop 1.1.0; that of db 1.0.5')]]);
    const { code, stderr } = await solpack([...install, url], { cwd });
    expect([code, told(stderr).length]).toEqual([0, 1]);
    expect(await asked(url, 'base/web', 'latest')).toBe(digests['new']);
    for (const file of ['new', 'other']) expect(await asked(url, 'base/web', digests[file]!)).toBe(digests[file]);
    // The same again sends nothing and moves no tag, to and fro.
    const again = JSON.parse(await succeeds([...install, url, '--json'], { cwd }));
    expect(again).toMatchObject({ moved: 0, movedTags: [] });
  });

  judged('are pushed to a solpack serve as well', ['skopeo'], async () => {
    await using serving = await starts(['serve', '--store', 'store', '--open-push', ...listen], { cwd });
    await succeeds([...install, serving.first], { cwd });
    expect(await asked(serving.first, 'base/web', 'latest')).toBe(digests['new']);
    const name = `docker://${serving.first.slice(7)}/base/web@${digests['other']}`;
    await ok('skopeo', ['copy', '--all', '--src-tls-verify=false', name, `dir:${join(folder, 'pulled-other')}`]);
  });

  test('are served by the install itself', async () => {
    const { code, stderr } = await solpack(
      ['install', '-f', 'both.yaml', '--render', 'out', '--insecure-skip-verify'],
      {
        cwd,
      },
    );
    expect([code, told(stderr).length]).toEqual([0, 1]);
  });
});
