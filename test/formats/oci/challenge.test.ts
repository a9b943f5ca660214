import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import { parseChallenges } from '../../../formats/oci/challenge.ts';

/** Challenges as plain objects. */
function read(value: string): unknown[] {
  return parseChallenges(value).map((challenge) => ({ ...challenge, params: Object.fromEntries(challenge.params) }));
}

describe('parseChallenges', () => {
  test('reads the challenge of a token server, commas and all', () => {
    const header =
      'Bearer realm="https://auth.example.com/token?a=1,2",service="registry.example.com",scope="repository:app/web:pull,push repository:base:pull"';
    expect(read(header)).toEqual([
      {
        scheme: 'bearer',
        params: {
          realm: 'https://auth.example.com/token?a=1,2',
          service: 'registry.example.com',
          scope: 'repository:app/web:pull,push repository:base:pull',
        },
      },
    ]);
  });

  test('reads several challenges, some without parameters, in one field', () => {
    expect(read('Negotiate, BASIC realm=simple , charset="UTF-8",, NTLM TlRMTVNTUAAB==, Bearer Realm = "x"')).toEqual([
      { scheme: 'negotiate', params: {} },
      { scheme: 'basic', params: { realm: 'simple', charset: 'UTF-8' } },
      { scheme: 'ntlm', params: {}, token68: 'TlRMTVNTUAAB==' },
      { scheme: 'bearer', params: { realm: 'x' } },
    ]);
  });

  test('undoes quoted pairs, and takes the first of equal names', () => {
    expect(read('Basic realm="say \\"hi\\", \\\\", REALM=other')).toEqual([
      { scheme: 'basic', params: { realm: 'say "hi", \\' } },
    ]);
  });

  test('accepts a URL without quotes, as some servers write it', () => {
    expect(read('Bearer realm=https://auth.example.com/token,service=r')).toEqual([
      { scheme: 'bearer', params: { realm: 'https://auth.example.com/token', service: 'r' } },
    ]);
  });

  test.each([
    ['Bearer realm="never closed', 'no value of realm at character 13'],
    ['Bearer service=r, realm=', 'no value of realm'],
    ['Basic realm="a" charset="b"', 'a comma is missing'],
    ['Basic"x"', 'no space after the scheme'],
    ['Basic ="x"', 'no parameter'],
    ['"x"', 'no scheme'],
  ])('refuses %s', (header, why) => {
    expect(() => parseChallenges(header)).toThrow(expect.objectContaining({ code: 'challenge-invalid' }));
    expect(() => parseChallenges(header)).toThrow(why);
  });

  test('an empty field offers nothing', () => {
    expect(read(' , ')).toEqual([]);
  });

  test('reads back what was written, whatever the values', () => {
    const token = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_-]{0,8}$/);
    const challenge = fc.record({
      scheme: token.map((name) => name.toLowerCase()),
      params: fc.uniqueArray(
        fc.tuple(
          token.map((name) => name.toLowerCase()),
          fc.string(),
        ),
        {
          minLength: 1,
          maxLength: 4,
          selector: ([name]) => name,
        },
      ),
    });
    fc.assert(
      fc.property(fc.array(challenge, { maxLength: 4 }), (list) => {
        const header = list
          .map(({ scheme, params }) => {
            const written = params.map(([name, text]) => `${name}="${text.replace(/[\\"]/g, '\\$&')}"`);
            return `${scheme} ${written.join(', ')}`;
          })
          .join(', ');
        expect(read(header)).toEqual(
          list.map(({ scheme, params }) => ({ scheme, params: Object.fromEntries(params) })),
        );
      }),
    );
  });

  test('a mutated field is read or refused, never anything else', () => {
    const base = 'Bearer realm="https://auth.example.com/token",service="r", Basic realm="a\\"b", NTLM abc==';
    const piece = fc.constantFrom('"', '\\', ',', '=', ' ', '\t', '\n', 'é', 'Basic', '');
    fc.assert(
      fc.property(fc.nat(base.length), fc.nat(12), piece, (at, cut, insert) => {
        try {
          parseChallenges(base.slice(0, at) + insert + base.slice(at + cut));
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
    );
  });

  test('a long hostile field takes time in proportion to its length', () => {
    const field = `${'a'.repeat(200_000)} ${'b'.repeat(200_000)}"`;
    expect(() => parseChallenges(field)).toThrow(FormatError);
    expect(() => parseChallenges(`Basic a="${'\\x'.repeat(200_000)}`)).toThrow(FormatError);
    expect(() => parseChallenges(`Basic ${'a='.repeat(200_000)}`)).not.toThrow();
  });
});
