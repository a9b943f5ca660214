import { CelError } from './budget.ts';
import type { CelValue } from './values.ts';

/** The macros that go through a list, or through the keys of a map (cel-spec, "Macros"). */
const iterations = [
  'all',
  'exists',
  'exists_one',
  'existsOne',
  'map',
  'filter',
  'transformList',
  'transformMap',
] as const;

/** An element by its place or its key. */
export type CelEntry = readonly [key: CelValue, value: CelValue];

/** The name of such a macro. */
export type Iteration = (typeof iterations)[number];

/** Decides whether a name is one of a macro that goes through something. */
export function isIteration(name: string): name is Iteration {
  return (iterations as readonly string[]).includes(name);
}

/**
 * Decides whether such a macro, with so many parts, names two variables: a place and an element, or a key and a value.
 */
export function hasTwoVariables(name: Iteration, parts: number): boolean {
  if (name === 'transformList' || name === 'transformMap') return true;
  return name !== 'map' && name !== 'filter' && parts === 3;
}

/** Decides whether so many parts are too few for such a macro: the names of its variables alone, or not even these. */
export function lacksParts(name: Iteration, parts: number): boolean {
  return parts < (hasTwoVariables(name, parts) ? 3 : 2);
}

/** Goes through entries. `bodies` are the macro's parts behind the names of its variables. */
export function iterateEntries(
  name: Iteration,
  entries: readonly CelEntry[],
  bodies: readonly ((entry: CelEntry) => CelValue)[],
  truth: (value: CelValue) => boolean,
): CelValue {
  const [first, second] = bodies as [(entry: CelEntry) => CelValue, ((entry: CelEntry) => CelValue)?];
  const holds = (entry: CelEntry): boolean => truth(first(entry));
  if (name === 'all') return quantified(entries, holds, false);
  if (name === 'exists') return quantified(entries, holds, true);
  if (name !== 'transformList' && name !== 'transformMap') return entries.filter(holds).length === 1;
  const made = entries.flatMap((entry): CelEntry[] => {
    if (second === undefined) return [[entry[0], first(entry)]];
    return holds(entry) ? [[entry[0], second(entry)]] : [];
  });
  return name === 'transformMap' ? new Map(made) : made.map(([, value]) => value);
}

/** Goes through elements. `bodies` are the macro's parts behind the name of its variable. */
export function iterate(
  name: Iteration,
  elements: readonly CelValue[],
  bodies: readonly ((element: CelValue) => CelValue)[],
  truth: (value: CelValue) => boolean,
): CelValue {
  const first = bodies[0]!;
  const holds = (element: CelValue): boolean => truth(first(element));
  if (name === 'all') return quantified(elements, holds, false);
  if (name === 'exists') return quantified(elements, holds, true);
  if (name === 'filter') return elements.filter(holds);
  if (name === 'map') {
    const [, second] = bodies;
    return second === undefined ? elements.map(first) : elements.filter(holds).map(second);
  }
  return elements.filter(holds).length === 1;
}

/** An element that decides does so even where others have no value. */
function quantified<T>(elements: readonly T[], holds: (element: T) => boolean, decisive: boolean): boolean {
  let failure: CelError | undefined;
  for (const element of elements) {
    try {
      if (holds(element) === decisive) return decisive;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return !decisive;
}
