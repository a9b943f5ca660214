import type { Release } from '../solution/relations.ts';
import type { Ask } from './fact.ts';
import type { CandidatePackage } from './packages.ts';
import type { Providers } from './providers.ts';
import type { Choose, Value } from './search.ts';

/** What meets a need, the most wanted first. */
type Options = readonly Value[];

/**
 * Makes the choices of a world. What the configuration wants comes first, in order of names: what something else may
 * take the place of after all that is there in any case. Then each need of what is there, in the order in which it was
 * chosen: it is met by the first of its alternatives, of these by the Solution of that name before others by their
 * names, and of that in the highest version. Nothing that is not needed is chosen. What is `asked` for besides is met
 * last.
 */
export function walking<One extends Release>(
  packages: readonly CandidatePackage<One>[],
  providers: Providers,
  asked: readonly Ask[] = [],
): Choose {
  const all = packages.filter((one) => one.wanted !== undefined);
  // What environments share follows from what these are.
  const wanted = [...all.filter((one) => !one.sharedBy), ...all.filter((one) => one.sharedBy)];
  const isReplaced = ({ name, index }: CandidatePackage<One>): boolean =>
    [...providers.replacing(name).keys()].some((about) => about !== index && packages[about]!.wanted !== undefined);
  const roots = [...wanted.filter((one) => !isReplaced(one)), ...wanted.filter(isReplaced)];
  const first = [...roots, ...packages.filter(({ absent }) => absent === 0n)];
  const known = new Map<Release, readonly Options[]>();
  const needsOf = (release: Release): readonly Options[] => {
    const needs = known.get(release) ?? needsIn(release, packages, providers);
    known.set(release, needs);
    return needs;
  };
  const further = asked.map((ask) => optionsOf(ask, packages, providers));
  return (left) => {
    const chosen = new Map<number, bigint>();
    const queue: Release[] = [];
    const replaced: Options[] = [];
    /** Puts a value into the set; returns it where it has to be decided first. */
    const put = (about: number, bit: bigint): Value | undefined => {
      if (left(about) !== bit) return { about, bit };
      chosen.set(about, bit);
      const { name, releases } = packages[about]!;
      const release = releases[bit.toString(2).length - 1];
      if (release) queue.push(release);
      else replaced.push(optionsIn(providers.replacing(name)));
      return undefined;
    };
    const queued = function* (): Generator<Options> {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield* needsOf(next);
    };
    const needs = function* (): Generator<Options> {
      yield* replaced;
      yield* queued();
      for (const options of further) {
        yield options;
        yield* queued();
      }
    };
    for (const { index } of first) {
      const open = put(index, left(index) & -left(index));
      if (open) return open;
    }
    for (const options of needs()) {
      if (options.some(({ about, bit }) => chosen.get(about) === bit)) continue;
      const best = options.find(({ about, bit }) => !chosen.has(about) && (left(about) & bit) !== 0n);
      // What is there already may lack what it asks for.
      if (best === undefined) continue;
      const open = put(best.about, best.bit);
      if (open) return open;
    }
    return { values: packages.map(({ index, absent }) => chosen.get(index) ?? absent) };
  };
}

function needsIn<One extends Release>(
  { requires = {}, anyOf = [] }: Release,
  packages: readonly CandidatePackage<One>[],
  providers: Providers,
): Options[] {
  const meeting = ([name, range]: [string, string]): Options => optionsOf({ name, range }, packages, providers);
  return [...Object.entries(requires).map(meeting), ...anyOf.map((ranges) => Object.entries(ranges).flatMap(meeting))];
}

function optionsOf<One extends Release>(
  { name, range }: Ask,
  packages: readonly CandidatePackage<One>[],
  providers: Providers,
): Options {
  const met = [...providers.meeting(name, range)].sort(([a], [b]) => a - b);
  const named = met.filter(([about]) => packages[about]!.name === name);
  return optionsIn([...named, ...met.filter((one) => !named.includes(one))]);
}

function optionsIn(met: Iterable<readonly [number, bigint]>): Options {
  return [...met].flatMap(([about, bits]) => valuesOf(about, bits));
}

/** The single values in bits, the most wanted first. */
function valuesOf(about: number, bits: bigint): Value[] {
  const values: Value[] = [];
  for (let rest = bits; rest !== 0n; rest &= rest - 1n) values.push({ about, bit: rest & -rest });
  return values;
}
