import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { succeeds } from '../support/cli.ts';
import { judged, ok, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('interop');
const cwd = folder;
const registry = dockerRegistry(folder, { program: 'registry' });
const web = 'registry.example.com/guestbook/web:1.1.0';

let listing: Map<string, string>;
let inspected: { root: string; images: { reference: string; digest: string }[] };

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../fixtures/guestbook/1.1.0'), join(folder, 'src'), { recursive: true });
  await succeeds(['keygen', '-o', 'k'], { cwd });
  for (const archive of ['a.iso', 'a.tar']) await succeeds(['pack', 'src', '-o', archive, '--sign', 'k.key'], { cwd });
  await succeeds(['extract', 'a.iso', '-C', 'own'], { cwd });
  inspected = JSON.parse(await succeeds(['inspect', 'a.iso', '--json'], { cwd }));
  listing = await digestsOf('a.iso');
});

/** SHA-256 of every file of an archive, as solpack reads it. */
async function digestsOf(archive: string): Promise<Map<string, string>> {
  const lines = (await succeeds(['ls', archive, '--json', '--digests'], { cwd })).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { path: string; type: string; sha256: string });
  return new Map(entries.filter(({ type }) => type === 'file').map(({ path, sha256 }) => [path, sha256]));
}

/** Checks that a folder has exactly the files that solpack lists, with the same bytes. */
async function expectSame(out: string, expected: Map<string, string>): Promise<void> {
  const found = (await ok('find', ['.', '-type', 'f'], { cwd: out }))
    .trim()
    .split('\n')
    .map((path) => path.slice(2));
  expect(found.sort()).toEqual([...expected.keys()].sort());
  for (const [path, sha256] of expected) {
    expect(
      createHash('sha256')
        .update(readFileSync(join(out, path)))
        .digest('hex'),
      path,
    ).toBe(sha256);
  }
}

function out(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

describe('an ISO', () => {
  judged('is extracted by xorriso with identical bytes', ['xorriso'], async () => {
    const to = out('xorriso');
    await ok('xorriso', ['-osirrox', 'on', '-indev', 'a.iso', '-extract', '/', to], { cwd });
    await ok('chmod', ['-R', 'u+w', to]);
    await expectSame(to, listing);
  });

  judged('is extracted by bsdtar with identical bytes, from a file and from a pipe', ['bsdtar', 'bash'], async () => {
    await ok('bsdtar', ['-xf', 'a.iso', '-C', out('bsdtar')], { cwd });
    await expectSame(join(folder, 'bsdtar'), listing);
    await ok('bash', ['-c', `cat a.iso | bsdtar -xf - -C ${out('bsdtar-pipe')}`], { cwd });
    await expectSame(join(folder, 'bsdtar-pipe'), listing);
  });

  judged('is extracted by 7-Zip with identical bytes', ['7zz'], async () => {
    await ok('7zz', ['x', `-o${out('7zz')}`, 'a.iso'], { cwd });
    await expectSame(join(folder, '7zz'), listing);
  });

  judged('is extracted by solpack with identical bytes', ['bash'], () => expectSame(join(folder, 'own'), listing));

  judged('extracted, passes its own list of sums', ['sha256sum'], async () => {
    await ok('sha256sum', ['--strict', '--quiet', '-c', '.solpack/SHA256SUMS'], { cwd: join(folder, 'own') });
  });

  judged('extracted, is an image layout that skopeo reads', ['skopeo'], async () => {
    for (const { reference, digest } of inspected.images) {
      const raw = await ok('skopeo', ['inspect', '--raw', `oci:own:${reference}`], { cwd });
      expect(`sha256:${createHash('sha256').update(raw).digest('hex')}`).toBe(digest);
    }
    await ok('skopeo', ['copy', '--all', `oci:own:${web}`, `oci:${out('copied')}:web`], { cwd });
  });

  judged('extracted, is an image layout that oras reads, root and all', ['oras'], async () => {
    const tags = await ok('oras', ['repo', 'tags', '--oci-layout', 'own'], { cwd });
    expect(tags.trim().split('\n').sort()).toEqual(
      ['1.1.0', 'guestbook:1.1.0', ...inspected.images.map(({ reference }) => reference)].sort(),
    );
    const root = await ok('oras', ['manifest', 'fetch', '--oci-layout', 'own:1.1.0', '--descriptor'], { cwd });
    expect(JSON.parse(root).digest).toBe(inspected.root);
    await ok('oras', ['cp', '-r', '--from-oci-layout', 'own:1.1.0', '--to-oci-layout', `${out('oras')}:1.1.0`], {
      cwd,
    });
  });

  judged('extracted, is an image layout that umoci reads', ['umoci'], async () => {
    expect(await ok('umoci', ['ls', '--layout', 'own'], { cwd })).toContain(web);
  });
});

describe('a tar', () => {
  judged('is extracted by tar and bsdtar with identical bytes', ['tar', 'bsdtar'], async () => {
    const expected = await digestsOf('a.tar');
    for (const program of ['tar', 'bsdtar']) {
      await ok(program, ['-xf', 'a.tar', '-C', out(`tar-${program}`)], { cwd });
      await expectSame(join(folder, `tar-${program}`), expected);
    }
    await ok('sha256sum', ['--strict', '--quiet', '-c', '.solpack/SHA256SUMS'], { cwd: join(folder, 'tar-tar') });
  });

  judged('is an OCI archive that skopeo reads as it is', ['skopeo'], async () => {
    for (const { reference, digest } of inspected.images) {
      const raw = await ok('skopeo', ['inspect', '--raw', `oci-archive:a.tar:${reference}`], { cwd });
      expect(`sha256:${createHash('sha256').update(raw).digest('hex')}`).toBe(digest);
    }
  });

  judged('is an image layout that oras reads as it is', ['oras'], async () => {
    const root = await ok('oras', ['manifest', 'fetch', '--oci-layout', 'a.tar:1.1.0', '--descriptor'], { cwd });
    expect(JSON.parse(root).digest).toBe(inspected.root);
  });

  judged(
    'has referrers that oras finds, and copies to a registry where solpack trusts them',
    ['oras', 'registry'],
    async () => {
      const listed = await ok('oras', ['discover', '--oci-layout', 'a.tar:1.1.0', '--format', 'json'], { cwd });
      const artifactType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
      const signature = { artifactType, digest: expect.any(String) };
      expect(JSON.parse(listed).manifests).toMatchObject([signature]);
      const reference = `${(await registry()).host}/copied/guestbook:1.1.0`;
      await ok('oras', ['cp', '-r', '--from-oci-layout', 'a.tar:1.1.0', '--to-plain-http', reference], { cwd });
      await succeeds(['verify', reference, '--plain-http', '--key', 'k.pub'], { cwd });
      await succeeds(['pull', reference, '--plain-http', '-o', 'pulled.tar'], { cwd });
      // Statements stay behind, which a tar has in slots alone.
      expect(await slotsOf('pulled.tar')).toEqual(await slotsOf('a.tar'));
    },
  );
});

/** The SHA-256 of what an archive has of signatures, but for statements. */
async function slotsOf(archive: string): Promise<[path: string, sha256: string][]> {
  const own = /^(?:index\.json|\.solpack\/(?:signatures|referrers)\/.*)$/;
  return [...(await digestsOf(archive))].filter(([path]) => own.test(path));
}

test('SOURCE_DATE_EPOCH is the date of everything in an archive', async () => {
  await succeeds(['pack', 'src', '-o', 'dated.iso', '--update'], { cwd, env: { SOURCE_DATE_EPOCH: '1700000000' } });
  expect(JSON.parse(await succeeds(['inspect', 'dated.iso', '--json'], { cwd }))).toMatchObject({
    created: 1700000000,
  });
});
