import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '../../../../../lib/flows/inspect/index.ts';
import { signArchive, unsignArchive } from '../../../../../lib/flows/sign/index.ts';
import { carriers, openArchive } from '../../../../../lib/parts/archives/index.ts';
import type { PrivateKey } from '../../../../../lib/parts/trust/index.ts';
import { smallSolution, writeFiles } from '../../../../support/cli.ts';
import { testFlow } from '../../../../support/flow.ts';
import { scratch } from '../../../../support/judges.ts';
import { addToDefinition, change, newKey, packTo, verified } from '../attested-archive.ts';

const folder = scratch('attest');
const sbom = '.solpack/attestations/sbom.cdx.sigstore.json';
const names = ['provenance', 'sbom.cdx'];
let own: PrivateKey;
let other: PrivateKey;

beforeAll(async () => {
  [own, other] = [await newKey(folder, 'own'), await newKey(folder, 'other')];
  for (const version of ['1.0.0', '2.0.0']) {
    const source = join(folder, version);
    await smallSolution(source, { version });
    writeFiles(source, { 'a.cdx.json': JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 }) });
    addToDefinition(source, 'sbom = "a.cdx.json"');
    for (const { extension } of Object.values(carriers)) {
      await packTo(source, join(folder, `plain-${version}${extension}`));
      await packTo(source, join(folder, `signed-${version}${extension}`), { sign: own });
    }
  }
});

describe.each(Object.values(carriers).map((carrier) => [carrier.title, carrier.extension]))('%s', (_, extension) => {
  const copy = (of: string, name: string): string => {
    const path = join(folder, `${name}${extension}`);
    copyFileSync(join(folder, `${of}-1.0.0${extension}`), path);
    return path;
  };
  const sign = (archive: string, signer: PrivateKey) =>
    signArchive({ archive, signer, output: undefined, verify: false }, testFlow());
  const unsign = (archive: string, which: Parameters<typeof unsignArchive>[0]['which']) =>
    unsignArchive({ archive, which }, testFlow());
  const isPlain = (path: string): boolean =>
    readFileSync(path).equals(readFileSync(join(folder, `plain-1.0.0${extension}`)));
  const states = async (path: string, ...keys: PrivateKey[]): Promise<string[]> => {
    const { attestations } = await verified(path, ...keys.map((key) => key.public));
    return attestations.map(({ signature }) => signature);
  };

  test('is signed with its attestations while it is packed, and is the unsigned one with all slots emptied', async () => {
    const path = copy('signed', 'emptied');
    expect(await verified(path, own.public)).toMatchObject({ ok: true, trusted: true });
    expect(await states(path, own)).toEqual(['valid', 'valid']);
    expect((await unsign(path, 'all')).attestations.map(({ name }) => name)).toEqual(names);
    expect(isPlain(path)).toBe(true);
  });

  test('is signed later alike: the first signer signs the attestations, and the next one finds them signed', async () => {
    const path = copy('plain', 'later');
    expect(await states(path, own)).toEqual(['none', 'none']);
    expect(await sign(path, own)).toMatchObject({ already: false, attested: names });
    expect(await sign(path, other)).toMatchObject({ slot: 1, already: false, attested: [] });
    expect(await states(path, own, other)).toEqual(['valid', 'valid']);
    const { keyId } = own.public;
    expect((await inspect(path, testFlow())).attestations.map((one) => one.keyId)).toEqual([keyId, keyId]);
    // Whoever trusts the second one alone trusts the root, which names the predicates.
    expect(await verified(path, other.public)).toMatchObject({ ok: true });
    expect(await states(path, other)).toEqual(['unknown', 'unknown']);
    expect((await unsign(path, { keyId })).attestations).toEqual(names.map((name) => ({ name, keyId })));
    expect(await sign(path, other)).toMatchObject({ already: true, attested: names });
    await unsign(path, 'all');
    expect(isPlain(path)).toBe(true);
  });

  test('that was half signed has an empty slot, which the next one fills, and unsign empties', async () => {
    const path = copy('signed', 'half');
    // The head of a slot is written last.
    await change(path, sbom, (bytes) => bytes.fill('\n', 0, 512));
    expect(await verified(path, own.public)).toMatchObject({ ok: true });
    expect(await states(path, own)).toEqual(['valid', 'none']);
    const half = join(folder, `half-emptied${extension}`);
    copyFileSync(path, half);
    await unsign(half, 'all');
    expect(isPlain(half)).toBe(true);
    expect(await sign(path, own)).toMatchObject({ already: true, attested: ['sbom.cdx'] });
    expect(await states(path, own)).toEqual(['valid', 'valid']);
  });

  test('with junk in a slot says so, and is healed by whoever signs next', async () => {
    const path = copy('signed', 'junk');
    await change(path, sbom, (bytes) => bytes.fill(0x80, 100, 700));
    const result = await verified(path, own.public);
    expect(result.findings).toMatchObject([{ code: 'attestation-invalid', subject: 'attestation sbom.cdx' }]);
    expect(await sign(path, own)).toMatchObject({ already: true, attested: ['sbom.cdx'] });
    expect(await verified(path, own.public)).toMatchObject({ ok: true });
  });

  test.each([
    ['the bundle of another attestation', '1.0.0', '.solpack/attestations/provenance.sigstore.json'],
    ['the bundle of another archive', '2.0.0', sbom],
  ])('with %s is found out', async (_name, version, from) => {
    const path = copy('signed', 'swapped');
    const foreign = join(folder, `signed-${version}${extension}`);
    await using archive = await openArchive(foreign);
    const { offset, size } = (await archive.tree.lookup(from))!.extents[0]!;
    const bundle = readFileSync(foreign)
      .subarray(offset, offset + size)
      .toString()
      .trimEnd();
    await change(path, sbom, (bytes) => {
      bytes.fill('\n');
      bytes.write(bundle.slice(0, bytes.length - 1));
    });
    const { ok, findings } = await verified(path, own.public);
    expect({ ok, codes: findings.map(({ code }) => code) }).toEqual({ ok: false, codes: ['attestation-invalid'] });
  });

  test('with a signature that names the right key and is by another one is found out', async () => {
    const path = copy('plain', 'forged');
    await sign(path, { ...other, public: { ...other.public, keyId: own.public.keyId } });
    const { findings, attestations } = await verified(path, own.public);
    expect(attestations.map(({ signature }) => signature)).toEqual(['invalid', 'invalid']);
    expect(findings.filter(({ code }) => code === 'attestation-invalid')).toHaveLength(2);
  });

  test('with a predicate that was changed is found out, and nobody signs it', async () => {
    const path = copy('plain', 'tampered');
    await using archive = await openArchive(path);
    const { digest } = archive.catalog.attestations[1]!.descriptor;
    await change(path, `blobs/sha256/${digest.slice(7)}`, (bytes) => bytes.write('1.5', bytes.indexOf('1.6')));
    const { findings, attestations } = await verified(path, own.public);
    expect(findings).toMatchObject([{ code: 'blob-mismatch', subject: digest }, { code: 'signature-untrusted' }]);
    expect(attestations.map(({ signature }) => signature)).toEqual(['none', 'invalid']);
    const before = readFileSync(path);
    await expect(sign(path, own)).rejects.toMatchObject({ code: 'verification-failed' });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});
