import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import type { ForeseenAction } from '../../../../../kernel/plan/index.ts';
import { ApiError, type ApplySession, type LiveObject, nameOf, orRefusal } from '../../server/index.ts';
import type { Leftover } from '../leftovers.ts';
import { aboutObject } from './objects.ts';

/**
 * Lists the claims that the API server deletes with objects that are removed, because these own them: those of a
 * StatefulSet whose `whenDeleted` says so, and those of custom resources. Where they may not be listed, none are known.
 */
export async function claimsGoingWith(going: readonly Leftover[], session: ApplySession): Promise<ForeseenAction[]> {
  const { api, flow } = session;
  const owners = going.filter(({ object }) => mayOwnClaims(object));
  const claims = (await api.discover(flow.signal)).find('v1', 'PersistentVolumeClaim');
  if (claims === undefined) return [];
  const actions: ForeseenAction[] = [];
  for (const namespace of new Set(owners.flatMap(({ object }) => object.metadata.namespace ?? []))) {
    const found = await orRefusal(() => api.list(claims, { namespace, metadata: true }, flow.signal), flow.signal);
    if (found instanceof ApiError) continue;
    for (const claim of found) {
      const { ownerReferences = [], uid, deletionTimestamp } = claim.metadata;
      const owner = owners.find(({ object }) => ownerReferences.some((one) => one.uid === object.metadata.uid));
      if (owner === undefined || deletionTimestamp !== undefined) continue;
      const { object, inventory } = owner;
      const about = aboutObject({ name: nameOf(claim), solution: inventory.solution });
      actions.push({
        ...about,
        uid,
        action: 'remove',
        reason: `it is removed with ${object.kind} ${object.metadata.name}`,
      });
    }
  }
  return actions;
}

/**
 * Whether claims may belong to an object: to a StatefulSet, or one of a kind that Kubernetes does not define itself.
 */
function mayOwnClaims({ apiVersion, kind }: LiveObject): boolean {
  const group = groupOf({ apiVersion });
  return (group === 'apps' && kind === 'StatefulSet') || (group.includes('.') && !group.endsWith('.k8s.io'));
}
