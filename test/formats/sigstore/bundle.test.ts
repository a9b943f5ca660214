import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { encodeBundle, parseBundle } from '../../../formats/sigstore/bundle.ts';
import { emptySlot, fillSlot, readSlot } from '../../../formats/sigstore/slot.ts';

const bundle = { hint: 'aGludA==', messageDigest: Buffer.alloc(32, 1), signature: Buffer.alloc(70, 2) };

describe('a bundle', () => {
  test('that was written is read back the same', () => {
    expect(parseBundle(encodeBundle(bundle))).toEqual(bundle);
  });

  test('has its base64 in one form: bits that mean nothing are zero', () => {
    const text = Buffer.from(encodeBundle(bundle)).toString();
    const signature = Buffer.from(bundle.signature).toString('base64');
    const last = signature.indexOf('=') - 1;
    const other = `${signature.slice(0, last)}${String.fromCharCode(signature.charCodeAt(last) + 1)}${signature.slice(last + 1)}`;
    expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(bundle.signature));
    expect(() => parseBundle(Buffer.from(text.replace(signature, other)))).toThrow(FormatError);
  });

  test('damaged anywhere is refused with a FormatError, or read', () => {
    const bytes = encodeBundle(bundle);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = value;
        try {
          parseBundle(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});

describe('a signature slot', () => {
  test('gives back what was put in', () => {
    expect(Buffer.from(readSlot(fillSlot(encodeBundle(bundle), 8192))!)).toEqual(Buffer.from(encodeBundle(bundle)));
  });

  test('of newlines alone is empty', () => {
    expect(readSlot(emptySlot(8192))).toBeUndefined();
  });

  test.each([
    ['bytes behind the bundle', Buffer.from('{}\n\nx\n')],
    ['no newline at the end', Buffer.from('{}')],
    ['zeros', Buffer.from('{}\n\0\0')],
  ])('with %s is refused', (_, slot) => {
    expect(() => readSlot(slot)).toThrow(FormatError);
  });

  test.each(['', '{}'])('with %j and anything but newlines behind it is refused, wherever that is', (text) => {
    for (let at = text.length + 1; at < 40; at += 1) {
      const slot = Buffer.alloc(40, '\n');
      slot.write(text);
      expect(() => readSlot(slot)).not.toThrow();
      slot[at] = 0x20;
      expect(() => readSlot(slot)).toThrow(FormatError);
    }
  });

  test('too small for a bundle is refused', () => {
    expect(() => fillSlot(utf8('x'.repeat(10)), 10)).toThrow(/does not fit/);
  });
});
