import { describe, expect, test } from 'vitest';
import { isHigherVersion, isVersionTag, newerTag, newerTags } from '../../../formats/solution/version-tag.ts';

const bounds = { latest: false, preReleases: false };

describe('a newer tag', () => {
  test.each([
    ['1.25.3', ['1.25.5', '1.26', '1.26.0-alpine', 'v1.27.0', '2.0.0', 'latest'], '1.25.5', '2.0.0'],
    ['1.25.3-alpine', ['1.25.5', '1.26.0-alpine', '1.26.0-alpine3.20'], '1.26.0-alpine', undefined],
    ['v1.29.0', ['v1.29.4', 'v1.30.0-rc.1', 'v1.30.0-alpha.2', 'v1.28.9'], 'v1.29.4', undefined],
    ['1.2.3-debian-12-r3', ['1.2.3-debian-12-r11', '1.2.4-debian-11-r0'], '1.2.3-debian-12-r11', undefined],
    ['v1.30.2-k3s1', ['v1.30.2-k3s2', 'v1.30.4-k3s1'], 'v1.30.4-k3s1', undefined],
    ['0.14.1', ['0.14.5', '0.15.0'], '0.14.5', '0.15.0'],
    ['17', ['17.2', '18', '16'], undefined, '18'],
    ['1.0.0-rc.1', ['1.0.0-rc.2', '1.0.0-rc.10', '1.1.0-rc.1'], '1.0.0-rc.10', undefined],
    ['1.0.0-rc.1', ['1.0.0-rc.2', '1.0.0'], '1.0.0', undefined],
    ['2024.1.9', ['2024.1.10', '2025.1.0'], '2024.1.10', '2025.1.0'],
    ['1.13.2.9', ['1.13.2.10', '1.14.0'], '1.13.2.10', undefined],
    ['latest', ['1.0.0'], undefined, undefined],
    ['1.2.3', ['1.2.3'], undefined, undefined],
  ])('of %s among %j is %s, and %s is beyond', (current, tags, version, beyond) => {
    expect(newerTag(tags, current, bounds)).toEqual({ version, beyond });
  });

  test('may be a pre-release, or of another major version, if that is asked for', () => {
    const tags = ['1.1.0-rc.1', '2.0.0', '3.0.0-beta1'];
    expect(newerTag(tags, '1.0.0', { ...bounds, preReleases: true }).version).toBe('1.1.0-rc.1');
    expect(newerTag(tags, '1.0.0', { ...bounds, latest: true }).version).toBe('2.0.0');
    expect(newerTag(tags, '1.0.0', { latest: true, preReleases: true }).version).toBe('3.0.0-beta1');
  });

  test('is listed with all others, the newest first', () => {
    const tags = ['v1.2.0', 'v1.10.0', 'v1.0.0', 'v2.0.0-rc.1', 'x', 'v1.2.0'];
    expect(newerTags(tags, 'v1.1.0', { preReleases: false, most: 9 })).toEqual(['v1.10.0', 'v1.2.0']);
    expect(newerTags(tags, 'v1.1.0', { preReleases: true, most: 1 })).toEqual(['v2.0.0-rc.1']);
    expect(newerTags(tags, 'latest', { preReleases: false, most: 9 })).toEqual([]);
  });

  test('is listed among very many in the time that one look at each takes', () => {
    const tags = Array.from({ length: 100_000 }, (_, number) => `1.0.${number}`);
    expect(newerTags(tags, '1.0.0', { preReleases: false, most: 2 })).toEqual(['1.0.99999', '1.0.99998']);
  });
});

test.each([
  ['1.2.0', '1.1.0', true],
  ['1.1.0', '1.2.0', false],
  ['1.2.0', '1.2.0', false],
  ['v1.2.0', '1.1.0', true],
  ['1.2.1', '1.2', true],
  ['1.2.0', '1.2.0-rc.1', true],
  ['1.2.3-debian-12-r11', '1.2.3-debian-11-r3', true],
  ['1.2.3-debian-12-r11', '1.2.3-debian-12-r3', true],
  ['2.1.0+build', '2.0.0', true],
  ['latest', '1.0.0', false],
  ['2.0.0', 'latest', false],
  ['', '1.0.0', false],
])('%j is higher than %j: %s', (version, other, expected) => {
  expect(isHigherVersion(version, other)).toBe(expected);
});

test('a tag that is a word or a commit names no version', () => {
  for (const tag of ['latest', 'alpine', 'sha-0123abc', '0123abcd']) expect(isVersionTag(tag)).toBe(false);
});
