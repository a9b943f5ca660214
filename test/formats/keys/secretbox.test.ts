import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSecretbox } from '../../../formats/keys/secretbox.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

// "Cryptography in NaCl" §10; the same as in the tests of NaCl.
const key = hex('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
const nonce = hex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
const message = hex(
  'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f4' +
    '1db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52' +
    'f0a089bc76897040e082f937763848645e0705',
);
const box = hex(
  'f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186ac0dfc17c98dce87b' +
    '4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da' +
    '99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5',
);

describe('a secretbox', () => {
  test('of the paper that defines it is opened', () => {
    expect(Buffer.from(openSecretbox(key, nonce, box)!).equals(message)).toBe(true);
  });

  test('with any bit changed, in the box, the nonce or the key, is not opened', () => {
    fc.assert(
      fc.property(fc.constantFrom('key', 'nonce', 'box'), fc.nat(), fc.nat(7), (part, at, bit) => {
        const parts = { key: Buffer.from(key), nonce: Buffer.from(nonce), box: Buffer.from(box) };
        const bytes = parts[part as keyof typeof parts];
        bytes[at % bytes.length]! ^= 1 << bit;
        expect(openSecretbox(parts.key, parts.nonce, parts.box)).toBeUndefined();
      }),
      { seed: 8, numRuns: 300 },
    );
  });

  test('that is cut anywhere is not opened', () => {
    for (let length = 0; length < box.length; length += 1) {
      expect(openSecretbox(key, nonce, box.subarray(0, length))).toBeUndefined();
    }
  });
});
