import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import {
  encodeStatementBundle,
  hintIn,
  parseOwnStatementBundle,
  parseStatementBundle,
  statementSlotSize,
} from '../../../formats/sigstore/dsse-bundle.ts';
import { fillSlot, readSlot } from '../../../formats/sigstore/slot.ts';

const hint = Buffer.alloc(32, 7).toString('base64');
const bundle = { hint, statement: Buffer.from('{"_type":"x"}'), signature: Buffer.alloc(72, 2) };
const changed = (change: (value: ReturnType<typeof JSON.parse>) => void): Uint8Array => {
  const value = JSON.parse(Buffer.from(encodeStatementBundle(bundle)).toString());
  change(value);
  return utf8(JSON.stringify(value));
};

describe('a bundle with a statement', () => {
  test('that was written is read back the same', () => {
    expect(parseOwnStatementBundle(encodeStatementBundle(bundle))).toEqual(bundle);
  });

  test('fits in its slot, with the longest signature there is, whatever size the statement has', () => {
    fc.assert(
      fc.property(fc.nat(5000), (size) => {
        const statement = Buffer.alloc(size, 'x');
        const slotSize = statementSlotSize(size);
        expect(slotSize % 512).toBe(0);
        const slot = fillSlot(encodeStatementBundle({ ...bundle, statement }), slotSize);
        expect(parseOwnStatementBundle(readSlot(slot)!).statement).toEqual(statement);
      }),
      { seed: 3, numRuns: 100 },
    );
  });

  test('tells in its first bytes whose key it names', () => {
    expect(hintIn(encodeStatementBundle(bundle).subarray(0, 512))).toBe(hint);
    expect(hintIn(new Uint8Array())).toBeUndefined();
    expect(hintIn(utf8('"hint":"<script>"'))).toBeUndefined();
  });

  test('of somebody else is read, but is none that an archive holds', () => {
    const foreign = [
      changed((value) => {
        value.dsseEnvelope.signatures[0].keyid = 'k';
      }),
      changed((value) => {
        value.verificationMaterial.tlogEntries = [];
      }),
      utf8(`${Buffer.from(encodeStatementBundle(bundle))} `),
    ];
    for (const bytes of foreign) {
      expect(parseStatementBundle(bytes)).toEqual(bundle);
      expect(() => parseOwnStatementBundle(bytes)).toThrow(FormatError);
    }
  });

  test.each<[string, (value: ReturnType<typeof JSON.parse>) => void]>([
    ['no signature', (value) => value.dsseEnvelope.signatures.pop()],
    ['two signatures', (value) => value.dsseEnvelope.signatures.push({ sig: 'AAAA' })],
    ['a payload that is no base64', (value) => Object.assign(value.dsseEnvelope, { payload: '{}' })],
    ['a payload of another type', (value) => Object.assign(value.dsseEnvelope, { payloadType: 'text/plain' })],
    ['no hint', (value) => delete value.verificationMaterial.publicKey],
    ['another media type', (value) => Object.assign(value, { mediaType: 'application/json' })],
    ['no envelope', (value) => delete value.dsseEnvelope],
  ])('with %s is refused', (_, change) => {
    expect(() => parseStatementBundle(changed(change))).toThrow(FormatError);
  });

  test('with a payload of many megabytes is read', () => {
    const statement = Buffer.alloc(12 * 1024 * 1024, 'x');
    expect(parseStatementBundle(encodeStatementBundle({ ...bundle, statement })).statement).toEqual(statement);
  });

  test('damaged anywhere is refused with a FormatError, or is another one', () => {
    const bytes = encodeStatementBundle(bundle);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = Uint8Array.from(bytes);
        if (damaged[at] === value) return;
        damaged[at] = value;
        try {
          expect(parseOwnStatementBundle(damaged)).not.toEqual(bundle);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});
