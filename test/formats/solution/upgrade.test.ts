import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { parseDefinition } from '../../../formats/solution/definition.ts';
import { boundWords, isSkipped, mayFollow, type UpgradeBound } from '../../../formats/solution/upgrade.ts';

const definition = (upgrade: string): UpgradeBound | undefined =>
  parseDefinition(
    utf8(`name = "shop"\nversion = "2.0.0"\n[[images]]\nreference = "docker.io/library/busybox:1"\n${upgrade}\n`),
  ).upgrade;

describe('[upgrade] of a definition', () => {
  test('says over which versions a Solution may be installed', () => {
    expect(definition('')).toBeUndefined();
    const upgrade = definition('[upgrade]\nfrom = ">=1.2 <2"\nskips = ["1.3.1"]')!;
    expect(upgrade).toEqual({ from: '>=1.2 <2', skips: ['1.3.1'] });
    expect(boundWords(upgrade)).toBe('>=1.2 <2 or 1.3.1');
  });

  test.each([
    ['from = "next"', /6:1: upgrade\.from: has to be a SemVer range/],
    ['skips = ["v1"]', /6:10: upgrade\.skips\.0: has to be a SemVer range/],
    ['form = "1"', /6:1: upgrade\.form: unknown field; did you mean/],
  ])('names line and column of what is wrong: %s', (line, message) => {
    expect(() => definition(`[upgrade]\n${line}`)).toThrow(message);
  });
});

describe('a bound', () => {
  test.each([
    [{}, '1.0.0', true],
    [{ skips: ['1.0.0'] }, '3.0.0', true],
    [{ from: '>=1.2 <2' }, '1.1.9', false],
    [{ from: '>=1.2 <2' }, '1.3.0-rc.1', true],
    [{ from: '>=1.2 <2' }, '2.0.0-rc.1', false],
    [{ from: '>=1.2 <2', skips: ['1.1.x'] }, '1.1.9', true],
    [{ from: '1.2.0' }, '1.2.0+build', true],
    [{ from: '*' }, 'sha256:1', false],
  ])('of %j lets something be installed over %s: %s', (bound, version, may) => {
    expect(mayFollow(bound, version)).toBe(may);
  });

  test('names what no upgrade goes by', () => {
    expect(isSkipped({ from: '*', skips: ['1.3.x'] }, '1.3.1')).toBe(true);
    expect(isSkipped({ from: '*', skips: ['1.3.x'] }, '1.4.0')).toBe(false);
    expect(isSkipped({}, '1.4.0')).toBe(false);
  });
});
