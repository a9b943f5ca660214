import fc from 'fast-check';
import { compare, parse } from 'semver';
import { describe, expect, test } from 'vitest';
import type { SolutionsConfiguration } from '../../../../../formats/solution/configuration.ts';
import { SolpackError } from '../../../../../lib/kernel/events/errors.ts';
import { type Candidate, choose } from '../../../../../lib/shared/solutions/sets/choose.ts';

const of = (name: string, ...versions: string[]): Candidate[] =>
  versions.map((version) => ({ path: `${name}-${version}.iso`, name, version, group: undefined }));

const configuration = (active: Record<string, string> = {}, implicit = true): SolutionsConfiguration => ({
  name: 'default',
  groups: [],
  active: new Map(Object.entries(active)),
  implicit,
  saysActive: true,
  environments: new Map(),
  sites: [],
});

const chosen = (candidates: Candidate[], active?: Record<string, string>, implicit?: boolean): string[] =>
  choose(configuration(active, implicit), candidates).map(({ name, version }) => `${name} ${version}`);

function refusal(work: () => unknown): SolpackError {
  try {
    work();
  } catch (error) {
    if (error instanceof SolpackError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('choose', () => {
  test.each([
    ['the highest version', ['1.2.0', '1.10.0', '1.9.0'], '1.10.0'],
    ['a release before any pre-release', ['1.0.0', '2.0.0-rc.1'], '1.0.0'],
    [
      'the highest pre-release where there is nothing else',
      ['1.0.0-alpha.1', '1.0.0-beta', '1.0.0-alpha.beta'],
      '1.0.0-beta',
    ],
    ['by numbers in pre-releases', ['1.0.0-rc.2', '1.0.0-rc.10'], '1.0.0-rc.10'],
    ['with build metadata, which does not count', ['1.0.0+zzz', '1.0.1+aaa'], '1.0.1+aaa'],
  ])('takes %s', (_, versions, expected) => {
    expect(chosen(of('a', ...versions))).toEqual([`a ${expected}`]);
    expect(chosen(of('a', ...versions), { a: 'latest' }, false)).toEqual([`a ${expected}`]);
  });

  test('takes the version that was asked for, also a lower one or a pre-release', () => {
    expect(chosen(of('a', '1.0.0', '2.0.0'), { a: '1.0.0' })).toEqual(['a 1.0.0']);
    expect(chosen(of('a', '1.0.0', '2.0.0-rc.1'), { a: '2.0.0-rc.1' })).toEqual(['a 2.0.0-rc.1']);
  });

  test.each([
    ['^1.2', ['1.1.0', '1.2.0', '1.10.0', '2.0.0'], '1.10.0'],
    ['>=1.2 <2', ['1.2.0', '2.0.0'], '1.2.0'],
    ['1.x', ['0.9.0', '1.0.0', '1.5.0-rc.1'], '1.0.0'],
    ['>=2.0.0-rc.1', ['1.0.0', '2.0.0-rc.2'], '2.0.0-rc.2'],
  ])('takes the highest version in the range %s, by the rules of node-semver', (range, versions, expected) => {
    for (const implicit of [true, false]) {
      expect(chosen(of('a', ...versions), { a: range }, implicit)).toEqual([`a ${expected}`]);
    }
  });

  test('refuses a range that no version lies in, and one whose highest is there twice', () => {
    const none = refusal(() => chosen(of('a', '1.0.0', '2.1.0-rc.1'), { a: '^2' }));
    expect(`${none.code} ${none.summary}`).toBe(
      'version-absent a ^2: is active, but its archives hold 1.0.0, 2.1.0-rc.1 only',
    );
    expect(refusal(() => chosen(of('a', '1.0.0+x', '1.0.0+y'), { a: '^1' })).code).toBe('version-conflict');
  });

  test('takes no version of a Solution that is not to be active, whether there are archives of it or not', () => {
    expect(chosen([...of('a', '1.0.0'), ...of('b', '1.0.0')], { a: 'none', c: 'none' })).toEqual(['b 1.0.0']);
  });

  test('finds a version that was asked for without its build metadata', () => {
    expect(chosen(of('a', '1.0.0+build.1', '2.0.0'), { a: '1.0.0' })).toEqual(['a 1.0.0+build.1']);
  });

  test('chooses for each Solution on its own, by name', () => {
    expect(chosen([...of('b', '1.0.0', '1.1.0'), ...of('a', '3.0.0')])).toEqual(['a 3.0.0', 'b 1.1.0']);
  });

  test('leaves out what the shipped form does not name', () => {
    expect(chosen([...of('a', '1.0.0'), ...of('b', '1.0.0')], { b: 'latest' }, false)).toEqual(['b 1.0.0']);
  });

  test('refuses two archives of one version, naming both files', () => {
    const error = refusal(() => chosen([...of('a', '1.0.0'), { ...of('a', '1.0.0')[0]!, path: 'copy.iso' }]));
    expect(error.code).toBe('version-conflict');
    expect(error.message).toContain('a-1.0.0.iso');
    expect(error.message).toContain('copy.iso');
  });

  test('refuses a tie of build metadata, naming both files, unless one is asked for in full', () => {
    const both = of('a', '1.0.0+x', '1.0.0+y', '0.9.0');
    const error = refusal(() => chosen(both));
    expect(error.code).toBe('version-conflict');
    expect(error.message).toMatch(/a-1\.0\.0\+x\.iso and in a-1\.0\.0\+y\.iso/);
    expect(refusal(() => chosen(both, { a: '1.0.0' })).code).toBe('version-conflict');
    expect(chosen(both, { a: '1.0.0+y' })).toEqual(['a 1.0.0+y']);
    expect(chosen(both, { a: '0.9.0' })).toEqual(['a 0.9.0']);
  });

  test('refuses a version that is in no archive, saying which are', () => {
    const error = refusal(() => chosen(of('a', '1.0.0', '1.1.0'), { a: '1.2.0' }));
    expect(error.code).toBe('version-absent');
    expect(error.message).toContain('1.0.0, 1.1.0');
    expect(refusal(() => chosen(of('a', '1.0.0'), { b: 'latest' }, false)).code).toBe('version-absent');
  });

  test('refuses an archive in the group of another Solution', () => {
    const error = refusal(() => chosen([{ ...of('a', '1.0.0')[0]!, group: 'b' }]));
    expect(error.code).toBe('configuration-invalid');
  });

  test('never takes a version that another eligible one beats', () => {
    const number = fc.nat(3);
    const version = fc
      .tuple(number, number, number, fc.option(fc.constantFrom('alpha', 'alpha.1', 'rc.2', 'rc.10')))
      .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre ? `-${pre}` : ''}`);
    fc.assert(
      fc.property(fc.uniqueArray(version, { minLength: 1, maxLength: 8 }), (versions) => {
        const best = chosen(of('a', ...versions))[0]!.slice(2);
        const releases = versions.filter((candidate) => parse(candidate)!.prerelease.length === 0);
        for (const other of releases.length > 0 ? releases : versions)
          expect(compare(best, other)).toBeGreaterThanOrEqual(0);
        if (releases.length > 0) expect(releases).toContain(best);
      }),
      { seed: 4 },
    );
  });
});
