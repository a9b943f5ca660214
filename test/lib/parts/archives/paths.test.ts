import { expect, test } from 'vitest';
import { authorPath, requireSafePaths } from '../../../../lib/parts/archives/paths.ts';

const refusal = expect.objectContaining({ code: 'solution-invalid' });

test('paths that every file system tells apart are taken', () => {
  const paths = ['manifest.yaml', 'components/a/b.yaml', 'components/a/\u00e9.yaml', 'components/ab', 'components/a b'];
  expect(() => requireSafePaths(paths)).not.toThrow();
});

test.each([
  ['one path twice', 'a/b', 'a/b'],
  ['case', 'a/b', 'a/B'],
  ['case of a folder and a file', 'a/B/c', 'A/b'],
  ['a file and its folder', 'a/b', 'a/b/c'],
  ['a file and a folder of another case', 'a/b/c', 'a/B'],
  ['normal forms', 'a/\u00e9', 'a/e\u0301'],
  ['case and normal forms', 'a/\u00c9', 'a/e\u0301'],
  ['letters that are one letter in upper case', 'a/ss', 'a/\u00df'],
  ['signs that stand for a letter', 'a/k', 'a/\u212a'],
])('paths that some file system takes for the same are refused: %s', (_, one, other) => {
  expect(() => requireSafePaths([one, other])).toThrow(refusal);
  expect(() => requireSafePaths([other, 'z', one])).toThrow(refusal);
});

test.each([
  '',
  '/a',
  'a/',
  'a//b',
  '.',
  'a/../b',
  'a\\b',
  'a\nb',
  '\u001b[2J',
  'a\u009b',
  'a\u202eb',
  'a\u2066b',
  'a\u2028b',
  '\u200f',
])('a path that leads out, or shows as another one, is refused: %j', (path) => {
  expect(() => requireSafePaths([path])).toThrow(refusal);
});

test('an author has files below components alone, beside manifest.yaml', () => {
  for (const path of ['manifest.yaml', 'components/a']) expect(authorPath(path)).toBe(path);
  for (const path of ['manifest.yaml/a', 'component', 'blobs/a', '.solpack/root.json', 'index.json']) {
    expect(() => authorPath(path)).toThrow(refusal);
  }
});
