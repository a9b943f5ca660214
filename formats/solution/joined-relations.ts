import type { Relations } from './relations.ts';
import { isInRange } from './wanted-version.ts';

/**
 * Puts what a definition says of relations together with what its components say about themselves. The definition's
 * word on a name counts before theirs, and what the Solution brings itself it does not ask for. `kinds` are those that
 * its objects define, as `group/version/Kind`; nobody says a version of these.
 */
export function joinedRelations(
  definition: Relations,
  components: readonly Relations[],
  kinds: readonly string[] = [],
): Relations {
  const provides: Record<string, string> = {
    ...Object.fromEntries(kinds.map((kind) => [kind, UNVERSIONED])),
    ...Object.assign({}, ...components.map((one) => one.provides)),
    ...definition.provides,
  };
  const isBrought = ([name, range]: [string, string]): boolean =>
    Object.hasOwn(provides, name) && (range === '*' || isInRange(provides[name]!, range));
  const all = (field: 'requires' | 'conflicts', joiner: (one: string, other: string) => string) => {
    const joined = new Map<string, string>();
    for (const [name, range] of components.flatMap((one) => Object.entries(one[field] ?? {}))) {
      if (field === 'requires' && isBrought([name, range])) continue;
      const before = joined.get(name);
      joined.set(name, before === undefined ? range : joiner(before, range));
    }
    return { ...Object.fromEntries(joined), ...definition[field] };
  };
  const own = components.flatMap(({ anyOf = [] }) => anyOf).filter((one) => !Object.entries(one).some(isBrought));
  return {
    ...definition,
    requires: all('requires', rangeOfBoth),
    conflicts: all('conflicts', rangeOfEither),
    anyOf: [...(definition.anyOf ?? []), ...own],
    provides,
  };
}

/** Meets every range that asks for any version. */
const UNVERSIONED = '0.0.0';

/** The range of what lies in both of two ranges. */
export function rangeOfBoth(one: string, other: string): string {
  if (one === '*' || one === other) return other;
  if (other === '*') return one;
  const parts = (range: string): string[] => range.split('||').map((part) => part.trim());
  return parts(one)
    .flatMap((part) => parts(other).map((more) => `${part} ${more}`))
    .join(' || ');
}

/** The range of what lies in one of two ranges. */
export function rangeOfEither(one: string, other: string): string {
  if (one === other || other === '*') return other;
  return one === '*' ? one : `${one} || ${other}`;
}
