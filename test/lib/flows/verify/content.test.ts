import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { extract } from '../../../../lib/flows/browse/index.ts';
import { type Verification, verify } from '../../../../lib/flows/verify/index.ts';
import { generateKey, loadPrivateKey, loadPublicKey, trustInKeys } from '../../../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../../../support/cli.ts';
import { packHere, testFlow } from '../../../support/flow.ts';
import { scratch } from '../../../support/judges.ts';

// Contents alone: of an archive on request, and of a folder where there is nothing else.

const folder = scratch('verify-content');
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  await smallSolution(folder);
  const { privatePem, publicPem } = generateKey('ed25519');
  writeFiles(folder, { 'k.key': privatePem, 'k.pub': publicPem });
  for (const kind of ['iso', 'tar']) {
    const archive = at(`good.${kind}`);
    await packHere(at('solution.toml'), archive, { sign: await loadPrivateKey(at('k.key')) });
    await extract({ archive, paths: [], folder: at(kind) }, testFlow());
  }
});

async function checked(archive: string, contentOnly?: boolean): Promise<Verification> {
  const trust = trustInKeys([await loadPublicKey(at('k.pub'))], 0);
  return verify({ archive, trust, ...(contentOnly ? { contentOnly } : {}) }, testFlow());
}

const codes = ({ findings }: Verification): string[] => findings.map(({ code, subject }) => `${code} ${subject}`);

describe.each(['iso', 'tar'])('what an %s holds', (kind) => {
  test.each([
    ['in the archive, on request', `good.${kind}`, true],
    ['in a folder', kind, undefined],
    ['in a folder that a link leads to', `link-to-${kind}`, undefined],
  ])('verifies %s', async (_, name, contentOnly) => {
    if (name.startsWith('link')) symlinkSync(at(kind), at(name));
    expect(await checked(at(name), contentOnly)).toMatchObject({
      ok: true,
      trusted: true,
      contentOnly: true,
      findings: [],
    });
  });

  const layer = (root: string): string => {
    const blobs = join(root, 'blobs/sha256');
    const own = new Set(readFileSync(join(root, '.solpack/SHA256SUMS'), 'utf8').match(/^[0-9a-f]{64}(?= {2}blobs)/gm));
    return join(
      blobs,
      readdirSync(blobs)
        .toSorted()
        .filter((name) => own.has(name))[3]!,
    );
  };
  const podOf = (root: string): string =>
    kind === 'iso' ? join(root, 'components/web/pod.yaml') : join(root, 'manifest.yaml');

  test.each<[what: string, code: RegExp, damage: (root: string) => void]>([
    ['a file that the root does not name', /^unlisted-file extra$/, (root) => writeFileSync(join(root, 'extra'), '')],
    [
      'a folder that the root does not name',
      /^unlisted-file \.solpack\/more$/,
      (root) => mkdirSync(join(root, '.solpack/more')),
    ],
    [
      'a file with another byte',
      /^blob-mismatch (components\/web\/pod|manifest)\.yaml$/,
      (root) => {
        const size = writeFileSync(podOf(root), 'X', { flag: 'r+' });
        return size;
      },
    ],
    [
      'a file with more bytes',
      /^structure-mismatch (components\/web\/pod|manifest)\.yaml$/,
      (root) => appendFileSync(podOf(root), 'x'),
    ],
    [
      'an index.json that is another one',
      /^structure-mismatch index\.json$/,
      (root) => writeFileSync(join(root, 'index.json'), '[', { flag: 'r+' }),
    ],
    [
      'sums that are others',
      /^structure-mismatch \.solpack\/SHA256SUMS$/,
      (root) => writeFileSync(join(root, '.solpack/SHA256SUMS'), 'g', { flag: 'r+' }),
    ],
    ['a file that is not there', /^missing-file (components\/web\/pod|manifest)\.yaml$/, (root) => rmSync(podOf(root))],
    [
      'a file that is a link to what it should be',
      /^unlisted-file oci-layout$/,
      (root) => {
        renameSync(join(root, 'oci-layout'), at(`elsewhere-${kind}`));
        symlinkSync(at(`elsewhere-${kind}`), join(root, 'oci-layout'));
      },
    ],
    [
      'a slot that holds something else',
      /^signature-invalid slot 5$/,
      (root) => writeFileSync(join(root, '.solpack/signatures/5.sigstore.json'), 'x', { flag: 'r+' }),
    ],
    [
      'a blob that is another one',
      /^(root-invalid|blob-mismatch)/,
      (root) => writeFileSync(layer(root), 'X', { flag: 'r+' }),
    ],
  ])('%s is a finding', async (_, code, damage) => {
    const root = at(`damaged-${kind}`);
    rmSync(root, { recursive: true, force: true });
    cpSync(at(kind), root, { recursive: true });
    damage(root);
    const result = await checked(root);
    expect(result.ok).toBe(false);
    expect(codes(result)[0]).toMatch(code);
  });
});

test('signatures that are not there are no damage, but nobody is trusted then', async () => {
  cpSync(at('iso'), at('unsigned'), { recursive: true });
  rmSync(at('unsigned/.solpack/signatures'), { recursive: true });
  expect(codes(await checked(at('unsigned')))).toEqual([expect.stringMatching(/^signature-untrusted/)]);
  expect(await verify({ archive: at('unsigned'), trust: undefined }, testFlow())).toMatchObject({ ok: true });
});

test('views have to be there as a whole, or not at all', async () => {
  cpSync(at('iso'), at('views'), { recursive: true });
  rmSync(at('views/components/base'), { recursive: true });
  expect((await checked(at('views'))).ok).toBe(false);
  // Then the sums are not those of an archive without views.
  rmSync(at('views/components'), { recursive: true });
  expect((await checked(at('views'))).ok).toBe(false);
});

test('a folder that is not an archive is reported', async () => {
  mkdirSync(at('empty'));
  await expect(checked(at('empty'))).rejects.toMatchObject({ code: 'archive-invalid' });
});
