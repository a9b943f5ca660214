import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { emptySlot, fillSlot } from '../../../../formats/sigstore/slot.ts';
import type { SolutionMetadata } from '../../../../formats/solution/metadata.ts';
import {
  generateKey,
  judgeSignatures,
  judgeTrust,
  loadPrivateKey,
  loadPublicKey,
  type PrivateKey,
  readSignatures,
  trustInKeys,
} from '../../../../lib/parts/trust/index.ts';
import { isSignature } from '../../../../lib/parts/trust/keys.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('trust');
const root = utf8('{"root":true}');

async function key(
  name: string,
  algorithm: 'ecdsa-p256-sha256' | 'ed25519' = 'ecdsa-p256-sha256',
): Promise<PrivateKey> {
  const pair = generateKey(algorithm);
  writeFileSync(join(folder, `${name}.key`), pair.privatePem);
  writeFileSync(join(folder, `${name}.pub`), pair.publicPem);
  return loadPrivateKey(join(folder, `${name}.key`));
}

const slot = (bundle: Uint8Array): Uint8Array => fillSlot(bundle, 8192);

describe.each(['ecdsa-p256-sha256', 'ed25519'] as const)('a signature by %s', (algorithm) => {
  test('holds for its root and its key alone', async () => {
    const [own, other] = [await key(`own-${algorithm}`, algorithm), await key(`other-${algorithm}`, algorithm)];
    const slots = [slot(await signRoot(root, own)), emptySlot(8192)];
    expect(judgeSignatures(root, slots, [own.public])).toEqual({ trusted: [own.public.keyId], findings: [] });
    expect(judgeSignatures(root, slots, [other.public]).findings.map(({ code }) => code)).toEqual([
      'signature-untrusted',
    ]);
    const another = judgeSignatures(utf8('{}'), slots, [own.public]);
    expect(another.trusted).toEqual([]);
    expect(another.findings.map(({ code }) => code)).toEqual(['signature-invalid', 'signature-untrusted']);
  });

  test('names its key and algorithm', async () => {
    const own = await key(`named-${algorithm}`, algorithm);
    const { carried } = readSignatures([emptySlot(8192), slot(await signRoot(root, own))]);
    expect(carried.map(({ slot: number, keyId, algorithm: found }) => [number, keyId, found])).toEqual([
      [1, own.public.keyId, algorithm],
    ]);
  });
});

test('each signature is verified once, however much is decided by it', async () => {
  const [one, two, other] = [await key('one'), await key('two', 'ed25519'), await key('stranger')];
  const slots = [
    slot(await signRoot(root, one)),
    slot(await signRoot(root, two)),
    emptySlot(8192),
    slot(await signRoot(root, other)),
  ];
  const forged = await signRoot(root, { ...other, public: { ...other.public, keyId: one.public.keyId } });
  const bundles = [
    { name: 'one', bytes: await signRoot(root, one) },
    { name: 'two', bytes: await signRoot(root, two) },
  ];
  const evidence = {
    root,
    slots: [...slots, slot(forged), slot(await signRoot(utf8('another root'), one))],
    bundles,
    metadata: { name: 'hello', created: 0, components: [] } as unknown as SolutionMetadata,
    predicates: [],
    images: [],
  };
  const counts = new Map<string, number>();
  const counting: typeof isSignature = (signature, message, by) => {
    const pair = `${by.keyId} ${Buffer.from(signature).toString('hex')}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
    return isSignature(signature, message, by);
  };
  const { trusted, signers, findings } = judgeTrust(evidence, trustInKeys([one.public, two.public])!, counting);
  expect([trusted, signers]).toEqual([true, [one.public.keyId, two.public.keyId]]);
  expect(findings.map(({ subject }) => subject)).toEqual(['slot 4', 'slot 5']);
  // A key signs the same way each time: its slot and its bundle have the same signature, which are two to check.
  expect([...counts.values()].sort()).toEqual([1, 2, 2]);
});

test('a bundle that claims a key by its hint, but was signed by another, is invalid', async () => {
  const [own, other] = [await key('victim'), await key('attacker')];
  const forged = await signRoot(root, { ...other, public: { ...other.public, keyId: own.public.keyId } });
  const { trusted, findings } = judgeSignatures(root, [slot(forged)], [own.public]);
  expect(trusted).toEqual([]);
  expect(findings.map(({ code }) => code)).toEqual(['signature-invalid', 'signature-untrusted']);
});

test('a slot with anything but a bundle is a finding', async () => {
  const own = await key('garbage');
  const { findings } = judgeSignatures(root, [fillSlot(utf8('{"no":"bundle"}'), 8192)], [own.public]);
  expect(findings.map(({ code }) => code)).toEqual(['signature-invalid', 'signature-untrusted']);
});

test.each([
  ['no PEM', 'hello'],
  ['a key on another curve', ''],
])('refuses %s as a key', async (_, text) => {
  const path = join(folder, 'bad.pub');
  const { generateKeyPairSync } = await import('node:crypto');
  const pem =
    text || generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' });
  writeFileSync(path, pem);
  await expect(loadPublicKey(path)).rejects.toMatchObject({ code: 'key-invalid' });
});

test('refuses a private key where a public one is needed', async () => {
  await key('private');
  await expect(loadPublicKey(join(folder, 'private.key'))).rejects.toMatchObject({ code: 'key-invalid' });
});

judged('openssl verifies a signature, and signs with keys that are read here', ['openssl'], async () => {
  await ok('openssl', [
    'genpkey',
    '-algorithm',
    'EC',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-out',
    join(folder, 'o.key'),
  ]);
  await ok('openssl', [
    'pkcs8',
    '-topk8',
    '-scrypt',
    '-passout',
    'pass:secret',
    '-in',
    join(folder, 'o.key'),
    '-out',
    join(folder, 'e.key'),
  ]);
  await expect(loadPrivateKey(join(folder, 'e.key'))).rejects.toMatchObject({ code: 'key-invalid' });
  await expect(loadPrivateKey(join(folder, 'e.key'), 'wrong')).rejects.toMatchObject({ code: 'key-invalid' });
  const own = await loadPrivateKey(join(folder, 'e.key'), 'secret');
  const { carried } = readSignatures([slot(await signRoot(root, own))]);
  writeFileSync(join(folder, 'root'), root);
  writeFileSync(join(folder, 'signature'), carried[0]!.bundle.signature);
  await ok('openssl', ['pkey', '-in', join(folder, 'o.key'), '-pubout', '-out', join(folder, 'o.pub')]);
  const args = [
    'dgst',
    '-sha256',
    '-verify',
    join(folder, 'o.pub'),
    '-signature',
    join(folder, 'signature'),
    join(folder, 'root'),
  ];
  expect(await ok('openssl', args)).toContain('Verified OK');
});
