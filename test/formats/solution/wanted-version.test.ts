import { describe, expect, test } from 'vitest';
import { isInRange, isWantedVersion } from '../../../formats/solution/wanted-version.ts';

describe('isWantedVersion', () => {
  test('takes latest, versions, and ranges as node-semver reads them', () => {
    const taken = [
      'latest',
      '1.1.0',
      '2.0.0-rc.1',
      '1.0.0+b.1',
      '^1.2',
      '>=1.2 <2',
      '1.x',
      '~2.1',
      '*',
      '1.0',
      '1.2 || 3',
      '1.0.0 - 2',
    ];
    expect(taken.filter((text) => !isWantedVersion(text))).toEqual([]);
  });

  test('refuses words, blanks, a leading v, and what is too long to be meant', () => {
    const long = ['1'.repeat(300), `>=1${' '.repeat(60_000)}x`, '||'.repeat(100_000)];
    const refused = ['', ' ', ' 1.0.0', 'v1.0.0', '>=v1', 'none', 'Latest', 'one', '1.0.0.0', '>=', '^', ...long];
    expect(refused.filter(isWantedVersion)).toEqual([]);
  });
});

describe('isInRange', () => {
  test.each([
    ['1.2.0', '^1.2', true],
    ['2.0.0', '>=1.2 <2', false],
    ['1.3.0-rc.1', '^1.2', false],
    ['1.2.0-rc.2', '>=1.2.0-rc.1', true],
    ['1.3.0-rc.2', '>=1.2.0-rc.1', false],
    ['1.2.0+build', '1.2.x', true],
  ])('tells of %s in %s: %s', (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });
});
