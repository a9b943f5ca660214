import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { resolveWorld } from '../../../formats/resolve/resolve.ts';
import type { World } from '../../../formats/resolve/world.ts';
import type { Release } from '../../../formats/solution/relations.ts';
import { bestByBrute, isValid } from '../../support/brute-sets.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const range = fc.constantFrom('*', '^1', '>=1.1', '2.x', '>=2.0.0-rc.1', '3');
const ranges = fc.dictionary(fc.constantFrom(...names, 'net', 'store'), range, { maxKeys: 2 });
const capabilities = fc.dictionary(fc.constantFrom('net', 'store'), fc.constantFrom('1.0.0', '2.0.0'), { maxKeys: 1 });

/** Says nothing more often than not, so that some worlds have sets. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

const relations = fc.record({
  requires: rarely(ranges),
  anyOf: rarely(
    fc.array(
      ranges.filter((value) => Object.keys(value).length > 0),
      { maxLength: 2 },
    ),
  ),
  recommends: rarely(ranges),
  provides: rarely(capabilities),
  conflicts: rarely(ranges),
  replaces: rarely(fc.dictionary(fc.constantFrom(...names), range, { maxKeys: 1 })),
  kubernetes: rarely(fc.constantFrom('>=1.30', '<1.32')),
  isExclusive: fc.boolean(),
});

const releases = fc
  .uniqueArray(
    fc.tuple(fc.constantFrom(...names), fc.constantFrom('1.0.0', '1.1.0', '2.0.0-rc.1', '2.0.0'), relations),
    { selector: ([name, version]) => `${name} ${version}`, maxLength: 10 },
  )
  .map((all) =>
    all.map(([name, version, { isExclusive, replaces, ...rest }]): Release => {
      const { [name]: _, ...others } = replaces ?? {};
      const exclusive = isExclusive ? Object.keys(rest.provides ?? {}) : [];
      return { name, version, ...rest, replaces: others, exclusive };
    }),
  );

const worlds: fc.Arbitrary<World> = fc
  .record({
    candidates: releases,
    wants: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('latest', '^1', '2.0.0', '>=1.1'), { maxKeys: 3 }),
    barred: fc.array(fc.constantFrom(...names), { maxLength: 1 }),
    installed: rarely(releases),
    kubernetes: fc.constantFrom(undefined, 'v1.31.4'),
  })
  .map(({ wants, barred, installed = [], ...rest }) => {
    const byName = new Map(installed.map((release) => [release.name, release]));
    return {
      ...rest,
      wants: new Map(Object.entries(wants)),
      barred: new Set(barred.filter((name) => !byName.has(name))),
      installed: [...byName.values()].slice(0, 2).map((release) => ({ release, configuration: 'other' })),
    };
  });

describe('a world', () => {
  test('is resolved to the set that one finds by looking at every one, or to none where there is none', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const bare = { ...world, candidates: world.candidates.map((one) => ({ ...one, recommends: undefined })) };
        const resolution = resolveWorld(bare);
        const best = bestByBrute(bare);
        const wrong = 'none' in resolution ? resolution.none.explanation.join(' ') : '';
        expect('set' in resolution, wrong).toBe(best !== undefined);
        if (!('set' in resolution) || best === undefined) return;
        expect(isValid(best, bare)).toBe(true);
        const { members, installed } = resolution.set;
        const found = [...members, ...installed].map(({ release }) => `${release.name} ${release.version}`);
        expect(found.sort()).toEqual([...best.values()].map(({ name, version }) => `${name} ${version}`).sort());
      }),
      { numRuns: 2000 },
    );
  });

  test('has the same set with recommendations, and those that can be added to it', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const bare = { ...world, candidates: world.candidates.map((one) => ({ ...one, recommends: undefined })) };
        const base = resolveWorld(bare);
        const resolution = resolveWorld(world);
        expect('set' in resolution).toBe('set' in base);
        if (!('set' in resolution) || !('set' in base)) return;
        const { members, installed } = resolution.set;
        const set = new Map([...members, ...installed].map(({ release }) => [release.name, release]));
        expect(isValid(set, world)).toBe(true);
        for (const { release } of base.set.members) expect(set.get(release.name)?.version).toBe(release.version);
        for (const { why, release } of members) {
          if (why === 'recommended')
            expect(base.set.members.map((one) => one.release.name)).not.toContain(release.name);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('in which something that is there lacks what it asks for has every set that it has without that', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const resolution = resolveWorld({ ...world, present: world.installed ?? [] });
        if ('set' in resolveWorld(world)) expect('set' in resolution).toBe(true);
        if (!('set' in resolution)) return;
        const { members, installed } = resolution.set;
        if (installed.some(({ release }) => Object.keys(release.replaces ?? {}).length > 0)) return;
        const there = installed.map(({ release: { name, version, provides } }): [string, Release] => {
          return [name, { name, version, provides }];
        });
        const chosen = members.map(({ release }): [string, Release] => [release.name, release]);
        expect(isValid(new Map([...there, ...chosen]), { ...world, installed: [] })).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('that has no set is explained by sentences', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const resolution = resolveWorld(world);
        if ('set' in resolution) return;
        const { explanation } = resolution.none;
        expect(explanation.length).toBeGreaterThan(0);
        for (const sentence of explanation) expect(sentence).toMatch(/^\S.*\.$/);
      }),
      { numRuns: 300 },
    );
  });
});
