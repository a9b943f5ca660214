import { describe, expect, test } from 'vitest';
import { newerVersion, raisedRange } from '../../../formats/solution/newer-version.ts';

const versions = [
  '0.3.1',
  '0.3.9',
  '0.4.0',
  '1.0.0',
  '1.1.0-rc.1',
  '1.1.0',
  '1.2.0-rc.1',
  '1.2.0-rc.2',
  'v2.0.0',
  '2.1.0+build',
  'x',
];
const bounds = { latest: false, preReleases: false };

describe('a newer version', () => {
  test.each([
    ['^1.0', '1.0.0', '1.1.0', '2.1.0+build'],
    ['^1.0', undefined, '1.1.0', '2.1.0+build'],
    ['^1.0', '1.1.0', undefined, '2.1.0+build'],
    ['>=1.0.0-0 <2', '1.0.0', '1.2.0-rc.2', '2.1.0+build'],
    [undefined, '1.0.0', '2.1.0+build', undefined],
    ['1.0.0', '1.0.0', '1.1.0', '2.1.0+build'],
    ['0.3.1', '0.3.1', '0.3.9', '2.1.0+build'],
    ['1.2.0-rc.1', '1.2.0-rc.1', '1.2.0-rc.2', '2.1.0+build'],
    ['2.1.0', '2.1.0', undefined, undefined],
    ['^1.0', '1.3.0', undefined, '2.1.0+build'],
  ])('of %s, now %s, is %s, and %s is beyond', (wanted, current, version, beyond) => {
    expect(newerVersion(versions, wanted, current, bounds)).toEqual({ version, beyond });
  });

  test('may leave range and major version if that is asked for, and be a pre-release', () => {
    const latest = { ...bounds, latest: true };
    expect(newerVersion(versions, '^1.0', '1.0.0', latest).version).toBe('2.1.0+build');
    expect(newerVersion(versions, '0.3.1', '0.3.1', latest).version).toBe('2.1.0+build');
    expect(newerVersion(versions, '1.0.0', '1.0.0', { ...bounds, preReleases: true }).version).toBe('1.2.0-rc.2');
  });
});

test('an entry of an index without a version, or with a range as its version, is passed over', () => {
  expect(newerVersion(['', '^1.0', '1.0.0', '1.2.0'], '^1.0', '1.0.0', bounds)).toEqual({
    version: '1.2.0',
    beyond: undefined,
  });
});

describe('a range', () => {
  test.each([
    ['^1.2', '^2.3'],
    ['~1.2.3', '~2.3.4'],
    ['1', '2'],
    ['v1.x', 'v2.x'],
    ['1.2.*', '2.3.*'],
  ])('%s becomes %s', (range, raised) => {
    expect(raisedRange(range, '2.3.4')).toBe(raised);
  });

  test.each(['>=1 <2', '^1 || ^2', '*', '>1'])('%s is changed by hand', (range) => {
    expect(raisedRange(range, '2.3.4')).toBeUndefined();
  });
});
