import { conditionOf, saysOf } from '../../server/index.ts';
import type { Cause, ObjectEvidence } from './cause.ts';
import { explainPod } from './pods.ts';
import { refusedPods } from './refusals.ts';

/** Explains why a Pod, or a workload that makes Pods, is not ready. */
export function explainWorkload(evidence: ObjectEvidence): Cause | undefined {
  const { object, pods, events } = evidence;
  for (const pod of pods) {
    const cause = explainPod(pod, events, pod.metadata.uid === object.metadata.uid);
    if (cause !== undefined) return cause;
  }
  return refusedPods(evidence) ?? (object.kind === 'Job' ? failedJob(evidence) : undefined);
}

/** Explains a failed Job whose Pods do not say why, or no longer exist. */
function failedJob({ object, pods }: ObjectEvidence): Cause | undefined {
  const failure = conditionOf(object, 'Failed') ?? conditionOf(object, 'FailureTarget');
  if (failure?.status !== 'True') return undefined;
  const late = failure.reason === 'DeadlineExceeded';
  const gone = pods.length === 0 ? ', and its Pods are gone with their logs' : '';
  return {
    cause: `${saysOf(failure)}${gone}`,
    hint: late
      ? 'raise its activeDeadlineSeconds, or make it faster'
      : 'set restartPolicy: Never in its template, which keeps its failed Pods and their logs, and install again',
  };
}
