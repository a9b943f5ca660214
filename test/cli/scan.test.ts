import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { utf8 } from '../../formats/bytes.ts';
import { type Digest, sha256 } from '../../formats/digest.ts';
import { parseStatement } from '../../formats/in-toto/statement.ts';
import { type Descriptor, mediaTypes } from '../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../formats/oci/manifest.ts';
import { parseOwnStatementBundle } from '../../formats/sigstore/dsse-bundle.ts';
import { judgeStatement, loadPublicKey } from '../../lib/parts/trust/index.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { makeKey } from '../support/policies.ts';

const cwd = scratch('scan');
const at = (name: string): string => join(cwd, name);
const DAY = 86_400_000;

const lodash = (version: string): string => JSON.stringify({ name: 'lodash', version, license: 'MIT' });
const web = buildImage({
  platforms: ['linux/amd64'],
  seed: 'scan',
  files: {
    'app/node_modules/lodash/package.json': lodash('4.17.15'),
    'app/node_modules/minimist/package.json': JSON.stringify({ name: 'minimist', version: '1.2.0' }),
  },
});

/** A document of OpenVEX as a referrer of the image. */
function vexAbout(subject: Descriptor): { readonly index: Descriptor; readonly blobs: Map<Digest, Uint8Array> } {
  const blobs = new Map<Digest, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    blobs.set(sha256(bytes), bytes);
    return { mediaType, digest: sha256(bytes), size: bytes.length };
  };
  const vex = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      {
        vulnerability: { name: 'CVE-2021-44906' },
        products: [{ '@id': 'pkg:npm/minimist@1.2.0' }],
        status: 'not_affected',
        justification: 'vulnerable_code_not_in_execute_path',
      },
    ],
  };
  const layers = [add('application/vnd.openvex+json', utf8(JSON.stringify(vex)))];
  const config = add(mediaTypes.empty, utf8('{}'));
  const { mediaType, digest, size } = subject;
  const artifactType = 'application/vnd.openvex+json';
  const manifest = encodeManifest({ artifactType, config, layers, subject: { mediaType, digest, size } });
  return { index: add(mediaTypes.manifest, manifest), blobs };
}

/** What grype reports of the package in the SBOM, by its purl. */
const known = {
  'pkg:npm/lodash@4.17.15': { id: 'GHSA-35jh-r3h4-6jhm', cve: 'CVE-2021-23337', severity: 'High', fix: '4.17.21' },
  'pkg:npm/minimist@1.2.0': { id: 'GHSA-xvch-5gv4-984h', cve: 'CVE-2021-44906', severity: 'Critical', fix: '1.2.6' },
};

/** A program that answers as grype does, from a database that is one file; it fails if it has a network or a home of somebody. */
const grype = `#!${process.execPath}
const fs = require('node:fs');
const { env, argv } = process;
if (argv[2] === '--version') {
  console.log('grype 0.121.3');
  process.exit(0);
}
const database = JSON.parse(fs.readFileSync(env.GRYPE_DB_CACHE_DIR + '/database.json', 'utf8'));
if (argv[2] === 'db') console.log(JSON.stringify({ schemaVersion: 'v6.1.2', built: database.built, valid: true }));
else {
  if (env.GRYPE_DB_AUTO_UPDATE !== 'false' || fs.readdirSync(env.HOME).some((name) => !name.startsWith('sbom-'))) process.exit(9);
  const { components } = JSON.parse(fs.readFileSync(argv[2].slice('sbom:'.length), 'utf8'));
  const matches = components.flatMap(({ name, version, purl }) => {
    const one = database.known[purl];
    return one ? [{
      vulnerability: { id: one.id, severity: one.severity, dataSource: 'https://github.com/advisories/' + one.id, fix: { versions: [one.fix] } },
      relatedVulnerabilities: [{ id: one.cve }],
      artifact: { name, version, purl },
    }] : [];
  });
  console.log(JSON.stringify({ matches }));
}
`;

const definition = (more = '', lines = ''): string => `name = "shop"
version = "1.0.0"
${more}

[[images]]
reference = "registry.example.com/shop/web:1.0.0"
source = "oci:images:web"
${lines}`;

const env = { PATH: `${cwd}/bin${delimiter}${process.env['PATH']}`, SOLPACK_PASSPHRASE: '' };
const scan = (...args: string[]): Promise<Outcome> => solpack(['scan', ...args, '--db', 'db'], { cwd, env });
const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await scan(...args, '--json');
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return jsonSchemas.scan.strict().parse(JSON.parse(stdout));
};
const databaseOf = (days: number): void =>
  writeFiles(at('db'), {
    'database.json': JSON.stringify({ built: new Date(Date.now() - days * DAY).toISOString(), known }),
  });

beforeAll(async () => {
  writeFiles(at('bin'), { grype });
  chmodSync(at('bin/grype'), 0o755);
  databaseOf(1);
  await writeLayout(at('src/images'), [
    { name: 'web', image: web },
    { name: '', image: vexAbout(web.manifests[0]!) },
  ]);
  writeFiles(at('src'), { 'solution.toml': definition('make-sboms = true') });
  await succeeds(['pack', 'src', '-o', 'shop.iso'], { cwd });
  writeFiles(at('src'), { 'solution.toml': definition() });
  await succeeds(['pack', 'src', '-o', 'bare.iso', '--update'], { cwd });
  makeKey(cwd, 'security');
});

describe('scan', () => {
  test('has the SBOMs of an archive scanned, and leaves out what VEX in it takes away', async () => {
    const { images, unscanned, scanner, database } = await json('shop.iso');
    expect([scanner, unscanned, database.version]).toEqual([{ name: 'grype', version: '0.121.3' }, [], 'v6.1.2']);
    expect(images).toMatchObject([
      {
        ...{ reference: 'registry.example.com/shop/web:1.0.0', platform: 'linux/amd64', vexDocuments: 1 },
        vulnerabilities: [
          {
            ...{ id: 'GHSA-xvch-5gv4-984h', aliases: ['CVE-2021-44906'], severity: 'critical', package: 'minimist' },
            vex: { status: 'not_affected', reason: 'vulnerable_code_not_in_execute_path' },
          },
          { id: 'GHSA-35jh-r3h4-6jhm', severity: 'high', version: '4.17.15', fixedIn: ['4.17.21'] },
        ],
      },
    ]);
    const { code, stdout } = await scan('shop.iso');
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('high  GHSA-35jh-r3h4-6jhm  lodash 4.17.15  fixed in 4.17.21'),
    ]);
    expect(stdout).toContain('not counted: GHSA-xvch-5gv4-984h in minimist, by VEX: not_affected');
    expect(stdout).toContain('1 SBOM scanned: 1 high; 1 not counted, by VEX');
  });

  test('takes the version of a program that knows none as it says it', async () => {
    writeFiles(at('plain'), { grype: grype.replace('grype 0.121.3', 'grype [not provided]') });
    chmodSync(at('plain/grype'), 0o755);
    const own = { PATH: `${at('plain')}${delimiter}${env.PATH}` };
    const { stdout } = await solpack(['scan', 'shop.iso', '--db', 'db'], { cwd, env: own });
    expect(stdout).toContain('scanned by grype [not provided], with');
  });

  test('ends with 1 for what counts and is bad enough, and only then', async () => {
    expect((await scan('shop.iso', '--fail-on', 'high')).code).toBe(1);
    expect((await scan('shop.iso', '--fail-on', 'critical')).code).toBe(0);
  });

  test('refuses a database that is older than asked, and one that is not there', async () => {
    databaseOf(6);
    const { code, stderr } = await scan('shop.iso');
    expect([code, stderr]).toEqual([6, expect.stringContaining('6 days ago, more than 5 days')]);
    expect(stderr).toContain('grype db update');
    expect((await scan('shop.iso', '--max-db-age', '7')).code).toBe(0);
    expect(await scan('shop.iso', '--max-db-age', 'soon')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no number of days'),
    });
    databaseOf(1);
  });

  test('writes SARIF in which what VEX takes away is suppressed', async () => {
    await json('shop.iso', '--sarif', 'scan.sarif');
    const { version, runs } = JSON.parse(readFileSync(at('scan.sarif'), 'utf8'));
    expect(version).toBe('2.1.0');
    expect(runs[0].tool.driver).toMatchObject({ name: 'grype', version: '0.121.3' });
    expect(runs[0].tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual([
      'GHSA-xvch-5gv4-984h',
      'GHSA-35jh-r3h4-6jhm',
    ]);
    expect(
      runs[0].results.map((one: { level: string; suppressions?: object[] }) => [one.level, one.suppressions?.length]),
    ).toEqual([
      ['error', 1],
      ['error', undefined],
    ]);
  });

  test('signs its verdict about the root of the archive', async () => {
    const { root, attestation } = await json(
      'shop.iso',
      '--attest',
      'scan.sigstore.json',
      '--private-key',
      'security.key',
    );
    expect(attestation).toBe(at('scan.sigstore.json'));
    const bundle = readFileSync(at('scan.sigstore.json'));
    const { statement } = parseOwnStatementBundle(bundle);
    expect(judgeStatement(statement, bundle, [await loadPublicKey(at('security.pub'))]).kind).toBe('valid');
    const { predicateType, predicate, subjects } = parseStatement(statement);
    expect([predicateType, subjects]).toEqual([
      'https://in-toto.io/attestation/vulns/v0.2',
      [root.slice('sha256:'.length)],
    ]);
    const { scanner, metadata } = JSON.parse(Buffer.from(predicate).toString());
    expect(scanner).toMatchObject({
      version: '0.121.3',
      db: { version: 'v6.1.2' },
      result: [
        { id: 'GHSA-xvch-5gv4-984h', annotations: [{ vex: { status: 'not_affected' } }] },
        { id: 'GHSA-35jh-r3h4-6jhm' },
      ],
    });
    expect(Date.parse(metadata.scanFinishedOn)).toBeGreaterThanOrEqual(Date.parse(metadata.scanStartedOn));
    expect(await scan('shop.iso', '--private-key', 'security.key')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--attest: is missing'),
    });
  });

  test('says what is missing: an SBOM, a scanner, an answer that can be read', async () => {
    expect(await scan('bare.iso')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no SBOM of an image'),
    });
    const without = await solpack(['scan', 'shop.iso', '--scanner', 'trivy'], { cwd, env });
    expect([without.code, without.stderr]).toEqual([6, expect.stringContaining('trivy: not found on PATH')]);
    writeFiles(at('odd'), { grype: '#!/bin/sh\n[ "$1" = --version ] && echo \'grype 1.0.0\' || echo no\n' });
    chmodSync(at('odd/grype'), 0o755);
    const odd = await solpack(['scan', 'shop.iso', '--db', 'db'], {
      cwd,
      env: { PATH: `${at('odd')}${delimiter}${env.PATH}` },
    });
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('is not JSON')]);
  });
});
