import { hookOf } from '../../../../../../formats/manifest/hooks.ts';
import { type ApplyPlan, objectKey, type PlannedHook, setOf } from '../../desired/index.ts';
import { type ApplySession, nameOf } from '../../server/index.ts';
import type { HookRecord } from './record.ts';
import type { HookRecords } from './records.ts';

/** A component that is removed. */
export interface Leaving {
  readonly solution: string;
  readonly component: string;
  readonly hooks: readonly PlannedHook[];
  record: HookRecord;
}

/** Lists the components that the configuration of a plan brought and no longer has, the last ones first. */
export function leavingOf({ configuration, solutions }: ApplyPlan, records: HookRecords): Leaving[] {
  return [...records].flatMap(([solution, components]) => {
    const kept = solutions.find(({ name }) => name === solution)?.components.map(({ name }) => name) ?? [];
    return [...components]
      .filter(([component, record]) => record.configuration === configuration && !kept.includes(component))
      .map(([component, record]) => ({ solution, component, record, hooks: plannedOf(solution, component, record) }))
      .reverse();
  });
}

function plannedOf(solution: string, component: string, { removal }: HookRecord): PlannedHook[] {
  return removal.flatMap((object) => {
    const hook = hookOf(object);
    const name = nameOf(object);
    if (hook === undefined) return [];
    return [{ key: objectKey(name), name, object, solution, component, set: setOf(solution), hook }];
  });
}

/** Returns the first namespace of hooks that is gone, or about to go; undefined where all are there. */
export async function whereGone(
  hooks: readonly PlannedHook[],
  { api, flow: { signal } }: ApplySession,
): Promise<string | undefined> {
  for (const namespace of new Set(hooks.flatMap(({ name }) => name.namespace ?? []))) {
    const live = await api.read({ apiVersion: 'v1', kind: 'Namespace', name: namespace }, signal);
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) return namespace;
  }
  return undefined;
}
