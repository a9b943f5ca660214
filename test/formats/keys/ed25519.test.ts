import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { wrongEd25519 } from '../../../formats/keys/ed25519.ts';

const P = 2n ** 255n - 19n;
const SIGN = 2n ** 255n;

/** What `wrongEd25519` says of a number as 32 bytes, the lowest first. */
const said = (number: bigint): string | undefined =>
  wrongEd25519(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());

const honest = Array.from({ length: 40 }, () => {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return BigInt(`0x${Buffer.from(x, 'base64url').reverse().toString('hex')}`);
});

test('keys that were made as such are what they should be', () => {
  expect(honest.map(said)).toEqual(honest.map(() => undefined));
});

test('the sum of a key and the point of order 2 is refused, though its holder can sign for it', () => {
  for (const key of honest) {
    const [sign, y] = [key >> 255n, key % SIGN];
    expect(said(P - y + (1n - sign) * SIGN)).toMatch(/outside of the group/);
  }
});

// The y of the two points of order 8.
const eighth = [
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
];

test.each([
  ['1', 1n],
  ['2', P - 1n],
  ['4', 0n],
  ['4, the other', SIGN],
  ['8', eighth[0]!],
  ['8, its negative', eighth[0]! + SIGN],
  ['8, the other', eighth[1]!],
])('a point of order %s is refused', (_, number) => {
  expect(said(number)).toMatch(/outside of the group/);
});

test.each([
  ['its y is beyond the field', P],
  ['its y is beyond the field, by as much as fits', 2n ** 255n - 1n],
  ['its x is 0 and has a sign', 1n + SIGN],
  ['its x is 0 and has a sign, below', P - 1n + SIGN],
])('another form of a point is refused: %s', (_, number) => {
  expect(said(number)).toMatch(/one form/);
});

test('what is no point is refused', () => {
  expect(said(2n)).toBe('not a point on its curve');
  expect(wrongEd25519(new Uint8Array(31))).toBe('not a point on its curve');
});
