import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesName } from '../../../formats/trust/match.ts';

test.each([
  ['guestbook', 'guestbook', true],
  ['guestbook', 'guestbooks', false],
  ['*', 'anything', true],
  ['partner-*', 'partner-', true],
  ['partner-*', 'partner', false],
  ['*-edge', 'web-edge', true],
  ['*-edge', 'web-edges', false],
  ['a*b*c', 'aabbcc', true],
  ['a*b*c', 'aacc', false],
  ['**', '', true],
])('%s matches %s: %s', (pattern, name, expected) => {
  expect(matchesName(pattern, name)).toBe(expected);
});

test('agrees with a regular expression', () => {
  const letters = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 8 });
  fc.assert(
    fc.property(letters('ab*'), letters('ab'), (pattern, name) => {
      expect(matchesName(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(name));
    }),
  );
});
