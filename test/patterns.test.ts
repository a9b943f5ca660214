import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { complaints, keptVerdicts, patternKey, verdictOf } from './support/architecture/pattern-verdicts.ts';
import { madePatterns, type Pattern, patternsOf, slowness } from './support/architecture/patterns.ts';
import { sampled } from './support/sample.ts';

const root = dirname(import.meta.dirname);
const product = new Map(
  globSync(['cli/**/*.ts', 'lib/**/*.ts', 'formats/**/*.ts'], { cwd: root })
    .sort()
    .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
);

function judged(code: string): (string | undefined)[] {
  return patternsOf(new Map([['lib/x.ts', code]])).map(slowness);
}

describe('the patterns of the product', () => {
  const patterns = patternsOf(product);

  test('take no more than the time of their input, by the verdicts that are kept', () => {
    expect(patterns.length).toBeGreaterThan(200);
    expect(complaints(patterns, keptVerdicts())).toEqual([]);
  });

  test('have no verdict that is kept and needed no more', () => {
    const needed = new Set(patterns.map((pattern) => patternKey(pattern)));
    expect(Object.keys(keptVerdicts()).filter((key) => !needed.has(key))).toEqual([]);
  });

  // recheck takes two minutes for all of them: the heavy lane judges all anew, the gate one in fifty.
  test('are judged as the verdicts that are kept say', { timeout: 900_000 }, () => {
    const distinct = [...new Map(patterns.map((one) => [patternKey(one), one]))];
    const kept = keptVerdicts();
    for (const [key, pattern] of sampled(distinct, Math.ceil(distinct.length / 50))) {
      expect(`${pattern.at}: ${verdictOf(pattern)}`).toBe(`${pattern.at}: ${kept[key]}`);
    }
  });

  test('are all written between slashes, where they can be judged', () => {
    expect(madePatterns(product)).toEqual([]);
  });
});

describe('what is planted is found', () => {
  test.each([
    ['what repeats what repeats', 'const a = /^(?:[a-z]+)+$/;'],
    ['two runs side by side that take the same', 'const a = /^Name:(.*?)\\s*$/.exec(b);'],
    ['two runs around a word that both take', 'const b = () => /^[^()]* must [^()]*\\)/.test(a);'],
    ['a run up to the end, tried from everywhere', "a.replace(/\\/+$/, '')"],
    ['a run behind a word that it takes as well', 'a.match(/webhook .* denied/)'],
    ['a run that fails while a search goes on behind its first sign', 'a.matchAll(/"(?:[^"\\\\]|\\\\.)*"|[^"]/gs)'],
    ['the same in a group', 'a.replace(/value: (?:\\{.*?\\}|[^ ]+)/g, b)'],
  ])('%s', (_, code) => {
    const [why] = judged(code);
    expect(why).toMatch(/polynomial|exponential/);
  });

  test.each([
    ['a run that what is before it ends', 'a.match(/webhook "([^"]*)" denied/)'],
    ['a pattern that is asked in one place', 'const a = /[a-z]+$/y;'],
    ['a pattern of bounded runs', 'const a = /(?:[a-z]{1,9}){1,9}$/;'],
    ['a division', 'const a = b / c + d / e;'],
  ])('%s is fine', (_, code) => {
    expect(judged(code).filter(Boolean)).toEqual([]);
  });

  test('a pattern without a verdict, or whose verdict is that it is slow', () => {
    const pattern: Pattern = { at: 'lib/x.ts:1', source: 'a+$', flags: '' };
    const key = patternKey(pattern);
    expect(complaints([pattern], {})).toEqual([expect.stringContaining('lib/x.ts:1 /a+$/: has no verdict yet')]);
    expect(complaints([pattern], { [key]: verdictOf(pattern) })).toEqual([expect.stringContaining('polynomial')]);
    expect(complaints([pattern], { [key]: 'linear' })).toEqual([]);
  });

  test('a verdict for other flags, or of another release of recheck', () => {
    const pattern: Pattern = { at: 'lib/x.ts:1', source: 'a+$', flags: '' };
    const keys = [patternKey(pattern), patternKey({ ...pattern, flags: 'i' }), patternKey(pattern, '0.0.0')];
    expect(new Set(keys).size).toBe(3);
  });

  test('a pattern that is made', () => {
    expect(madePatterns(new Map([['lib/x.ts', '// RegExp(\nconst a = new RegExp(b);']]))).toEqual(['lib/x.ts:2']);
  });
});
