import { conditionOf, type LiveObject, listAt, textAt } from '../../server/index.ts';
import { type Cause, kubectl } from './cause.ts';
import { plainly } from './plain-words.ts';

/** Reasons why no node takes a Pod, in the words of the scheduler, and what helps. */
const advice: readonly (readonly [RegExp, string])[] = [
  [/persistentvolumeclaim "([^"]*)" not found/, 'add PersistentVolumeClaim $1 to this component or an earlier one'],
  [
    /unbound immediate PersistentVolumeClaims|didn't find available persistent volumes/,
    'its claims have no volume: see "kubectl get pvc", and give them a StorageClass or a PersistentVolume that fits',
  ],
  [/Insufficient ([a-z0-9./-]*[a-z0-9])/, 'lower its requests of $1, or give the node more $1'],
  [/Too many pods/, 'remove Pods that are not needed, or raise maxPods of the kubelet'],
  [/free ports/, 'another Pod has its hostPort: change one of the two'],
  [/untolerated taint/, 'give it a toleration for that taint, or remove the taint from the node'],
  [/affinity|selector/, 'label a node as its nodeSelector and affinity want it, or change those'],
  [/were unschedulable/, 'allow Pods on the node again: "kubectl uncordon NODE"'],
];

/** Explains why a Pod has no node; undefined where it has one, or soon will. `whose` names it in the cause. */
export function withoutNode(pod: LiveObject, whose: string): Cause | undefined {
  if (textAt(pod, 'spec', 'nodeName') !== '') return undefined;
  const scheduled = conditionOf(pod, 'PodScheduled');
  if (scheduled === undefined) return withoutScheduler(pod, whose);
  if (scheduled.status !== 'False') return undefined;
  if (scheduled.reason === 'SchedulingGated') {
    const gates = listAt(pod, 'spec', 'schedulingGates').map((gate) => textAt(gate, 'name'));
    return {
      cause: `${whose} is held back from nodes by its scheduling gates ${gates.join(', ')}`,
      hint: 'start the controller that removes them',
    };
  }
  const said = plainly(scheduled.message);
  const found = advice.map(([pattern, help]) => pattern.exec(said)?.[0].replace(pattern, help)).find(Boolean);
  return {
    cause: `${whose} cannot be placed on a node: ${said || scheduled.reason}`,
    hint: found ?? `"${kubectl(pod)} describe pod ${pod.metadata.name}" shows what the scheduler wants`,
  };
}

function withoutScheduler(pod: LiveObject, whose: string): Cause {
  const scheduler = textAt(pod, 'spec', 'schedulerName') || 'default-scheduler';
  return {
    cause: `${whose} waits for scheduler ${scheduler}, which has not looked at it`,
    hint: `start ${scheduler}, or correct schedulerName`,
    isPassing: true,
  };
}
