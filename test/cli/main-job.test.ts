import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { solpack, starts, succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('main-job');
const registry = dockerRegistry(folder);
const cwd = folder;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook'), folder, { recursive: true });
  await succeeds(['keygen', '-o', 'release'], { cwd });
  await succeeds(['pack', '1.0.0', '-o', 'guestbook-1.0.0.iso', '--sign', 'release.key'], { cwd });
  await succeeds(['pack', '1.1.0/solution.toml', '-o', 'guestbook-1.1.0.iso'], { cwd });
  await succeeds(['pack', '1.1.0', '-o', 'guestbook-1.1.0.tar', '--locked'], { cwd });
  await succeeds(['sign', 'guestbook-1.1.0.iso', '--private-key', 'release.key'], { cwd });
});

interface Inspected {
  name: string;
  version: string;
  root: string;
  size: number;
  sharedBytes: number;
  components: { name: string; kind: string; version?: string; size: number }[];
  images: { reference: string; digest: string; mediaType: string; size: number; platforms: string[] }[];
  signatures: { slot: number; algorithm: string; keyId: string }[];
}

async function inspected(archive: string): Promise<Inspected> {
  return JSON.parse(await succeeds(['inspect', archive, '--json'], { cwd }));
}

describe('the example Solution', () => {
  test('has every kind of component, images for two platforms, and a signature', async () => {
    const { name, version, components, images, signatures, sharedBytes } = await inspected('guestbook-1.1.0.iso');
    expect([name, version]).toEqual(['guestbook', '1.1.0']);
    expect(new Set(components.map(({ kind }) => kind))).toEqual(new Set(['manifests', 'kustomize', 'helm', 'plugin']));
    expect(images.map(({ platforms }) => platforms)).toEqual([
      ['linux/amd64', 'linux/arm64'],
      ['linux/amd64', 'linux/arm64'],
    ]);
    expect(sharedBytes).toBeGreaterThan(1e7);
    expect(signatures).toMatchObject([{ slot: 0, algorithm: 'ecdsa-p256-sha256' }]);
  });

  test('has one root, whatever carries it', async () => {
    expect((await inspected('guestbook-1.1.0.iso')).root).toBe((await inspected('guestbook-1.1.0.tar')).root);
  });

  test('verifies in both versions', async () => {
    for (const version of ['1.0.0', '1.1.0']) {
      const json = await succeeds(['verify', `guestbook-${version}.iso`, '--key', 'release.pub', '--json'], { cwd });
      expect(JSON.parse(json)).toMatchObject({ ok: true, trusted: true, version, findings: [] });
    }
  });

  test('is described for people with what a person wants to know', async () => {
    const text = await succeeds(['inspect', 'guestbook-1.1.0.iso'], { cwd });
    for (const part of [
      'guestbook 1.1.0',
      'registry.example.com/guestbook/web:1.1.0',
      'linux/arm64',
      'shared',
      'helm',
      'sha256:',
    ]) {
      expect(text).toContain(part);
    }
  });
});

describe('install', () => {
  judged('chooses 1.1.0, serves its images and renders its objects in order', ['helm', 'kubectl'], async () => {
    const args = ['install', '-f', 'solutions.yaml', '--key', 'release.pub', '--render', 'rendered', '--json'];
    const result = JSON.parse(await succeeds(args, { cwd }));
    expect(result.solutions).toMatchObject([{ name: 'guestbook', version: '1.1.0' }]);
    expect(result.moved).toBe(0);
    const files = readdirSync(join(folder, 'rendered/guestbook')).sort();
    expect(result.solutions[0].applied.map((path: string) => path.split('/').at(-1))).toEqual(files);
    expect(files.map((file) => file.replace(/^\d+-|\.yaml$/g, ''))).toEqual([
      'namespace',
      'crds',
      'operator',
      'web',
      'motd',
    ]);
    const kinds = files.flatMap((file) => {
      const documents = parseAllDocuments(readFileSync(join(folder, 'rendered/guestbook', file), 'utf8'));
      return documents.map((document) => document.get('kind'));
    });
    for (const kind of ['Namespace', 'CustomResourceDefinition', 'Deployment', 'Service', 'Role', 'ConfigMap']) {
      expect(kinds).toContain(kind);
    }
    const { reference, digest } = (await inspected('guestbook-1.1.0.iso')).images[0]!;
    const web = readFileSync(join(folder, 'rendered/guestbook/040-web.yaml'), 'utf8');
    expect(web).toContain(`${reference}@${digest}`);
  });

  judged(
    'pushes to a registry, which then has the very digests that were packed',
    ['docker-registry', 'skopeo', 'helm', 'kubectl'],
    async () => {
      const { url, host } = await registry();
      const args = [
        'install',
        '-f',
        'solutions.yaml',
        '--key',
        'release.pub',
        '--registry',
        url,
        '--render',
        'pushed',
        '--json',
      ];
      const first = JSON.parse(await succeeds(args, { cwd }));
      expect(first.moved).toBeGreaterThan(0);
      for (const { reference, digest } of (await inspected('guestbook-1.1.0.iso')).images) {
        const name = `docker://${host}/${reference.replace('registry.example.com/', '')}`;
        const raw = await ok('skopeo', ['inspect', '--raw', '--tls-verify=false', name]);
        const { createHash } = await import('node:crypto');
        expect(`sha256:${createHash('sha256').update(raw).digest('hex')}`).toBe(digest);
      }
      const rendered = readFileSync(join(folder, 'pushed/guestbook/040-web.yaml'), 'utf8');
      expect(rendered).toContain(`${host}/guestbook/web:1.1.0@sha256:`);
      const again = JSON.parse(await succeeds(args, { cwd }));
      expect(again).toMatchObject({ moved: 0, movedBytes: 0 });
      expect(again.present).toBeGreaterThan(0);
    },
  );

  judged('asks a running serve whether it has the images', ['helm', 'kubectl'], async () => {
    await using serving = await starts(['serve', '-f', 'solutions.yaml', '--listen', '127.0.0.1:0'], { cwd });
    const served = [
      'install',
      '-f',
      'solutions.yaml',
      '--key',
      'release.pub',
      '--images-only',
      '--served-at',
      serving.first,
    ];
    expect(await succeeds(served, { cwd })).toContain('guestbook 1.1.0');
    await using other = await starts(['serve', 'guestbook-1.0.0.iso', '--listen', '127.0.0.1:0'], { cwd });
    const { code, stderr } = await solpack([...served.slice(0, -1), other.first], { cwd });
    expect(code).toBe(4);
    expect(stderr).toContain('[registry-incomplete]');
  });

  test('refuses an archive that the key has not signed, before anything is done', async () => {
    await succeeds(['keygen', '-o', 'other'], { cwd });
    const { code, stderr } = await solpack(
      ['install', '-f', 'solutions.yaml', '--key', 'other.pub', '--render', 'never'],
      { cwd },
    );
    expect(code).toBe(3);
    expect(stderr).toContain('[not-trusted]');
    expect(readdirSync(folder)).not.toContain('never');
  });

  test('is refused where nobody says whom to trust, unless that is asked for, which it says loudly', async () => {
    const refused = await solpack(['install', '-f', 'solutions.yaml', '--render', 'never'], { cwd });
    expect([refused.code, refused.stdout]).toEqual([3, '']);
    expect(refused.stderr).toMatch(/^solpack: install: .*--policy.*--key.*\[trust-required\]$/m);
    expect(readdirSync(folder)).not.toContain('never');
    const { code, stdout, stderr } = await solpack(
      ['install', '-f', 'solutions.yaml', '--render', 'any', '--insecure-skip-verify'],
      {
        cwd,
      },
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('NOT CHECKED')]);
    expect(stderr).toContain('NOT TRUSTED: its bytes are intact, but signatures were not checked');
  });
});
