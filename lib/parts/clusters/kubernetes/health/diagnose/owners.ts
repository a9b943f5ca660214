import { fieldAt, type LiveObject, textAt } from '../../server/index.ts';

/** Written by the Deployment controller to its ReplicaSets. */
const REVISION = 'deployment.kubernetes.io/revision';

/** Decides whether `owner` controls the object. */
export function ownedBy(object: LiveObject, owner: LiveObject): boolean {
  return object.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid) === true;
}

/** Returns the ReplicaSet of the newest revision; undefined where there is none. */
export function newestRevision(sets: readonly LiveObject[]): LiveObject | undefined {
  const revision = (set: LiveObject): number => Number(set.metadata.annotations?.[REVISION] ?? 0);
  return [...sets].sort((a, b) => revision(b) - revision(a))[0];
}

/** Returns a label selector for the Pods of a workload; '' where it names no labels. */
export function selectorOf(owner: LiveObject): string {
  const selector = fieldAt(owner, 'spec', 'selector');
  const labels = owner.kind === 'ReplicationController' ? selector : fieldAt(selector, 'matchLabels');
  return typeof labels === 'object' && labels !== null
    ? Object.entries(labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(',')
    : '';
}

/**
 * Sorts Pods by how much they explain: the newest first, those that have ended after them, and those that are being
 * deleted last.
 */
export function tellingFirst(pods: readonly LiveObject[]): LiveObject[] {
  const rank = (pod: LiveObject): number =>
    pod.metadata.deletionTimestamp ? 2 : textAt(pod, 'status', 'phase') === 'Failed' ? 1 : 0;
  const created = (pod: LiveObject): number => Date.parse(pod.metadata.creationTimestamp ?? '') || 0;
  return [...pods].sort((a, b) => rank(a) - rank(b) || created(b) - created(a));
}
