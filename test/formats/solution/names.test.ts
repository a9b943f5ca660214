import { expect, test } from 'vitest';
import { nearest } from '../../../formats/document/suggest.ts';
import { isLabel, isSemVer } from '../../../formats/solution/names.ts';

test.each(['1.0.0', '0.0.1', '1.0.0-rc.1', '1.0.0-alpha.1.x-y', '1.0.0+build.5', '1.0.0-rc.1+sha.abc'])(
  '%s is SemVer',
  (version) => {
    expect(isSemVer(version)).toBe(true);
  },
);

test.each([
  '',
  '1',
  '1.0',
  'v1.0.0',
  '=1.0.0',
  ' 1.0.0',
  '1.0.0 ',
  '01.0.0',
  '1.0.0-01',
  '1.0.0-',
  '1.0.0+',
  '1.0.0.0',
  'latest',
])('%j is not SemVer', (version) => {
  expect(isSemVer(version)).toBe(false);
});

test.each([
  ['a', true],
  ['guestbook-2', true],
  ['a'.repeat(63), true],
  ['', false],
  ['a'.repeat(64), false],
  ['-a', false],
  ['a-', false],
  ['A', false],
  ['a.b', false],
  ['a\n', false],
])('%j as a label: %s', (name, expected) => {
  expect(isLabel(name)).toBe(expected);
});

test('guesses what a slip was meant to be, and nothing where nothing is near', () => {
  const fields = ['reference', 'source', 'platforms'];
  expect(nearest('referense', fields)).toBe('reference');
  expect(nearest('souce', fields)).toBe('source');
  expect(nearest('refeernce', fields)).toBe('reference');
  expect(nearest('colour', fields)).toBeUndefined();
});
