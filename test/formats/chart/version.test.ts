import { describe, expect, test } from 'vitest';
import { highestVersion, isChartVersion, isExactVersion, versionSatisfies } from '../../../formats/chart/version.ts';

describe('versions of charts', () => {
  test.each(['1.2.3', 'v1.2.3', '1', '1.2', '1.2.3-rc.1', '1.2.3+build.5', '1.2.3-rc.1+b'])('%s is one', (version) => {
    expect(isChartVersion(version)).toBe(true);
  });

  test.each(['', 'latest', '1.2.3.4', '1..2', '1.2.3-', '../1', '1.2.3 ', '1.2.3-a/b', '01.2.3-01'])(
    '%j is none',
    (version) => {
      expect(isChartVersion(version)).toBe(false);
    },
  );

  test.each([
    ['1.2.3', '', true],
    ['1.2.3', '*', true],
    ['1.2.3', '^1.0.0', true],
    ['1.2', '1.x.x', true],
    ['v1.2.3', '~1.2.0', true],
    ['1.2.3', '>= 1.0.0, < 2.0.0', true],
    ['2.0.0', '>=1.0.0 <2.0.0', false],
    ['1.2.3', '1.0.0 - 1.5.0', true],
    ['3.1.0', '^1 || ^3', true],
    ['1.2.3', '>=1, != 1.2.3', false],
    ['1.2.4', '>=1, != 1.2.3', true],
    ['1.2.3', '!=1.2.3 || 1.2.3', true],
    ['2.0.0-rc.1', '>=1.0.0', false],
    ['2.0.0-rc.1', '>=2.0.0-0', true],
    ['1.20.1', '>=1.19-0', true],
    ['2.0.0-beta', '>=1.0.0-0', true],
    ['2.0.0-beta', '>=1.0.0-0 <2.0.0', true],
    ['2.1.0-beta', '^2.0.0', false],
    ['1.2.3', 'no range', false],
    ['latest', '*', false],
  ])('%s lies in %j: %s', (version, range, expected) => {
    expect(versionSatisfies(version, range)).toBe(expected);
  });

  test('a range of more than a kilobyte takes none, in no time', () => {
    expect(versionSatisfies('1.2.3', `>=1.0.0 ${'!= 1.0.0 '.repeat(200)}`)).toBe(false);
    expect(versionSatisfies('1.2.3', `>=1.0.0 ${'!= 1.0.0 '.repeat(100)}`)).toBe(true);
  });

  test('the highest one in a range is taken, as it is written', () => {
    const all = ['1.0.0', 'v1.2.0', '1.10.0+b', '1.10.0-rc.1', '2.0.0', 'latest', '1.10'];
    expect(highestVersion(all, '')).toBe('2.0.0');
    expect(highestVersion(all, '^1')).toBe('1.10.0+b');
    expect(highestVersion(all, '<1.5')).toBe('v1.2.0');
    expect(highestVersion(all, '1.10.0-rc.1')).toBe('1.10.0-rc.1');
    expect(highestVersion(all, '^3')).toBeUndefined();
  });

  test('what Helm cannot read is passed over, also where it is spelled as the range', () => {
    expect(highestVersion(['', '^1.0', 'latest', '1.0.0', '1.2.0'], '')).toBe('1.2.0');
    expect(highestVersion(['^1.0', '1.0.0', '1.2.0'], '^1.0')).toBe('1.2.0');
    expect(highestVersion(['latest', '1.0.0'], 'latest')).toBeUndefined();
  });

  test('one in full is told from a range', () => {
    expect(['1.2.3', 'v1.2.3-rc.1', '1.2.3+b', '1.2', '1.2.x', '^1.2.3', '=1.2.3', ''].map(isExactVersion)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
