import { groupOf } from '../../../formats/manifest/namespace.ts';
import type { AppliedObject } from '../kind.ts';
import type { LiveObject } from './api.ts';
import { type Watched, watchReadiness } from './await-ready.ts';
import type { Applying } from './ownership.ts';
import type { PlannedObject, PlannedSolution } from './plan.ts';
import type { ComponentCourse } from './progress/course.ts';
import { isWaitedFor, putAll } from './put-all.ts';
import { definedKind, isDefinition } from './scope.ts';
import { untilServed } from './until-served.ts';

/** The namespaces and CustomResourceDefinitions of a Solution, which the rest of it stands on. */
export interface Ground {
  /** Applies some of them, and does not wait for them. */
  lay(foundation: readonly PlannedObject[]): Promise<AppliedObject[]>;
  /**
   * Resolves once all that was laid is ready, and the kinds are served that the Solution has objects of. To get there takes an API
   * server seconds where definitions are large: what needs none of them is better applied meanwhile. Throws `object-not-ready`.
   */
  settle(): Promise<void>;
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
  return {
    lay: async (foundation) => {
      if (foundation.length === 0) return [];
      const subject = `${solution.name} ${solution.version}, what it stands on`;
      session.flow.onEvent({ type: 'step', step: 'apply', subject });
      const applied = await putAll(foundation, ({ component }) => timeouts.get(component)!, live, session);
      for (const [name, timeout] of timeouts) {
        const own = foundation.filter((planned) => planned.component === name && isWaitedFor(planned, session));
        watch.add(name, own, timeout, live);
      }
      laid.push(...foundation);
      return applied;
    },
    settle: async () => {
      await watch.until();
      const changed = laid.splice(0).filter(({ key }) => !session.untouched.has(key));
      const defined = new Set(changed.map(({ object }) => definedKind(object)));
      const users = solution.components.flatMap(({ objects, timeout }) =>
        objects
          .map(({ name }) => ({ name, timeout }))
          .filter(({ name }) => defined.has(`${groupOf(name)}/${name.kind}`)),
      );
      if (changed.some(({ object }) => isDefinition(object))) await untilServed(users, session);
    },
  };
}
