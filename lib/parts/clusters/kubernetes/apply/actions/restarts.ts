import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import type { ForeseenChange } from '../../../../../kernel/plan/index.ts';
import { fieldAt, type LiveObject, textAt } from '../../server/index.ts';

/** Where workloads say how many Pods they have now, by `group/Kind` (apps/v1, batch/v1). */
const counts: Readonly<Record<string, string>> = {
  'apps/DaemonSet': 'currentNumberScheduled',
  'apps/Deployment': 'replicas',
  'apps/StatefulSet': 'replicas',
  'batch/Job': 'active',
};

/**
 * Returns how many Pods start again where an object changes: those of a workload whose template changes, unless it
 * leaves that to whoever deletes them (`OnDelete`); all of one that is made again. Undefined where none has to.
 */
export function restartsOf(
  live: LiveObject,
  changes: readonly ForeseenChange[],
  replaced: boolean,
): number | undefined {
  const type = `${groupOf(live)}/${live.kind}`;
  if (replaced && type === '/Pod') return 1;
  const field = counts[type];
  if (field === undefined) return undefined;
  const pods = fieldAt(live, 'status', field);
  const count = typeof pods === 'number' ? pods : 0;
  if (replaced) return count;
  const isRolled = changes.some(({ path }) => path === 'spec.template' || path.startsWith('spec.template.'));
  const isLeft = textAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  return isRolled && !isLeft && type !== 'batch/Job' ? count : undefined;
}
