import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { decodePem, encodePem } from '../../../../formats/keys/pem.ts';
import { loadPrivateKey, loadPublicKey } from '../../../../lib/parts/trust/index.ts';
import { loadPolicy } from '../../../../lib/parts/trust/policy.ts';
import { judgeSignatures } from '../../../../lib/parts/trust/verify.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { makeKey, writePolicy } from '../../../support/policies.ts';
import { signRoot } from '../../../support/sign-root.ts';

// One key of P-256 in every form that openssl writes.

const folder = scratch('forms');
const at = (name: string): string => join(folder, name);
const plain = makeKey(folder, 'plain');
const spelt = ['-param_enc', 'explicit'];
const forms = [
  ['compressed', ['-conv_form', 'compressed']],
  ['hybrid', ['-conv_form', 'hybrid']],
  ['explicit', spelt],
  ['explicit-compressed', ['-conv_form', 'compressed', ...spelt]],
  ['explicit-hybrid', ['-conv_form', 'hybrid', ...spelt]],
] as const;
const root = utf8('{"root":true}');

/** Writes the key in a form, both halves of it. */
async function inForm(name: string, options: readonly string[]): Promise<void> {
  await ok('openssl', ['ec', '-in', at('plain.key'), ...options, '-out', at(`${name}.key`)]);
  await ok('openssl', ['ec', '-in', at('plain.key'), '-pubout', ...options, '-out', at(`${name}.pub`)]);
}

/** The id that a file's key has for openssl, which takes it as it is written. */
const idOf = async (name: string): Promise<string> => {
  await ok('openssl', ['pkey', '-pubin', '-in', at(name), '-outform', 'DER', '-out', at('der')]);
  return (await ok('openssl', ['dgst', '-sha256', '-r', at('der')])).slice(0, 64);
};

for (const [name, options] of forms) {
  judged(`a key that is ${name} has the id of its plain form, and each signs for the other`, ['openssl'], async () => {
    await inForm(name, options);
    const [own, published] = [await loadPrivateKey(at(`${name}.key`)), await loadPublicKey(at(`${name}.pub`))];
    expect(readFileSync(at(`${name}.pub`), 'utf8')).not.toBe(plain.pem);
    expect([own.public.keyId, published.keyId]).toEqual([plain.id, plain.id]);
    const [other, otherPublic] = [await loadPrivateKey(at('plain.key')), await loadPublicKey(at('plain.pub'))];
    for (const [key, by] of [
      [own, otherPublic],
      [other, published],
    ] as const) {
      const bundles = [{ name: 'bundle', bytes: await signRoot(root, key) }];
      expect(judgeSignatures(root, [], [by], bundles)).toEqual({ trusted: [plain.id], findings: [] });
    }
  });

  judged(`a policy that has a key ${name} names it by its one id, and once`, ['openssl'], async () => {
    await inForm(name, options);
    const pem = readFileSync(at(`${name}.pub`), 'utf8');
    const otherId = await idOf(`${name}.pub`);
    expect(otherId).not.toBe(plain.id);
    const policy = (...keys: readonly object[]): string => writePolicy(at('trust.json'), [plain], { keys });
    expect([...(await loadPolicy(policy({ id: plain.id, pem }))).keys.keys()]).toEqual([plain.id]);
    const theirs = { id: otherId, pem };
    const rule = { policies: [{ match: '*', keys: [otherId] }] };
    await expect(loadPolicy(writePolicy(at('other.json'), [], { keys: [theirs], ...rule }))).rejects.toMatchObject({
      code: 'policy-invalid',
      message: `its key ${otherId.slice(0, 16)} has the id ${plain.id}`,
    });
    const both = [plain.id, otherId].map((id) => id.slice(0, 16));
    for (const keys of [
      [{ id: plain.id, pem: plain.pem }, theirs],
      [theirs, { id: plain.id, file: 'plain.pub' }],
    ]) {
      await expect(loadPolicy(policy(...keys))).rejects.toMatchObject({
        code: 'policy-invalid',
        message: `its keys ${both[1]} and ${both[0]} are the same key, whose id is ${plain.id}`,
      });
    }
  });
}

judged('a command signs for a key whose public half is compressed', ['openssl'], async () => {
  await inForm('compressed', ['-conv_form', 'compressed']);
  const command = 'openssl dgst -sha256 -sign plain.key';
  const env = { PATH: process.env['PATH'] ?? '' };
  const signer = { public: await loadPublicKey(at('compressed.pub')), command, cwd: folder, env };
  const bundles = [{ name: 'bundle', bytes: await signRoot(root, signer) }];
  expect(judgeSignatures(root, [], [await loadPublicKey(at('plain.pub'))], bundles).trusted).toEqual([plain.id]);
});

judged('a compressed key that cosign imported has the id of its plain form', ['cosign', 'openssl'], async () => {
  await inForm('compressed', ['-conv_form', 'compressed']);
  const args = ['import-key-pair', '--key', 'compressed.key', '--output-key-prefix', 'imported'];
  await ok('cosign', args, { cwd: folder, env: { COSIGN_PASSWORD: 'secret' } });
  expect((await loadPrivateKey(at('imported.key'), 'secret')).public.keyId).toBe(plain.id);
  expect((await loadPublicKey(at('imported.pub'))).keyId).toBe(plain.id);
});

judged('a private key without its public half has the id of its plain form', ['openssl'], async () => {
  await ok('openssl', ['ec', '-in', at('plain.key'), '-no_public', '-out', at('half.key')]);
  expect((await loadPrivateKey(at('half.key'))).public.keyId).toBe(plain.id);
});

judged('a curve that is spelt out and is another one is refused', ['openssl'], async () => {
  await inForm('explicit', spelt);
  const der = Buffer.from(decodePem('PUBLIC KEY', readFileSync(at('explicit.pub'), 'utf8')));
  // P-256 but for its base point, of which whoever chose it knows the logarithm of any key.
  const base = der.indexOf(Buffer.from('046b17d1f2', 'hex'));
  der.set(der.subarray(der.length - 65), base);
  writeFileSync(at('forged.pub'), encodePem('PUBLIC KEY', der));
  await expect(loadPublicKey(at('forged.pub'))).rejects.toMatchObject({ code: 'key-invalid' });
});

const ed25519 = (point: string): string =>
  encodePem('PUBLIC KEY', Buffer.from(`302a300506032b6570032100${point}`, 'hex'));

test.each([
  ['for which everybody can sign', `01${'00'.repeat(31)}`],
  ['in another form', `ed${'ff'.repeat(30)}7f`],
])('a key of Ed25519 %s is refused, in a file and in a policy', async (_, point) => {
  writeFileSync(at('weak.pub'), ed25519(point));
  const refusal = { code: 'key-invalid', message: expect.stringContaining('so it proves nothing') };
  await expect(loadPublicKey(at('weak.pub'))).rejects.toMatchObject(refusal);
  const keys = [{ id: 'a'.repeat(64), pem: ed25519(point) }];
  const policies = [{ match: '*', keys: ['a'.repeat(64)] }];
  await expect(loadPolicy(writePolicy(at('weak.json'), [], { keys, policies }))).rejects.toMatchObject(refusal);
});
