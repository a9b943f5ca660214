import fc from 'fast-check';
import { compare } from 'semver';
import { describe, expect, test } from 'vitest';
import { upgradeCourse } from '../../../formats/resolve/course.ts';
import { resolveWorld } from '../../../formats/resolve/resolve.ts';
import { barrierTo, wayTo } from '../../../formats/resolve/upgrades.ts';
import type { World } from '../../../formats/resolve/world.ts';
import type { Release } from '../../../formats/solution/relations.ts';
import { bestByBrute, isBarred, isValid } from '../../support/brute-sets.ts';

const names = ['a', 'b', 'c'];
const versions = ['1.0.0', '1.1.0', '1.2.0', '2.0.0-rc.1', '2.0.0', '3.0.0'];
const range = fc.constantFrom('*', '^1', '>=1.1 <2', '>=1.2.0', '2.x', '1.0.0', '>=2.0.0-rc.1');
const bound = fc.record({
  from: fc.option(range, { nil: undefined }),
  skips: fc.option(fc.array(fc.constantFrom(...versions, '<1.2'), { maxLength: 2 }), { nil: undefined }),
});
const upgrade = fc.option(
  fc.record({ own: bound, net: fc.option(bound, { nil: undefined }) }).map(({ own, net }) => {
    return { ...own, ...(net && { provides: { net } }) };
  }),
  { nil: undefined },
);
const some = fc.record({
  upgrade,
  requires: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom(...names), range, { maxKeys: 1 }) },
  ),
  provides: fc.option(fc.record({ net: fc.constantFrom('1.0.0', '2.0.0') }), { nil: undefined }),
});
const releases = (most: number, of: readonly string[] = names): fc.Arbitrary<Release[]> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...of), fc.constantFrom(...versions), some), {
      selector: ([name, version]) => `${name} ${version}`,
      maxLength: most,
    })
    .map((all) => all.map(([name, version, more]) => ({ name, version, ...more })));

const worlds: fc.Arbitrary<World> = fc
  .record({
    candidates: releases(11),
    wants: fc.dictionary(fc.constantFrom(...names), fc.constantFrom('latest', '^1', '2.0.0', '>=1.1'), { maxKeys: 3 }),
    now: releases(4),
    mine: fc.boolean(),
  })
  .map(({ candidates, wants, now, mine }) => {
    const there = [...new Map(now.map((one) => [one.name, { ...one, requires: undefined }])).values()];
    const present = there.map((release) => ({ release, configuration: mine ? 'own' : 'other' }));
    return { candidates, wants: new Map(Object.entries(wants)), present, installed: mine ? [] : present };
  });

describe('a world whose versions say what they may be installed over', () => {
  test('is resolved to the set that one finds by looking at every one', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const resolution = resolveWorld(world);
        const best = bestByBrute(world);
        const wrong = 'none' in resolution ? resolution.none.explanation.join(' ') : '';
        expect('set' in resolution, wrong).toBe(best !== undefined);
        if (!('set' in resolution) || best === undefined) return;
        const { members, installed, heldBack } = resolution.set;
        const found = [...members, ...installed].map(({ release }) => `${release.name} ${release.version}`);
        expect(found.sort()).toEqual([...best.values()].map(({ name, version }) => `${name} ${version}`).sort());
        for (const { name, version } of heldBack) {
          const now = world.present!.find(({ release }) => release.name === name)!.release;
          expect(isBarred(world.candidates.find((one) => one.name === name && one.version === version)!, now)).toBe(
            true,
          );
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the way to a version', () => {
  test('is as short as any, and each step of it is one that may be made', () => {
    fc.assert(
      fc.property(releases(6, ['a']), releases(1, ['a']), ([...all], [standing]) => {
        const target = all.toSorted((a, b) => compare(b.version, a.version))[0];
        if (target === undefined || standing === undefined || compare(target.version, standing.version) <= 0) return;
        const way = wayTo(target, all, standing);
        const brute = shortestByBrute(target, all, standing);
        if (brute === undefined) {
          expect(way === undefined || way.missing !== undefined).toBe(true);
          return;
        }
        expect(way?.missing).toBeUndefined();
        expect(way?.versions.length).toBe(brute);
        const steps = way!.versions.slice(1).map((version) => all.find((one) => one.version === version)!);
        steps.reduce((before, step) => {
          expect(barrierTo(step, before)).toBeUndefined();
          return step;
        }, standing);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a course', () => {
  test('ends in what is wanted wherever a Solution gets there by itself, in the fewest steps, each of which may be made', () => {
    fc.assert(
      fc.property(releases(6, ['a']), releases(1, ['a']), ([...all], [standing]) => {
        const target = all.toSorted((a, b) => compare(b.version, a.version))[0];
        if (target === undefined || standing === undefined || compare(target.version, standing.version) <= 0) return;
        const alone = all.map((one) => ({ ...one, requires: undefined }));
        const course = upgradeCourse({
          candidates: alone,
          wants: new Map([['a', target.version]]),
          present: [{ release: standing, configuration: 'own' }],
        });
        const brute = shortestByBrute(target, all, standing);
        expect('sets' in course).toBe(brute !== undefined);
        if (!('sets' in course)) return;
        expect(course.sets.length).toBe(brute! - 1);
        course.sets.reduce((before, { members }) => {
          const { release } = members[0]!;
          expect(isBarred(release, before)).toBe(false);
          return release;
        }, standing);
        expect(course.sets.at(-1)!.members[0]!.release.version).toBe(target.version);
      }),
      { numRuns: 2000 },
    );
  });

  test('of several Solutions has sets alone that fit together, each over the one before', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const course = upgradeCourse(world);
        if (!('sets' in course)) {
          expect('none' in resolveWorld(world)).toBe(true);
          return;
        }
        const there = new Map(world.present!.map(({ release }) => [release.name, release]));
        for (const { members } of course.sets) {
          for (const { release } of members) {
            const before = there.get(release.name);
            if (before !== undefined) expect(isBarred(release, before)).toBe(false);
          }
          const set = new Map(members.map(({ release }): [string, Release] => [release.name, release]));
          const fixed = (world.installed ?? []).filter(({ release }) => !world.wants.has(release.name));
          const whole = new Map([...fixed.map(({ release }): [string, Release] => [release.name, release]), ...set]);
          expect(isValid(whole, { ...world, wants: new Map(), present: [] })).toBe(true);
          for (const one of set.values()) there.set(one.name, one);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

/** How many versions the shortest way has, found by going every one; undefined where there is none. */
function shortestByBrute(target: Release, all: readonly Release[], standing: Release): number | undefined {
  if (!isBarred(target, standing)) return 2;
  const isSkippedBySome = (version: string): boolean =>
    all.some(({ upgrade: { skips = [] } = {} }) =>
      skips.some((one) => (one === '<1.2' ? compare(version, '1.2.0-0') < 0 : one === version)),
    );
  const counts = all
    .filter(
      (one) =>
        compare(one.version, standing.version) > 0 &&
        compare(one.version, target.version) < 0 &&
        !isSkippedBySome(one.version) &&
        !isBarred(one, standing),
    )
    .flatMap((one) => shortestByBrute(target, all, one) ?? []);
  return counts.length === 0 ? undefined : Math.min(...counts) + 1;
}
