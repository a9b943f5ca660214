import { pool } from '../../../../kernel/events/index.ts';
import type { AppliedObject } from '../../kind.ts';
import { isSteady, type PlannedObject, phaseOf } from '../desired/index.ts';
import type { Applying } from '../memory/index.ts';
import { type LiveObject, wordsOf } from '../server/index.ts';
import { applyObject } from './apply-object.ts';

/**
 * Applies objects phase by phase, those of a phase beside each other. `live` gets each as it then is. Throws what
 * `applyObject` throws.
 */
export async function putAll(
  objects: readonly PlannedObject[],
  timeoutOf: (planned: PlannedObject) => number,
  live: Map<string, LiveObject>,
  session: Applying,
): Promise<AppliedObject[]> {
  const done = new Map<PlannedObject, AppliedObject>();
  for (const phase of Map.groupBy(objects, ({ object }) => phaseOf(object)).values()) {
    await pool(phase, { signal: session.flow.signal }, async (planned, signal) => {
      const own = { ...session, flow: { ...session.flow, signal } };
      const { action, live: now } = await applyObject(planned, timeoutOf(planned), own);
      if (now !== undefined) live.set(planned.key, now);
      done.set(planned, { object: wordsOf(planned.name), action, component: planned.component });
    });
  }
  return objects.map((planned) => done.get(planned)!);
}

/** Decides whether an object may not be ready. What never changes by itself is, as it was applied. */
export function isWaitedFor({ key, name }: PlannedObject, { untouched }: Applying): boolean {
  return !untouched.has(key) || !isSteady(name);
}
