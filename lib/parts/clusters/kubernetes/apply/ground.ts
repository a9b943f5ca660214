import { exactJson } from '../../../../../formats/exact-json.ts';
import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import type { AppliedObject } from '../../kind.ts';
import type { PlannedObject, PlannedSolution } from '../desired/index.ts';
import { type ComponentCourse, type Watched, watchReadiness } from '../health/index.ts';
import type { Applying } from '../memory/index.ts';
import { definedKind, isDefinition, type LiveObject, untilServed } from '../server/index.ts';
import { isWaitedFor, putAll } from './put-all.ts';

/** The namespaces and CustomResourceDefinitions of a Solution, which the rest of it stands on. */
export interface Ground {
  /** Applies the namespaces among some of them, and keeps the definitions until `define`. */
  lay(foundation: readonly PlannedObject[]): Promise<AppliedObject[]>;
  /**
   * Applies the definitions that are kept, and does not wait for them. An API server is at work for seconds on large
   * ones, and slow to answer meanwhile: what needs none of them is better applied before.
   */
  define(): Promise<AppliedObject[]>;
  /**
   * Does the same, and resolves once all that was laid is ready, and the kinds are served that the Solution has objects
   * of. Throws `object-not-ready`.
   */
  settle(): Promise<AppliedObject[]>;
}

/** Makes the ground of a Solution. `live` gets each object as it is once it was applied. */
export function groundOf(
  solution: PlannedSolution,
  watched: Watched & { readonly course: ComponentCourse },
  live: Map<string, LiveObject>,
  session: Applying,
): Ground {
  const timeouts = new Map(solution.components.map(({ name, timeout }) => [name, timeout]));
  // Components are not ready because what they stand on is.
  const watch = watchReadiness({ ...watched, course: { ...watched.course, ready: () => undefined } }, session);
  const laid: PlannedObject[] = [];
  const kept: PlannedObject[] = [];
  const put = async (objects: readonly PlannedObject[], what: string): Promise<AppliedObject[]> => {
    if (objects.length === 0) return [];
    session.flow.onEvent({ type: 'step', step: 'apply', subject: `${solution.name} ${solution.version}, ${what}` });
    const applied = await putAll(objects, ({ component }) => timeouts.get(component)!, live, session);
    for (const [name, timeout] of timeouts) {
      const own = objects.filter((planned) => planned.component === name && isWaitedFor(planned, session));
      watch.add(name, own, timeout, live);
    }
    laid.push(...objects);
    return applied;
  };
  const define = (): Promise<AppliedObject[]> => put(largestFirst(kept.splice(0)), 'its definitions');
  return {
    define,
    lay: (foundation) => {
      kept.push(...foundation.filter(({ object }) => isDefinition(object)));
      return put(
        foundation.filter(({ object }) => !isDefinition(object)),
        'its namespaces',
      );
    },
    settle: async () => {
      const applied = await define();
      await watch.until();
      const changed = laid.splice(0).filter(({ key }) => !session.untouched.has(key));
      const defined = new Set(changed.map(({ object }) => definedKind(object)));
      const users = solution.components.flatMap(({ objects, timeout }) =>
        objects
          .map(({ name }) => ({ name, timeout }))
          .filter(({ name }) => defined.has(`${groupOf(name)}/${name.kind}`)),
      );
      if (changed.some(({ object }) => isDefinition(object))) await untilServed(users, session);
      return applied;
    },
  };
}

/** The largest take a server the longest: begun last, they would be waited for alone. */
function largestFirst(definitions: readonly PlannedObject[]): PlannedObject[] {
  return definitions
    .map((planned) => ({ planned, size: exactJson(planned.object).length }))
    .sort((a, b) => b.size - a.size)
    .map(({ planned }) => planned);
}
