import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import { type LiveObject, numberAt } from '../../server/index.ts';
import { byConditions } from './conditions.ts';
import { rules } from './kinds.ts';
import { type Readiness, type ReadinessContext, waiting } from './rule.ts';

export { readinessContext } from './context.ts';
export type { Readiness, ReadinessContext } from './rule.ts';
export {
  /** Says that an object is as it should be. */
  ready,
  /** Says that an object may still become ready by itself. */
  waiting,
} from './rule.ts';

/**
 * Judges how far an object has come, by the rules of kstatus (sigs.k8s.io/cli-utils). It differs from them where an
 * install needs that, and each rule says so: a Job has to complete, a crash is waited out, and what its author stopped
 * on purpose (a paused Deployment, a suspended Job) is ready. Pure, and never throws, whatever a controller wrote.
 */
export function readinessOf(object: LiveObject, context: ReadinessContext = {}): Readiness {
  if (object.metadata.deletionTimestamp) return { state: 'terminating', message: 'is being deleted' };
  const generation = numberAt(object, 'metadata', 'generation');
  const observed = numberAt(object, 'status', 'observedGeneration');
  if (generation !== undefined && observed !== undefined && observed < generation) {
    return waiting('its controller has not processed its newest version yet');
  }
  const rule = rules.get(`${groupOf(object)}/${object.kind}`) ?? byConditions;
  return rule(object, context);
}
