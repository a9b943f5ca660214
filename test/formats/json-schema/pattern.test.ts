import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Pattern } from '../../../formats/json-schema/pattern.ts';
import { PatternError } from '../../../formats/json-schema/pattern-syntax.ts';

/** Expressions that ECMAScript and this reader both take, as text. */
const atoms = fc.constantFrom(
  'a',
  'b',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '[a-c]',
  '[^a]',
  '[\\d-]',
  '\\.',
  '^',
  '$',
  '\\b',
  'é',
  '\\x41',
);
const source = fc.letrec<{ node: string; atom: string }>((tie) => ({
  atom: atoms,
  node: fc.oneof(
    { depthSize: 'small' },
    tie('atom'),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    fc.tuple(tie('node'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?')).map(([a, n]) => `(${a})${n}`),
  ),
})).node;
const sample = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '1', ' ', '.', '-', 'é', '\n'), maxLength: 12 });

describe('a pattern', () => {
  test('is found where ECMAScript finds it', () => {
    fc.assert(
      fc.property(source, sample, (pattern, text) => {
        expect(new Pattern(pattern).isIn(text)).toBe(new RegExp(pattern, 'u').test(text));
      }),
      { numRuns: 2000 },
    );
  });

  test('takes no longer for what other engines try without end', () => {
    expect(new Pattern('^(a+)+$').isIn(`${'a'.repeat(5000)}!`)).toBe(false);
    expect(new Pattern('^(a|a?)+$').isIn(`${'a'.repeat(5000)}!`)).toBe(false);
  });

  test.each([
    ['(', /nothing closes/],
    [')', /closes nothing/],
    ['a**', /repeats a repetition/],
    ['*a', /repeats nothing/],
    ['[a', /ends too early/],
    ['[b-a]', /ends before it begins/],
    ['(?=a)', /lookaround/],
    ['(?<!a)b', /lookaround/],
    ['(a)\\1', /not every engine supports/],
    ['\\p{L}', /not every engine supports/],
    ['a{2,1}', /from 2 to 1/],
    ['a{2000}', /more than 1000/],
    ['((a{1000}){1000}){1000}', /too large/],
    ['\\x4', /hexadecimal/],
    ['('.repeat(200), /more than 100 deep/],
    ['a\\', /ends too early/],
  ])('%s is refused', (pattern, reason) => {
    expect(() => new Pattern(pattern)).toThrow(PatternError);
    expect(() => new Pattern(pattern)).toThrow(reason);
  });

  test('is read in linear time, also where it has brackets without end', () => {
    const { user: before } = process.cpuUsage();
    expect(new Pattern(`${'{'.repeat(19_000)}}`).size).toBe(19_001);
    const { user } = process.cpuUsage();
    expect((user - before) / 1e6).toBeLessThan(0.5);
  });

  test('that is too large for a text says so', () => {
    expect(() => new Pattern('a{1000}b{1000}').isIn('a'.repeat(100_000))).toThrow(/too large for such a long/);
  });
});
