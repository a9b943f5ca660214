import type { Release } from '../solution/relations.ts';
import { resolveWorld } from './resolve.ts';
import type { NoSet, ResolvedSet, World } from './world.ts';

/** Most sets that one goes by. */
const MOST = 100;

/**
 * The sets by which one gets to what is wanted, each installed over the previous one; the last one is that, and there
 * is one at least.
 */
export type UpgradeCourse<One extends Release = Release> =
  | { readonly sets: readonly ResolvedSet<One>[] }
  | { readonly none: NoSet };

/**
 * Finds the way from what is there to what is wanted, where versions say over which others they may be installed: sets,
 * each of which may be installed over the previous one. In each, every Solution takes a step, or stays, as all others
 * allow. There is just one set where that is what is wanted already, or nothing leads on. Where what is wanted cannot
 * be reached, says why, as of the first step.
 */
export function upgradeCourse<One extends Release>(world: World<One>): UpgradeCourse<One> {
  const sets: ResolvedSet<One>[] = [];
  let at = world;
  while (sets.length < MOST) {
    const straight = resolveWorld(at);
    const isThere = 'set' in straight && !straight.set.heldBack.some(({ way }) => way && way.missing === undefined);
    if (isThere) return { sets: [...sets, straight.set] };
    const step = resolveWorld({ ...at, through: true });
    if ('none' in step || !isOther(step.set, at)) {
      if ('none' in straight) return straight;
      return { sets: [...sets, straight.set] };
    }
    sets.push(step.set);
    at = { ...at, present: after(step.set, at) };
  }
  const last = resolveWorld(at);
  return 'set' in last ? { sets: [...sets, last.set] } : last;
}

/** Whether a set has anything that is not there. */
function isOther({ members }: ResolvedSet, { present = [] }: World): boolean {
  const there = new Map(present.map(({ release }) => [release.name, release.version]));
  return members.some(({ release }) => there.get(release.name) !== release.version);
}

/** What is there once a set is installed. */
function after({ members }: ResolvedSet, { present = [] }: World): NonNullable<World['present']> {
  const brought = new Map(members.map(({ release }) => [release.name, release]));
  const staying = present.filter(({ release }) => !brought.has(release.name));
  return [...staying, ...[...brought.values()].map((release) => ({ release, configuration: '' }))];
}
