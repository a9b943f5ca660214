import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sbomKind } from '../../formats/cyclonedx/kind.ts';
import { parseStatement } from '../../formats/in-toto/statement.ts';
import { describeRelease } from '../../scripts/release/describe.ts';
import { npmTarball } from '../../scripts/release/npm.ts';
import { bundledParts, encodeReleaseBom, nodeParts } from '../../scripts/release/sbom.ts';
import { releaseSigner } from '../../scripts/release/sign.ts';
import { nextVersion, releasedFiles } from '../../scripts/release/source.ts';
import { cutChangelog, releasedOn } from '../../scripts/reproducible/changelog.ts';
import { solpack } from '../support/cli.ts';
import { judged, type Outcome, ok, run, scratch } from '../support/judges.ts';

const root = join(import.meta.dirname, '../..');
const folder = scratch('release');
const date = new Date('2026-01-31T00:00:00Z');
const commit = { id: '0123456789012345678901234567890123456789', date, clean: true };
const page = readFileSync(join(root, 'docs/release.md'), 'utf8');
const [fingerprint = '', ecdsa = '', ed25519 = '', cosign = '', attestation = ''] = [
  ...page.matchAll(/```sh\n([\s\S]*?)```/g),
].map(([, steps]) => steps!);

/** Keys, and how the page says that OpenSSL checks what they signed. */
const keys = { 'ecdsa-p256': ecdsa, ed25519 };

/** What `keygen` printed of each key. */
const told = new Map<string, string>();

/** Makes a release, of files with hardly a content, in a folder of its own. */
async function release(name: string, key: string | undefined): Promise<string> {
  const place = join(folder, name);
  mkdirSync(place);
  for (const file of ['solpack-linux-x64', 'solpack-1.2.3.tgz']) writeFileSync(join(place, file), `this is ${file}`);
  const options = { passphraseFile: undefined, signer: undefined };
  const signer = key === undefined ? undefined : await releaseSigner({ key: join(folder, `${key}.key`), ...options });
  await describeRelease(place, { version: '1.2.3', day: '2026-01-31', commit }, signer);
  return place;
}

function steps(script: string, cwd: string, key: string): Promise<Outcome> {
  return run('sh', ['-euc', script], { cwd, env: { KEY: join(folder, `${key}.pub`), HOME: folder } });
}

beforeAll(async () => {
  for (const key of [...Object.keys(keys), 'other']) {
    const algorithm = key === 'other' ? 'ecdsa-p256' : key;
    told.set(key, (await solpack(['keygen', '-o', key, '--type', algorithm], { cwd: folder })).stdout);
  }
  for (const key of Object.keys(keys)) await release(`by-${key}`, key);
});

describe('the changelog', () => {
  const text = '# Changelog\n\n## Unreleased\n\n### Added\n\n- This.\n\n## 1.2.2 - 2026-01-01\n\n- That.\n';

  test('is cut: what was unreleased belongs to the version, and to the day', () => {
    const cut = cutChangelog(text, '1.2.3', date);
    expect(cut).toBe(text.replace('## Unreleased', '## 1.2.3 - 2026-01-31'));
    expect(releasedOn(cut, '1.2.3')).toEqual(date);
    expect(releasedOn(cut, '1.2.4')).toBeUndefined();
  });

  test('is not cut where nothing is unreleased, or the version was', () => {
    expect(() => cutChangelog('# Changelog\n', '1.2.3', date)).toThrow('no "## Unreleased"');
    expect(() => cutChangelog('# Changelog\n\n## Unreleased\n\n## 1.0.0 - 2026-01-01\n', '1.2.3', date)).toThrow(
      'tells of nothing',
    );
    expect(() => cutChangelog(text, '1.2.2', date)).toThrow('has 1.2.2 already');
  });

  test('of this checkout can be cut, and its version is the next one everywhere; or it was', () => {
    const current: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
    if (!current.endsWith('-dev')) {
      expect(releasedOn(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), current)).toBeDefined();
      expect(nextVersion).toThrow('which was released');
      return;
    }
    const version = nextVersion();
    // Right after a release there is nothing yet that could be cut.
    const log = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    if (/^## Unreleased\s*(?:\n## |$(?![\s\S]))/m.test(log)) {
      expect(() => releasedFiles(version, date)).toThrow('tells of nothing');
      return;
    }
    const files = releasedFiles(version, date);
    expect(files.get('CHANGELOG.md')).toContain(`\n## ${version} - 2026-01-31\n`);
    for (const path of ['package.json', 'package-lock.json']) {
      expect(JSON.parse(files.get(path)!).version).toBe(version);
      expect(files.get(path)).not.toContain(`${version}-dev`);
    }
  });
});

test('a release is the same bytes, signatures included', async () => {
  const again = await release('again', 'ecdsa-p256');
  const names = readdirSync(again).sort();
  expect(names).toEqual([
    'SHA256SUMS',
    'SHA256SUMS.sig',
    'SHA256SUMS.sigstore.json',
    'provenance.json',
    'provenance.sigstore.json',
    'solpack-1.2.3.tgz',
    'solpack-linux-x64',
  ]);
  for (const name of names) {
    expect(readFileSync(join(again, name))).toEqual(readFileSync(join(folder, 'by-ecdsa-p256', name)));
  }
});

test('without a key nothing is signed, and the sums are the same', async () => {
  const plain = await release('plain', undefined);
  expect(readdirSync(plain).filter((name) => /sig/.test(name))).toEqual([]);
  expect(readFileSync(join(plain, 'SHA256SUMS'))).toEqual(readFileSync(join(folder, 'by-ed25519', 'SHA256SUMS')));
});

test('the provenance is about every file, and names the commit', () => {
  const bytes = readFileSync(join(folder, 'by-ed25519', 'provenance.json'));
  const { subjects, predicateType } = parseStatement(bytes);
  expect([subjects.length, predicateType]).toEqual([2, 'https://slsa.dev/provenance/v1']);
  const { buildDefinition } = JSON.parse(bytes.toString('utf8')).predicate;
  expect(buildDefinition.resolvedDependencies[0]).toEqual({ name: 'source', digest: { gitCommit: commit.id } });
});

describe.each(Object.keys(keys) as (keyof typeof keys)[])('by the page, a release that %s signed', (key) => {
  judged('is checked by OpenSSL, and a changed file, sum or key is found', ['openssl', 'sha256sum'], async () => {
    const place = join(folder, `by-${key}`);
    const [id = ''] = (await ok('sh', ['-c', fingerprint], { env: { KEY: join(folder, `${key}.pub`) } })).split(' ');
    expect(told.get(key)).toMatch(new RegExp(`key ${id.slice(0, 16)}\\b`));
    expect((await steps(keys[key], place, key)).code).toBe(0);
    expect((await steps(keys[key], place, 'other')).code).not.toBe(0);
    for (const name of ['solpack-linux-x64', 'SHA256SUMS', 'provenance.json']) {
      const changed = join(folder, `changed-${key}-${name}`);
      cpSync(place, changed, { recursive: true });
      appendFileSync(join(changed, name), '\n');
      expect((await steps(keys[key], changed, key)).code).not.toBe(0);
    }
  });

  judged('is checked by cosign, its sums and its provenance', ['cosign', 'sha256sum'], async () => {
    const place = join(folder, `by-${key}`);
    for (const script of [cosign, attestation]) {
      const good = await steps(script, place, key);
      expect([good.code, good.stderr]).toEqual([0, expect.stringContaining('Verified OK')]);
      expect((await steps(script, place, 'other')).code).not.toBe(0);
      const changed = join(folder, `cosign-${key}-${script.length}`);
      cpSync(place, changed, { recursive: true });
      appendFileSync(join(changed, 'solpack-linux-x64'), '\n');
      expect((await steps(script, changed, key)).code).not.toBe(0);
    }
  });
});

describe('an SBOM', () => {
  const notices = `semver ${version('semver')} (ISC)\n\nThe ISC License\n`;

  test('names the packages that are bundled with the digests of the lock, and what is in Node.js', () => {
    const file = join(folder, 'by-ed25519', 'solpack-linux-x64');
    const parts = [...bundledParts(notices), ...nodeParts(process.versions as Record<string, string>)];
    const bytes = encodeReleaseBom(file, '1.2.3', parts);
    expect(sbomKind(bytes)).toEqual({ kind: 'cyclonedx', version: '1.6' });
    const { components, metadata, serialNumber } = JSON.parse(Buffer.from(bytes).toString('utf8'));
    expect(serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(metadata.component.hashes[0].content).toMatch(/^[0-9a-f]{64}$/);
    expect(components[0]).toMatchObject({ purl: `pkg:npm/semver@${version('semver')}`, hashes: [{ alg: 'SHA-512' }] });
    const names = components.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'openssl', 'v8', 'zlib']));
    expect(encodeReleaseBom(file, '1.2.3', parts)).toEqual(bytes);
  });

  test('of a package that the lock has not is refused', () => {
    expect(() => bundledParts('semver 0.0.1 (ISC)\n\n')).toThrow('package-lock.json has not the semver 0.0.1');
  });
});

judged('the tarball is one that npm installs, whatever the zlib of Node.js', ['npm'], async () => {
  const [source, user] = [join(folder, 'package'), join(folder, 'user')];
  mkdirSync(join(source, 'bin'), { recursive: true });
  mkdirSync(user);
  const about = { name: 'tried', version: '1.2.3', bin: { tried: 'bin/bin.js' } };
  writeFileSync(join(source, 'package.json'), JSON.stringify(about));
  writeFileSync(join(source, 'bin/bin.js'), '#!/usr/bin/env node\nconsole.log("runs")\n');
  writeFileSync(join(user, 'tried.tgz'), npmTarball(source));
  await ok('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', user, join(user, 'tried.tgz')]);
  expect(await ok(join(user, 'node_modules/.bin/tried'), [])).toBe('runs\n');
});

/** The version of a package in the lock. */
function version(name: string): string {
  return JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[`node_modules/${name}`].version;
}

test('a release of what has no green heavy run is refused, with what to run', () => {
  const checkout = join(folder, 'checkout');
  const output = join(folder, 'never');
  for (const part of [
    'cli',
    'lib',
    'formats',
    'scripts',
    'test',
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
  ]) {
    cpSync(join(root, part), join(checkout, part), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    });
  }
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const args = [join(checkout, 'scripts/release.ts'), '--dry-run', '-o', output];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toMatch(
    /^release: the heavy tests are not green for .*: .* was not run; run "npm run test:heavy" first\n$/,
  );
  expect([status, existsSync(output)]).toEqual([1, false]);
});
