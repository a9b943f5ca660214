import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { madePatterns, patternsOf, slowness } from './support/architecture/patterns.ts';

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
  test('take no more than the time of their input', { timeout: 900_000 }, () => {
    const patterns = patternsOf(product);
    expect(patterns.length).toBeGreaterThan(200);
    const distinct = new Map(patterns.map((one) => [`/${one.source}/${one.flags}`, one]));
    const slow = [...distinct].flatMap(([text, pattern]) => {
      const why = slowness(pattern);
      return why === undefined ? [] : [`${pattern.at} ${text}: ${why}`];
    });
    expect(slow).toEqual([]);
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

  test('a pattern that is made', () => {
    expect(madePatterns(new Map([['lib/x.ts', '// RegExp(\nconst a = new RegExp(b);']]))).toEqual(['lib/x.ts:2']);
  });
});
