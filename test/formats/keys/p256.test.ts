import { createECDH, createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { encodeEcdsa } from '../../../formats/keys/ecdsa.ts';
import { signP256 } from '../../../formats/keys/p256.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
const sha256 = (message: string): Buffer => createHash('sha256').update(message).digest();

/** The key of RFC 6979, A.2.5. */
const secret = hex('C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721');

describe('a signature by ECDSA on P-256', () => {
  test.each([
    [
      'sample',
      'EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716',
      'F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8',
    ],
    [
      'test',
      'F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367',
      '019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083',
    ],
  ])('of "%s" is the one of RFC 6979, A.2.5', (message, r, s) => {
    expect(Buffer.from(signP256(sha256(message), secret))).toEqual(Buffer.from(encodeEcdsa(hex(r + s))));
  });

  test('is verified by OpenSSL, whatever the key and the digest', () => {
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const secrets = [1n, 2n, order - 1n, order >> 1n].map((scalar) => hex(scalar.toString(16).padStart(64, '0')));
    for (const [at, key] of [secret, ...secrets].entries()) {
      for (const message of ['', 'a', 'b'.repeat(1000)]) {
        expect(verify('sha256', Buffer.from(message), publicOf(key), signP256(sha256(message), key)), `${at}`).toBe(
          true,
        );
      }
    }
    // A digest of zeros is one that nobody finds, and a number that arithmetic has to take as well.
    expect(signP256(Buffer.alloc(32), secret)).toEqual(signP256(Buffer.alloc(32), secret));
  });

  test('is not made by what is not a private key', () => {
    for (const wrong of [Buffer.alloc(32), Buffer.alloc(32, 0xff), secret.subarray(1), Buffer.alloc(0)]) {
      expect(() => signP256(sha256('a'), wrong)).toThrow();
    }
  });
});

/** The public key of a private one, by OpenSSL. */
function publicOf(key: Buffer): KeyObject {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(key);
  const [x, y] = [pair.getPublicKey().subarray(1, 33), pair.getPublicKey().subarray(33)];
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
