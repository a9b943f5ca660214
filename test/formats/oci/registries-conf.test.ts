import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { matches, parseRegistriesConf, rewritten } from '../../../formats/oci/registries-conf.ts';

const example = `
unqualified-search-registries = ["docker.io"]
short-name-mode = "enforcing"

[[registry]]
prefix = "example.com/foo"
location = "internal.example.com/bar/"
insecure = true
[[registry.mirror]]
location = "mirror.example.com:5000/foo"
insecure = true
[[registry.mirror]]
location = "other.example.com/foo"
pull-from-mirror = "tag-only"

[[registry]]
location = "quay.io"
mirror-by-digest-only = true
[[registry.mirror]]
location = "quay.internal"

[[registry]]
prefix = "*.evil.example"
blocked = true
`;

describe('parseRegistriesConf', () => {
  const rules = parseRegistriesConf(utf8(example));

  test('reads prefixes, locations, mirrors and what they are for', () => {
    expect(rules).toEqual([
      {
        prefix: 'example.com/foo',
        location: 'internal.example.com/bar',
        insecure: true,
        blocked: false,
        mirrors: [
          { location: 'mirror.example.com:5000/foo', insecure: true, pulls: 'all' },
          { location: 'other.example.com/foo', insecure: false, pulls: 'tag-only' },
        ],
      },
      {
        prefix: 'quay.io',
        location: 'quay.io',
        insecure: false,
        blocked: false,
        mirrors: [{ location: 'quay.internal', insecure: false, pulls: 'digest-only' }],
      },
      { prefix: '*.evil.example', location: '*.evil.example', insecure: false, blocked: true, mirrors: [] },
    ]);
  });

  test.each([
    [0, 'example.com/foo', true],
    [0, 'example.com/foo/bar', true],
    [0, 'example.com/foobar', false],
    [0, 'example.com', false],
    [1, 'quay.io/team/web', true],
    [1, 'quay.io:5000/team/web', false],
    [2, 'a.b.evil.example/x', true],
    [2, 'a.evil.example:5000/x', true],
    [2, 'evil.example/x', false],
    [2, 'x/a.evil.example', false],
  ])('rule %i is about %s: %s', (index, name, expected) => expect(matches(rules[index]!, name)).toBe(expected));

  test('what the prefix stands for is replaced', () => {
    const [rule] = rules;
    expect(rewritten(rule!, rule!, 'example.com/foo/web')).toBe('internal.example.com/bar/web');
    expect(rewritten(rule!, rule!.mirrors[0]!, 'example.com/foo/web')).toBe('mirror.example.com:5000/foo/web');
    expect(rewritten(rules[2]!, rules[2]!, 'a.evil.example/web')).toBe('a.evil.example/web');
    expect(rewritten(rules[2]!, { location: 'in.example', insecure: false }, 'a.evil.example/web')).toBe(
      'in.example/web',
    );
  });

  test('what version 1 says is passed over', () => {
    expect(parseRegistriesConf(utf8('[registries.search]\nregistries = ["docker.io"]\n'))).toEqual([]);
    expect(parseRegistriesConf(utf8(''))).toEqual([]);
  });

  test.each([
    ['no TOML', '[[registry'],
    ['a registry without a name', '[[registry]]\ninsecure = true'],
    ['a URL as location', '[[registry]]\nlocation = "https://example.com"'],
    ['a space in a mirror', '[[registry]]\nlocation = "a.example"\n[[registry.mirror]]\nlocation = "b example"'],
    ['a login in a location', '[[registry]]\nlocation = "ada:x@example.com"'],
    ['a word for a switch', '[[registry]]\nlocation = "a.example"\nblocked = "yes"'],
    [
      'an unknown kind of mirror',
      '[[registry]]\nlocation = "a"\n[[registry.mirror]]\nlocation = "b"\npull-from-mirror = "x"',
    ],
    ['a mirror without a place', '[[registry]]\nlocation = "a.example"\n[[registry.mirror]]\ninsecure = true'],
  ])('refuses %s', (_, text) => {
    expect(() => parseRegistriesConf(utf8(text))).toThrow(expect.objectContaining({ code: 'toml-invalid' }));
  });

  test('a mutated file is read or refused, never anything else', () => {
    const whole = utf8(example);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const bytes = Uint8Array.from(whole);
        bytes[at] = byte;
        try {
          for (const rule of parseRegistriesConf(bytes)) matches(rule, 'example.com/foo');
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
    );
  });
});
