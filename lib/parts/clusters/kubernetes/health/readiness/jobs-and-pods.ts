import { hookOf } from '../../../../../../formats/manifest/hooks.ts';
import {
  conditionOf,
  counted,
  fieldAt,
  hasCondition,
  type LiveObject,
  listAt,
  numberAt,
  saysOf,
  textAt,
} from '../../server/index.ts';
import { failed, type Rule, ready, waiting } from './rule.ts';

/**
 * Ready when it has completed. kstatus calls a Job ready as soon as it has started, but an install wants its migration
 * done before it continues. A suspended Job is ready, because its author stopped it on purpose.
 */
export const job: Rule = (object) => {
  if (hasCondition(object, 'Complete', 'True')) return ready('has completed');
  for (const type of ['Failed', 'FailureTarget']) {
    const condition = conditionOf(object, type);
    if (condition?.status === 'True') return failed(`has failed: ${saysOf(condition)}`);
  }
  if (fieldAt(object, 'spec', 'suspend') === true) return ready('is suspended');
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  const wanted = numberAt(object, 'spec', 'completions') ?? numberAt(object, 'spec', 'parallelism') ?? 1;
  if (textAt(object, 'status', 'startTime') === '') return waiting('has not started yet');
  const failures = count('failed') === 0 ? '' : `, ${count('failed')} failed`;
  return waiting(`${count('succeeded')} of ${counted(wanted, 'completion')}, ${count('active')} active${failures}`);
};

/**
 * Ready when it can serve, or has ended well. A Pod whose container crashes is still waited for, because that may heal
 * (a database that comes up later), unless it never restarts its containers. A hook of a chart has to end, as with
 * Helm.
 */
export const pod: Rule = (object) => {
  const phase = textAt(object, 'status', 'phase');
  if (phase === 'Succeeded') return ready('has completed');
  if (phase === 'Failed') {
    const why = textAt(object, 'status', 'message') || textAt(object, 'status', 'reason');
    return failed(why === '' ? 'has failed' : `has failed: ${why}`);
  }
  if (hasCondition(object, 'Ready', 'True'))
    return hookOf(object) ? waiting('runs, and has to end') : ready('is ready');
  const ended = endedForGood(object);
  if (ended !== undefined) return failed(ended);
  const scheduled = conditionOf(object, 'PodScheduled');
  if (scheduled?.status === 'False') return waiting(`is not placed on a node: ${saysOf(scheduled)}`);
  const containers = listAt(object, 'status', 'containerStatuses');
  const reasons = containers.map((one) => textAt(one, 'state', 'waiting', 'reason')).filter((one) => one !== '');
  if (reasons.length > 0) return waiting([...new Set(reasons)].join(', '));
  return waiting(phase === 'Running' ? 'runs, but is not ready yet' : 'has not started yet');
};

/**
 * Describes what failed in a Pod that restarts nothing. Some containers have a restart rule of their own (KEP-5307).
 */
function endedForGood(object: LiveObject): string | undefined {
  if (textAt(object, 'spec', 'restartPolicy') !== 'Never') return undefined;
  const restarts = [...listAt(object, 'spec', 'containers'), ...listAt(object, 'spec', 'initContainers')]
    .filter((one) => fieldAt(one, 'restartPolicy') !== undefined || fieldAt(one, 'restartPolicyRules') !== undefined)
    .map((one) => textAt(one, 'name'));
  const statuses = [
    ...listAt(object, 'status', 'initContainerStatuses'),
    ...listAt(object, 'status', 'containerStatuses'),
  ];
  for (const status of statuses) {
    const code = numberAt(status, 'state', 'terminated', 'exitCode') ?? 0;
    const name = textAt(status, 'name');
    if (code !== 0 && !restarts.includes(name)) return `container ${name} has ended with exit code ${code} for good`;
  }
  return undefined;
}
