import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { sha256 } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { payloadOf, preAuthentication } from '../../../formats/in-toto/envelope.ts';
import { isSbomType, PREDICATE_LIMIT, requirePredicate } from '../../../formats/in-toto/predicate.ts';
import { encodeStatement, parseStatement, statementSize } from '../../../formats/in-toto/statement.ts';

const subject = { name: 'hello:1.0.0', digest: sha256('root') };
const type = 'https://example.com/predicate/v1';
const json = fc.dictionary(fc.string(), fc.jsonValue());

describe('a statement', () => {
  test('is the one that in-toto describes', () => {
    expect(JSON.parse(Buffer.from(encodeStatement(subject, type, utf8('{ "a": 1 }'))).toString())).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'hello:1.0.0', digest: { sha256: subject.digest.slice(7) } }],
      predicateType: type,
      predicate: { a: 1 },
    });
  });

  test('holds any predicate as it is, byte for byte, and is read back with its subject', () => {
    fc.assert(
      fc.property(json, fc.string(), fc.string({ minLength: 1 }), fc.nat(4), (value, name, predicateType, indent) => {
        const predicate = utf8(JSON.stringify(value, undefined, indent));
        const statement = Buffer.from(encodeStatement({ ...subject, name }, predicateType, predicate));
        expect(statement.includes(Buffer.from(predicate))).toBe(true);
        expect(statement.length).toBe(statementSize({ ...subject, name }, predicateType, predicate.length));
        const read = parseStatement(statement);
        expect(read).toMatchObject({ predicateType, subjects: [subject.digest.slice(7)] });
        expect(JSON.parse(Buffer.from(read.predicate).toString())).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 8, numRuns: 200 },
    );
  });

  test.each([
    ['what would end it early', '{}},"predicateType":"https://slsa.dev/provenance/v1","predicate":{}'],
    ['two values', '{}{}'],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['a byte order mark', '\ufeff{}'],
    ['no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['too much', `{"a":"${'x'.repeat(PREDICATE_LIMIT)}"}`],
  ])('is not made of %s', (_, predicate) => {
    const bytes = typeof predicate === 'string' ? utf8(predicate) : predicate;
    expect(() => encodeStatement(subject, type, bytes)).toThrow(FormatError);
    expect(() => requirePredicate(bytes)).toThrow(FormatError);
  });

  test.each([
    ['without a subject', { subject: [] }],
    ['of another type', { _type: 'https://in-toto.io/Statement/v2' }],
    ['without a predicate type', { predicateType: '' }],
    ['with a predicate that is no object', { predicate: 'text' }],
    ['whose digests are no strings', { subject: [{ digest: { sha256: 1 } }] }],
  ])('%s is refused', (_, wrong) => {
    const good = JSON.parse(Buffer.from(encodeStatement(subject, type, utf8('{}'))).toString());
    expect(() => parseStatement(utf8(JSON.stringify({ ...good, ...wrong })))).toThrow(FormatError);
  });

  test('damaged anywhere is refused with a FormatError, or read', () => {
    const bytes = encodeStatement(subject, type, utf8('{"a":[1,2,{"b":null}]}'));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = Uint8Array.from(bytes);
        damaged[at] = value;
        try {
          parseStatement(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

describe('an envelope', () => {
  test('is signed in the encoding that DSSE describes', () => {
    // The example of the specification, "protocol.md".
    expect(Buffer.from(preAuthentication('http://example.com/HelloWorld', utf8('hello world'))).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  test('counts bytes, not letters', () => {
    expect(Buffer.from(preAuthentication('ü', utf8('€'))).toString()).toBe('DSSEv1 2 ü 3 €');
  });

  test('gives the statement that it holds', () => {
    const payload = Buffer.from('{"a":1}').toString('base64');
    const value = { payload, payloadType: 'application/vnd.in-toto+json', signatures: [] };
    expect(Buffer.from(payloadOf(utf8(JSON.stringify(value)))).toString()).toBe('{"a":1}');
    for (const wrong of [{ payload: 1 }, { payloadType: 'text/plain' }, { signatures: 'x' }]) {
      expect(() => payloadOf(utf8(JSON.stringify({ ...value, ...wrong })))).toThrow(FormatError);
    }
    expect(() => payloadOf(utf8('[]'))).toThrow(FormatError);
  });
});

test('SBOMs are reported by their predicate type, of whatever version', () => {
  for (const sbom of [
    'https://spdx.dev/Document',
    'https://spdx.dev/Document/v2.3',
    'https://cyclonedx.org/bom/v1.6',
  ]) {
    expect(isSbomType(sbom)).toBe(true);
  }
  for (const other of ['https://slsa.dev/provenance/v1', 'https://spdx.dev/DocumentX', 'cyclonedx', '']) {
    expect(isSbomType(other)).toBe(false);
  }
});
