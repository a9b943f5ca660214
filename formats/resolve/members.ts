import type { Ranges, Release } from '../solution/relations.ts';
import { orderNames } from './order.ts';
import { releasesOf, wantsOf } from './packages.ts';
import type { Chosen } from './recommend.ts';
import type { Searchable } from './searchable.ts';
import { heldBackOf } from './upgrade-facts.ts';
import type { Need, ReplacedWant, ResolvedSet, SetMember, UnmetRecommendation, World } from './world.ts';

/** Reports a set who is in it, who needs whom, and in which order they come. */
export function resolvedSetOf<One extends Release>(
  world: World<One>,
  { packages, providers }: Searchable<One>,
  { values, recommended }: Chosen,
): ResolvedSet<One> {
  const wants = wantsOf(world);
  const there = packages.filter(({ index, absent }) => values[index] !== absent);
  const meet = (name: string, range: string): string | undefined => {
    const meeting = providers.meeting(name, range);
    const met = there.filter(({ index }) => ((meeting.get(index) ?? 0n) & values[index]!) !== 0n);
    return (met.find((one) => one.name === name) ?? met[0])?.name;
  };
  const members = there.flatMap((one): SetMember<One>[] => {
    if (one.installedBy !== undefined) return [];
    const [release] = releasesOf(one, values[one.index]!) as One[];
    const why = one.wanted !== undefined ? 'wanted' : recommended.has(one.index) ? 'recommended' : 'required';
    return [{ release: release!, why, needs: needsOf(release!, meet) }];
  });
  const byName = new Map(members.map((member) => [member.release.name, member]));
  const edges = members.flatMap(({ release, needs }) => needs.map(({ by }) => ({ first: by, next: release.name })));
  const shared = there.flatMap(({ environmentOf: first, name: next }) =>
    first === undefined ? [] : [{ first, next }],
  );
  const ordered = orderNames([...byName.keys()], [], [...edges, ...shared]);
  const order = 'order' in ordered ? ordered.order : [...byName.keys()];
  return {
    members: order.map((name) => byName.get(name)!),
    installed: (world.installed ?? []).filter(({ release }) => !wants.has(release.name)),
    unmet: members.flatMap(({ release }) => unmetOf(release, meet)),
    replaced: packages.flatMap(({ index, name, absent, wanted }): ReplacedWant[] => {
      if (wanted === undefined || values[index] !== absent) return [];
      const replacing = providers.replacing(name);
      const instead = there.find((one) => ((replacing.get(one.index) ?? 0n) & values[one.index]!) !== 0n);
      return instead === undefined ? [] : [{ name, by: instead.name }];
    }),
    heldBack: there.flatMap((one) => heldBackOf(one, values[one.index]!)),
  };
}

type Meet = (name: string, range: string) => string | undefined;

function needsOf(release: Release, meet: Meet): Need[] {
  const needs = (kind: Need['kind'], ranges: Ranges | undefined): Need[] =>
    Object.entries(ranges ?? {}).flatMap(([name, range]) => {
      const by = meet(name, range);
      return by === undefined || by === release.name ? [] : [{ kind, name, range, by }];
    });
  const first = (release.anyOf ?? []).flatMap((ranges) => {
    const own = Object.entries(ranges).some(([name, range]) => meet(name, range) === release.name);
    return own ? [] : needs('any-of', ranges).slice(0, 1);
  });
  return [...needs('requires', release.requires), ...first, ...needs('recommends', release.recommends)];
}

function unmetOf({ name: of, recommends = {} }: Release, meet: Meet): UnmetRecommendation[] {
  return Object.entries(recommends).flatMap(([name, range]) =>
    meet(name, range) === undefined ? [{ of, name, range }] : [],
  );
}
