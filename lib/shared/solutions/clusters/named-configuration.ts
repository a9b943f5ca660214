import { nearest } from '../../../../formats/document/suggest.ts';
import { isInstanceOf } from '../../../../formats/solution/environments.ts';
import { type Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { ClusterTarget, Generation } from '../../../parts/clusters/index.ts';
import { nothingRemembered, solutionsOf } from './generations.ts';

/** A configuration that a name stands for, and which of its Solutions. */
export interface Named {
  readonly configuration: string;
  /** All of its generations that are remembered, the newest first. */
  readonly generations: readonly Generation[];
  /** The Solution, or the environment of one, that was named; undefined where that was the configuration. */
  readonly solution: string | undefined;
}

/**
 * Finds what a user names: a configuration, or else a Solution of the newest generations; without a name, all
 * configurations. Throws `solution-unknown` where nothing has that name, and `generation-absent` where nothing is
 * remembered at all.
 */
export async function findNamed(
  cluster: Pick<ClusterTarget, 'name' | 'configurations' | 'generations'>,
  name: string | undefined,
  flow: Flow,
): Promise<readonly Named[]> {
  const all: Named[] = [];
  for (const configuration of await cluster.configurations(flow)) {
    all.push({ configuration, generations: await cluster.generations(configuration, flow), solution: undefined });
  }
  if (all.length === 0) throw nothingRemembered(cluster.name);
  if (name === undefined) return all;
  const own = all.filter(({ configuration }) => configuration === name);
  if (own.length > 0) return own;
  const having = all.filter(({ generations: [newest] }) =>
    newest?.solutions.some((one) => isInstanceOf(one.name, name)),
  );
  if (having.length > 0) return having.map((one) => ({ ...one, solution: name }));
  throw nothingNamed(name, all);
}

/** Returns the error about a name that nothing has. */
export function nothingNamed(name: string, all: readonly Named[]): SolpackError {
  const there = all.map(({ configuration, generations: [newest] }) => {
    return `${configuration} (${solutionsOf(newest ?? { solutions: [] })})`;
  });
  const known = all.flatMap(({ configuration, generations: [newest] }) => [
    configuration,
    ...(newest?.solutions ?? []).map((one) => one.name),
  ]);
  const meant = nearest(name, known);
  return new SolpackError(
    'solution-unknown',
    name,
    `is neither a Solution nor a configuration of ${there.join('; ')}`,
    { hint: meant === undefined ? 'name one of these' : `did you mean ${meant}?` },
  );
}
