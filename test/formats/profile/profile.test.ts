import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { text, utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { setInProfile, unsetInProfile } from '../../../formats/profile/edit.ts';
import { type ProfileKey, profileFields } from '../../../formats/profile/fields.ts';
import { parseProfile } from '../../../formats/profile/profile.ts';
import { sampledRuns } from '../../support/sample.ts';

const parse = (source: string): ReturnType<typeof parseProfile> => parseProfile(utf8(source));
const set = (source: string, key: ProfileKey, word: string): string =>
  text(setInProfile(utf8(source), key, word), 'toml-invalid');

describe('a profile', () => {
  test('says what is so of a machine, each with its line', () => {
    const said = parse('kubeconfig = "admin.conf"\nkeys = ["a.pub"]\n\n[images]\nhosts-dir = "/etc/certs.d"\n');
    expect([...said].map(([key, { value, position }]) => [key, value, position.line])).toEqual([
      ['kubeconfig', 'admin.conf', 1],
      ['keys', ['a.pub'], 2],
      ['images.hosts-dir', '/etc/certs.d', 5],
    ]);
  });

  test.each([
    ['an unknown setting', 'kubeconfg = "a"', /1:1: kubeconfg: unknown field.*kubeconfig/],
    ['an unknown setting of a table', '[images]\nserver = "a"', /2:1: images\.server: unknown field.*"serve"/],
    ['a value of another type', '[install]\nkeep-generations = "ten"', /2:1: install\.keep-generations: /],
    ['a policy and keys', 'policy = "p.json"\nkeys = ["a.pub"]', /2:1: keys: is set beside "policy"/],
    ['no TOML', 'kubeconfig = ', /1:/],
    ['no duration', '[install]\n timeout = "1 parsec"', /2:2: install\.timeout: has to be a duration/],
    ['no address', '[images]\nserve = "here"', /2:1: images\.serve: has to be an address/],
  ])('with %s is refused at its position', (_, source, reason) => {
    expect(() => parse(source)).toThrow(reason);
  });
});

describe('a setting that is set', () => {
  const source = '# mine\nkubeconfig = "a" # old\n\n[images] # how\nhosts-dir = "b" # keep\n[install]\n';

  test('takes the place of what was there, and leaves comments', () => {
    expect(set(source, 'kubeconfig', '/x y')).toBe(source.replace('"a"', '"/x y"'));
    expect(set(source, 'images.hosts-dir', 'c')).toBe(source.replace('"b"', '"c"'));
  });

  test('comes before the first table, into its table, or into a new one', () => {
    expect(set(source, 'policy', 'p.json')).toBe(source.replace('[images]', 'policy = "p.json"\n[images]'));
    expect(set(source, 'images.serve', 'http://a')).toBe(source.replace('# how\n', '# how\nserve = "http://a"\n'));
    expect(set(source, 'registry.authfile', 'a.json')).toBe(`${source}\n[registry]\nauthfile = "a.json"\n`);
    expect(set('', 'install.rollback-on-failure', 'true')).toBe('[install]\nrollback-on-failure = true\n');
  });

  test.each<[ProfileKey, string]>([
    ['install.keep-generations', '0'],
    ['install.keep-generations', 'ten'],
    ['install.rollback-on-failure', 'yes'],
    ['kubeconfig', ''],
  ])('%s is not set to "%s"', (key, word) => {
    expect(() => set(source, key, word)).toThrow(FormatError);
  });

  test('that is unset is gone with its line, and nothing else', () => {
    const keys = Object.keys(profileFields) as ProfileKey[];
    const words: Partial<Record<ProfileKey, string>> = {
      'images.serve': 'http://a',
      'images.registry': 'http://b',
      'install.timeout': '7m',
      'install.rollback-on-failure': 'true',
      'install.keep-generations': '3',
    };
    for (const key of keys) {
      const unset = (from: string): string => text(unsetInProfile(utf8(from), key), 'toml-invalid');
      const without = unset(source);
      expect([unset(without), parse(without).has(key)]).toEqual([without, false]);
      if (key === 'policy' || key === 'keys') continue;
      const there = set(without, key, words[key] ?? 'x');
      expect([...parse(unset(there))].map(([name]) => name)).toEqual([...parse(without)].map(([name]) => name));
    }
  });

  test('is there afterwards, and all others as before, whatever its text is', () => {
    const keys = Object.keys(profileFields) as ProfileKey[];
    const texts = keys.filter((key) => ['path', 'text'].includes(profileFields[key].type) && key !== 'policy');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...texts), fc.string({ unit: 'binary', minLength: 1 })), { minLength: 1 }),
        (drawn) => {
          // TOML has no carriage return of its own, and no path a NUL.
          const changes = drawn.map(
            ([key, word]) => [key, word.replaceAll('\r', '').replaceAll('\0', '') || 'x'] as const,
          );
          const after = changes.reduce((before, [key, word]) => set(before, key, word), source);
          const last = new Map(changes);
          const said = parse(after);
          for (const [key, word] of last) expect([key, said.get(key)?.value]).toEqual([key, word.toWellFormed()]);
          for (const line of ['# mine', '[images] # how', '[install]']) expect(after).toContain(line);
        },
      ),
      sampledRuns(500),
    );
  });
});
