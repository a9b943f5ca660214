import { generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { parseCosignKey } from '../../../formats/keys/cosign.ts';
import { integer, octets, oid } from '../../../formats/keys/der.ts';
import { encodeEcdsa } from '../../../formats/keys/ecdsa.ts';
import { decodePem, encodePem, pemLabel } from '../../../formats/keys/pem.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

describe('DER', () => {
  test.each([
    [0, '020100'],
    [127, '02017f'],
    [128, '02020080'],
    [600_000, '02030927c0'],
    [2 ** 32 - 1, '020500ffffffff'],
  ])('has %i in as few bytes as it takes', (number, expected) => {
    expect(hex(integer(number))).toBe(expected);
  });

  test('has arcs of an object identifier in base 128', () => {
    expect(hex(oid('1.2.840.113549.1.5.13'))).toBe('06092a864886f70d01050d');
  });

  test.each([
    [127, '047f'],
    [128, '048180'],
    [255, '0481ff'],
    [256, '04820100'],
  ])('has the length %i in as few bytes as it takes', (length, expected) => {
    expect(hex(octets(new Uint8Array(length))).slice(0, expected.length)).toBe(expected);
  });

  test('of an ECDSA signature is what OpenSSL verifies, whatever r and s are', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    // One in 256 has a leading zero, half need one.
    for (let run = 0; run < 600; run += 1) {
      const message = Buffer.from(`message ${run}`);
      const raw = sign('sha256', message, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      expect(verify('sha256', message, publicKey, encodeEcdsa(raw))).toBe(true);
    }
  });
});

describe('PEM', () => {
  test('that was written is read back the same', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 500 }), (bytes) => {
        const pem = encodePem('PRIVATE KEY', bytes);
        expect(pemLabel(pem)).toBe('PRIVATE KEY');
        expect(hex(decodePem('PRIVATE KEY', pem))).toBe(hex(bytes));
        expect(Math.max(...pem.split('\n').map((line) => line.length))).toBeLessThanOrEqual(64);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  test('of a key on a curve may begin with the parameters of the curve', () => {
    const parameters = encodePem('EC PARAMETERS', Uint8Array.of(6, 0));
    expect(pemLabel(parameters + encodePem('EC PRIVATE KEY', Uint8Array.of(1)))).toBe('EC PRIVATE KEY');
  });

  test.each([
    ['no PEM at all', 'hello'],
    ['nothing', ''],
    ['another label', encodePem('CERTIFICATE', Uint8Array.of(1))],
    ['no end', encodePem('KEY', Uint8Array.of(1)).slice(0, -10)],
    ['what is no base64', '-----BEGIN KEY-----\n*\n-----END KEY-----\n'],
    ['no content', '-----BEGIN KEY-----\n-----END KEY-----\n'],
  ])('with %s is refused', (_, text) => {
    expect(() => decodePem('KEY', text)).toThrow(FormatError);
  });
});

describe('a key of cosign', () => {
  const label = 'ENCRYPTED SIGSTORE PRIVATE KEY';
  const good = {
    kdf: { name: 'scrypt', params: { N: 65536, r: 8, p: 1 }, salt: 'AAAA' },
    cipher: { name: 'nacl/secretbox', nonce: Buffer.alloc(24).toString('base64') },
    ciphertext: 'AAAA',
  };
  const pem = (value: unknown): string => encodePem(label, Buffer.from(JSON.stringify(value)));

  test('is read', () => {
    expect(parseCosignKey(label, pem(good))).toMatchObject({ N: 65536, r: 8, p: 1 });
  });

  test.each([
    ['another way to make a key', { ...good, kdf: { ...good.kdf, name: 'argon2' } }],
    ['another cipher', { ...good, cipher: { ...good.cipher, name: 'aes' } }],
    ['a nonce of another length', { ...good, cipher: { ...good.cipher, nonce: 'AAAA' } }],
    ['a cost that is no power of two', { ...good, kdf: { ...good.kdf, params: { N: 65535, r: 8, p: 1 } } }],
    ['a cost that would take all memory', { ...good, kdf: { ...good.kdf, params: { N: 2 ** 30, r: 8, p: 1 } } }],
    ['a block size that would take all memory', { ...good, kdf: { ...good.kdf, params: { N: 65536, r: 64, p: 1 } } }],
    ['no base64', { ...good, ciphertext: '*' }],
    ['no ciphertext', { ...good, ciphertext: undefined }],
    ['a number', 7],
  ])('with %s is refused', (_, value) => {
    expect(() => parseCosignKey(label, pem(value))).toThrow(FormatError);
  });

  test('damaged anywhere is refused with a FormatError, or read', () => {
    const text = pem(good);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.integer({ min: 1, max: 126 }), (at, code) => {
        const damaged = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
        try {
          parseCosignKey(label, damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { seed: 5, numRuns: 500 },
    );
  });
});
