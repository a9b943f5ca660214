import { type BrokenAsk, brokenAsks } from '../../../formats/resolve/broken.ts';
import type { InstalledRelease } from '../../../formats/resolve/world.ts';
import { isInstanceOf } from '../../../formats/solution/environments.ts';
import type { Ranges, Relations } from '../../../formats/solution/relations.ts';
import type { InventoryEntry, RenderedSolution } from './kind.ts';

/** What a configuration is to have afterwards. */
export interface SetChange {
  readonly configuration: string;
  /** All of its Solutions that will be there. */
  readonly solutions: readonly Pick<RenderedSolution, 'name' | 'version' | 'relations'>[];
  /** Solutions that it takes from other configurations. Left out: none. */
  readonly takeOver?: readonly string[] | undefined;
}

/** Lists the Solutions of an inventory that were not removed. */
export function installedIn(
  inventory: readonly Pick<InventoryEntry, 'name' | 'version' | 'configuration' | 'state' | 'relations'>[],
): InstalledRelease[] {
  return inventory.flatMap(({ name, version, configuration, state, relations }) =>
    state === 'removed' ? [] : [{ release: { name, version, ...relations }, configuration }],
  );
}

/**
 * Finds what Solutions would not have any longer of what they ask for, were that of a configuration changed; `others`
 * is what the other configurations will have then, by default what they have `now`.
 */
export function brokenBy(
  { configuration, solutions, takeOver = [] }: SetChange,
  now: readonly InstalledRelease[],
  others: readonly InstalledRelease[] = now,
): readonly BrokenAsk[] {
  const own = solutions.map(({ name, version, relations }): InstalledRelease => {
    return { release: { name, version, ...relations }, configuration };
  });
  const staying = others.filter(
    ({ configuration: by, release: { name } }) =>
      by !== configuration &&
      !own.some((one) => one.release.name === name) &&
      !takeOver.some((taken) => isInstanceOf(name, taken)),
  );
  return brokenAsks(now, [...own, ...staying]);
}

/**
 * Leaves out what a cluster meets itself: kinds that it serves though no Solution brings them, which have no version.
 */
export function withoutServed<One extends Relations>(release: One, served: ReadonlySet<string>): One {
  const isServed = ([name, range]: readonly [string, string]): boolean => range === ANY && served.has(name);
  const rest = (ranges: Ranges): Ranges => Object.fromEntries(Object.entries(ranges).filter((one) => !isServed(one)));
  const { requires, anyOf } = release;
  return {
    ...release,
    ...(requires && { requires: rest(requires) }),
    ...(anyOf && { anyOf: anyOf.filter((ranges) => !Object.entries(ranges).some(isServed)) }),
  };
}

/** The range of any version. */
const ANY = '*';
