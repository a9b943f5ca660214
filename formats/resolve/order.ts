import { byteOrder } from '../bytes.ts';

/** That one comes after another. */
export interface Precedence {
  readonly first: string;
  readonly next: string;
}

/** Names in an order, or those that have to come before each other. */
export type Ordered = { readonly order: readonly string[] } | { readonly circle: readonly string[] };

/**
 * Puts names into the one order in which each comes after what it has to come after, `strict` always, `loose` where
 * that is no circle, and those that may come in any order as `compare` says, by default by name. Returns those that
 * strictly have to come before each other, if there are any.
 */
export function orderNames(
  names: readonly string[],
  strict: readonly Precedence[],
  loose: readonly Precedence[] = [],
  compare: (a: string, b: string) => number = byteOrder,
): Ordered {
  const order: string[] = [];
  for (const group of groupsOf(names, [...strict, ...loose], compare)) {
    const within = ({ first, next }: Precedence): boolean => group.includes(first) && group.includes(next);
    const own = groupsOf(group, strict.filter(within), compare);
    const circle = own.find((one) => one.length > 1);
    if (circle) return { circle };
    order.push(...own.flat());
  }
  return { order };
}

/** Groups names that come before each other, in order. Each group is sorted. */
function groupsOf(
  names: readonly string[],
  edges: readonly Precedence[],
  compare: (a: string, b: string) => number,
): string[][] {
  const before = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  for (const { first, next } of edges) if (first !== next && before.has(first)) before.get(next)?.add(first);
  const ahead = new Map(names.map((name) => [name, reached(name, before)]));
  const open = new Set([...names].sort(compare));
  const groups: string[][] = [];
  const mutual = (name: string): string[] | undefined => {
    const needed = [...ahead.get(name)!].filter((one) => one !== name && open.has(one));
    return needed.every((one) => ahead.get(one)!.has(name)) ? [name, ...needed].sort(compare) : undefined;
  };
  while (open.size > 0) {
    for (const name of open) {
      const group = mutual(name);
      if (group === undefined) continue;
      groups.push(group);
      for (const one of group) open.delete(one);
      break;
    }
  }
  return groups;
}

/** All that comes before a name, directly or not. */
function reached(name: string, before: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [name];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const one of before.get(next) ?? []) {
      if (found.has(one)) continue;
      found.add(one);
      open.push(one);
    }
  }
  return found;
}
