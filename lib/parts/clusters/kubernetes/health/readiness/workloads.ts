import {
  conditionOf,
  counted,
  fieldAt,
  hasCondition,
  type LiveObject,
  numberAt,
  saysOf,
  textAt,
} from '../../server/index.ts';
import { failed, type Rule, ready, waiting } from './rule.ts';

/**
 * Ready when every replica has the newest template and is available, and no older one is left. A paused Deployment is
 * ready, because its author stopped it on purpose.
 */
export const deployment: Rule = (object) => {
  const wanted = numberAt(object, 'spec', 'replicas') ?? 1;
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  if (unseen(object)) return waiting('its controller has not processed it yet');
  if (fieldAt(object, 'spec', 'paused') === true) return ready('is paused');
  const short =
    shortOf(wanted, count('updatedReplicas'), 'updated') ??
    kept(wanted, count('replicas'), count('unavailableReplicas')) ??
    tooMany(wanted, count('replicas')) ??
    shortOf(wanted, count('availableReplicas'), 'available');
  if (short === undefined) {
    // The controller updates its counts before its conditions; `kubectl rollout status` believes the conditions.
    return wanted === 0 || hasCondition(object, 'Available', 'True')
      ? ready(`${amount(wanted, wanted)} available`)
      : waiting('is not available yet');
  }
  const progressing = conditionOf(object, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return failed(`${short}, and its progress deadline has passed`);
  return waiting(short + refusal(object));
};

/**
 * Ready when every replica is available, and those from the partition on (all, if there is none) have the newest
 * revision. With `OnDelete` the user replaces Pods, so their revision does not count.
 */
export const statefulSet: Rule = (object) => {
  const wanted = numberAt(object, 'spec', 'replicas') ?? 1;
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  if (unseen(object)) return waiting('its controller has not processed it yet');
  const available = numberAt(object, 'status', 'availableReplicas') ?? count('readyReplicas');
  const byHand = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const partition = numberAt(object, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0;
  const toUpdate = byHand ? 0 : Math.max(0, wanted - partition);
  const short =
    tooMany(wanted, count('replicas')) ??
    shortOf(wanted, available, 'available') ??
    shortOf(toUpdate, count('updatedReplicas'), 'updated');
  if (short !== undefined) return waiting(short);
  const [current, update] = [textAt(object, 'status', 'currentRevision'), textAt(object, 'status', 'updateRevision')];
  if (!byHand && partition === 0 && wanted > 0 && current !== update) return waiting('its rollout is being concluded');
  return ready(`${amount(wanted, wanted)} available`);
};

/**
 * Ready when every node that should run a Pod runs one of the newest template (of any, with `OnDelete`), and it is
 * available.
 */
export const daemonSet: Rule = (object) => {
  const wanted = numberAt(object, 'status', 'desiredNumberScheduled');
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  if (unseen(object) || wanted === undefined) return waiting('its controller has not processed it yet');
  const byHand = textAt(object, 'spec', 'updateStrategy', 'type') === 'OnDelete';
  const short =
    (byHand ? undefined : shortOf(wanted, count('updatedNumberScheduled'), 'updated', 'Pod')) ??
    shortOf(wanted, count('numberAvailable'), 'available', 'Pod');
  if (short !== undefined) return waiting(short);
  return ready(wanted === 0 ? 'no node matches it' : `${amount(wanted, wanted, 'Pod')} available`);
};

/** Ready when every replica is available. For ReplicaSet, and for its predecessor ReplicationController. */
export const replicaSet: Rule = (object) => {
  const wanted = numberAt(object, 'spec', 'replicas') ?? 1;
  const count = (name: string): number => numberAt(object, 'status', name) ?? 0;
  if (unseen(object)) return waiting('its controller has not processed it yet');
  const short = tooMany(wanted, count('replicas')) ?? shortOf(wanted, count('availableReplicas'), 'available');
  return short === undefined ? ready(`${amount(wanted, wanted)} available`) : waiting(short + refusal(object));
};

/** Controllers of apps/v1 always state the generation that they have seen: counts without it mean nothing. */
function unseen(object: LiveObject): boolean {
  return numberAt(object, 'status', 'observedGeneration') === undefined;
}

function shortOf(wanted: number, found: number, state: string, noun?: string): string | undefined {
  return found < wanted ? `${amount(found, wanted, noun)} ${state}` : undefined;
}

function tooMany(wanted: number, found: number): string | undefined {
  return found > wanted ? `${counted(found - wanted, 'replica')} more than wanted, still to be removed` : undefined;
}

/** Describes old replicas that stay because the new ones are not available. */
function kept(wanted: number, found: number, unavailable: number): string | undefined {
  if (found <= wanted || unavailable === 0) return undefined;
  return `${unavailable} of ${counted(found, 'replica')} ${unavailable === 1 ? 'is' : 'are'} not available yet, so that an old one is kept`;
}

function amount(found: number, wanted: number, noun = 'replica'): string {
  return `${found} of ${counted(wanted, noun)} ${wanted === 1 ? 'is' : 'are'}`;
}

/** Returns why Pods cannot be created, where the controller says so. */
function refusal(object: LiveObject): string {
  const failure = conditionOf(object, 'ReplicaFailure');
  return failure?.status === 'True' ? `: ${saysOf(failure)}` : '';
}
