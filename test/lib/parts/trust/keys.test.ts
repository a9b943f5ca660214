import { createPrivateKey, generateKeyPairSync, verify } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../formats/bytes.ts';
import { encodePem } from '../../../../formats/keys/pem.ts';
import { parseBundle } from '../../../../formats/sigstore/bundle.ts';
import { generateKey, loadPrivateKey, loadPublicKey } from '../../../../lib/parts/trust/index.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { signRoot } from '../../../support/sign-root.ts';

const folder = scratch('keys');
const at = (name: string): string => join(folder, name);
const root = utf8('{"root":true}');

/** That the key in `path` is read, and signs what the public key in `pub` verifies, the same way each time. */
async function signs(path: string, pub: string, passphrase?: string): Promise<void> {
  const [own, published] = [await loadPrivateKey(path, passphrase), await loadPublicKey(pub)];
  expect(own.public.keyId).toBe(published.keyId);
  const { signature } = parseBundle(await signRoot(root, own));
  expect(verify(own.public.algorithm === 'ed25519' ? null : 'sha256', root, published.key, signature)).toBe(true);
  expect(parseBundle(await signRoot(root, own)).signature).toEqual(signature);
}

describe.each(['ecdsa-p256-sha256', 'ed25519'] as const)('a new key for %s', (algorithm) => {
  judged('that a passphrase encrypts is read by openssl, and here', ['openssl'], async () => {
    const { privatePem, publicPem } = generateKey(algorithm, 'sésame');
    const [path, pub] = [at(`${algorithm}.key`), at(`${algorithm}.pub`)];
    writeFileSync(path, privatePem);
    writeFileSync(pub, publicPem);
    expect(await ok('openssl', ['pkey', '-in', path, '-passin', 'pass:sésame', '-pubout'])).toBe(publicPem);
    await signs(path, pub, 'sésame');
  });

  judged('is encrypted by PBES2, with a work factor fit for today', ['openssl'], async () => {
    const path = at(`work-${algorithm}.key`);
    writeFileSync(path, generateKey(algorithm, 'secret').privatePem);
    const shown = await ok('openssl', ['asn1parse', '-in', path]);
    for (const part of [':PBES2', ':PBKDF2', ':hmacWithSHA256', ':aes-256-cbc']) expect(shown).toContain(part);
    const [, iterations] = /INTEGER\s+:([0-9A-F]+)/.exec(shown)!;
    expect(Number.parseInt(iterations!, 16)).toBeGreaterThanOrEqual(600_000);
  });

  test('without a passphrase is plain PKCS#8', () => {
    const { privatePem } = generateKey(algorithm);
    expect(createPrivateKey(privatePem).export({ type: 'pkcs8', format: 'pem' })).toBe(privatePem);
  });
});

describe('a key that openssl made', () => {
  const made: [name: string, ...commands: string[][]][] = [
    ['ECDSA, as PKCS#8', ['genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'KEY']],
    ['ECDSA, as SEC 1', ['ecparam', '-name', 'prime256v1', '-genkey', '-out', 'KEY']],
    [
      'ECDSA, as SEC 1, encrypted the old way',
      ['ecparam', '-name', 'prime256v1', '-genkey', '-out', 'PLAIN'],
      ['ec', '-in', 'PLAIN', '-aes256', '-passout', 'pass:secret', '-out', 'KEY'],
    ],
    ['Ed25519, as PKCS#8', ['genpkey', '-algorithm', 'ed25519', '-out', 'KEY']],
    [
      'Ed25519, encrypted by PBKDF2',
      ['genpkey', '-algorithm', 'ed25519', '-out', 'PLAIN'],
      [
        'pkcs8',
        '-topk8',
        '-in',
        'PLAIN',
        '-v2',
        'aes-256-cbc',
        '-iter',
        '600000',
        '-passout',
        'pass:secret',
        '-out',
        'KEY',
      ],
    ],
    [
      'ECDSA, encrypted by scrypt',
      ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'PLAIN'],
      ['pkcs8', '-topk8', '-in', 'PLAIN', '-scrypt', '-passout', 'pass:secret', '-out', 'KEY'],
    ],
  ];
  for (const [index, [name, ...commands]] of made.entries()) {
    judged(`is read: ${name}`, ['openssl'], async () => {
      const [key, plain, pub] = [at(`o${index}.key`), at(`o${index}.plain`), at(`o${index}.pub`)];
      for (const command of commands) {
        await ok(
          'openssl',
          command.map((word) => (word === 'KEY' ? key : word === 'PLAIN' ? plain : word)),
        );
      }
      await ok('openssl', ['pkey', '-in', key, '-passin', 'pass:secret', '-pubout', '-out', pub]);
      await signs(key, pub, commands.length > 1 ? 'secret' : undefined);
      if (commands.length === 1) return;
      await expect(loadPrivateKey(key)).rejects.toMatchObject({
        code: 'key-invalid',
        message: expect.stringMatching(/no passphrase is known/),
      });
      await expect(loadPrivateKey(key, 'wrong')).rejects.toMatchObject({
        code: 'key-invalid',
        message: expect.stringMatching(/passphrase is wrong/),
      });
    });
  }
});

describe('a key that cosign made', () => {
  judged('is read, with its passphrase alone', ['cosign'], async () => {
    await ok('cosign', ['generate-key-pair'], { cwd: folder, env: { COSIGN_PASSWORD: 'secret' } });
    await signs(at('cosign.key'), at('cosign.pub'), 'secret');
    await expect(loadPrivateKey(at('cosign.key'))).rejects.toMatchObject({
      message: expect.stringMatching(/no passphrase is known/),
    });
    await expect(loadPrivateKey(at('cosign.key'), 'wrong')).rejects.toMatchObject({
      message: expect.stringMatching(/passphrase is wrong/),
    });
  });

  judged('is read where its passphrase is empty', ['cosign'], async () => {
    await ok('cosign', ['generate-key-pair', '--output-key-prefix', 'empty'], {
      cwd: folder,
      env: { COSIGN_PASSWORD: '' },
    });
    await signs(at('empty.key'), at('empty.pub'), '');
  });

  judged('is read where cosign imported it from openssl', ['cosign', 'openssl'], async () => {
    await ok('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', at('mine.key')]);
    const args = ['import-key-pair', '--key', 'mine.key', '--output-key-prefix', 'imported'];
    await ok('cosign', args, { cwd: folder, env: { COSIGN_PASSWORD: 'secret' } });
    await signs(at('imported.key'), at('imported.pub'), 'secret');
  });
});

test('a file with halves of two keys signs nothing', async () => {
  const [one, other] = [generateKey('ecdsa-p256-sha256'), generateKey('ecdsa-p256-sha256')];
  const der = (pem: string): Buffer => createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
  // PKCS#8 ends with the public point of 65 bytes.
  const mixed = Buffer.concat([der(one.privatePem).subarray(0, -65), der(other.privatePem).subarray(-65)]);
  writeFileSync(at('mixed.key'), encodePem('PRIVATE KEY', mixed));
  const signer = await loadPrivateKey(at('mixed.key'));
  expect(signer.public.keyId).toBe(other.keyId);
  await expect(signRoot(root, signer)).rejects.toMatchObject({
    code: 'key-invalid',
    message: expect.stringMatching(/makes signatures that its public half does not verify/),
  });
});

describe('a key is refused', () => {
  const pem = (type: 'ec' | 'rsa' | 'x25519', options: object): { private: string; public: string } => {
    const make = generateKeyPairSync as unknown as (
      type: string,
      options: object,
    ) => ReturnType<typeof generateKeyPairSync>;
    const pair = make(type, options);
    return {
      private: pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      public: pair.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    };
  };

  test.each([
    ['an ECDSA key on P-384', pem('ec', { namedCurve: 'P-384' })],
    ['an ECDSA key on P-521', pem('ec', { namedCurve: 'P-521' })],
    ['an ECDSA key on secp256k1', pem('ec', { namedCurve: 'secp256k1' })],
    ['a key of type RSA with 2048 bits', pem('rsa', { modulusLength: 2048 })],
    ['a key of type x25519', pem('x25519', {})],
  ])('by its name: %s', async (name, pair) => {
    const refusal = { code: 'key-invalid', message: `is ${name}, which cannot sign archives` };
    writeFileSync(at('bad.key'), pair.private);
    writeFileSync(at('bad.pub'), pair.public);
    await expect(loadPrivateKey(at('bad.key'))).rejects.toMatchObject(refusal);
    await expect(loadPublicKey(at('bad.pub'))).rejects.toMatchObject(refusal);
  });

  test.each([
    ['a public key where a private one is needed', generateKey('ed25519').publicPem, /holds a public key/],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /is CERTIFICATE in PEM/],
    ['no PEM', 'hello', /is nothing in PEM/],
    ['an empty file', '', /is nothing in PEM/],
    ['half of one', generateKey('ed25519').privatePem.slice(0, 60), /not a readable private key/],
    ['half of an encrypted one', generateKey('ed25519', 'x').privatePem.slice(0, 100), /cannot be decrypted/],
    [
      'one of cosign that is none',
      '-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\ne30=\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n',
      /key of cosign/,
    ],
  ])('that is %s', async (_, text, message) => {
    writeFileSync(at('no.key'), text);
    await expect(loadPrivateKey(at('no.key'), 'x')).rejects.toMatchObject({
      code: 'key-invalid',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ['a private key', generateKey('ed25519').privatePem, /holds a private key/],
    ['a certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', /is CERTIFICATE in PEM/],
    ['damaged', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n', /is damaged/],
  ])('where a public one is needed and it is %s', async (_, text, message) => {
    writeFileSync(at('no.pub'), text);
    await expect(loadPublicKey(at('no.pub'))).rejects.toMatchObject({
      code: 'key-invalid',
      message: expect.stringMatching(message),
    });
  });
});
