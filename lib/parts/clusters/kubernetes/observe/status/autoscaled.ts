import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import type { PlannedObject } from '../../desired/index.ts';
import { ApiError, type ApplySession, fieldAt, type LiveObject, textAt } from '../../server/index.ts';
import type { Drifted } from './drift.ts';

/** Decides whether a field of an object has drifted since an autoscaler may set it. */
export type IsAutoscaled = (planned: PlannedObject, drift: Drifted) => Promise<boolean>;

/** The autoscalers, what of them names their target, and which fields are theirs. */
const scalers = [
  {
    group: 'autoscaling',
    kind: 'HorizontalPodAutoscaler',
    target: ['spec', 'scaleTargetRef'],
    fields: /^spec\.replicas$/,
  },
  {
    group: 'autoscaling.k8s.io',
    kind: 'VerticalPodAutoscaler',
    target: ['spec', 'targetRef'],
    fields: /^spec\.template\.spec\.(?:initContainers|containers)[^.]*\.resources(?:\.|$)/,
  },
] as const;

/**
 * Judges fields by the autoscalers that a cluster has. They are listed when the first field is asked for that may be
 * theirs.
 */
export function autoscaling(session: ApplySession): IsAutoscaled {
  const listed = new Map<string, Promise<readonly LiveObject[]>>();
  return async ({ name, object }, { path, subresource, manager }) => {
    const scaler = scalers.find(({ fields }) => fields.test(path));
    if (scaler === undefined) return false;
    // Autoscalers of all kinds set replicas by the subresource that is for that, but so does a person with "kubectl
    // scale".
    if (subresource === 'scale' && manager !== null && !manager.startsWith('kubectl')) return true;
    const { group, kind, target } = scaler;
    const all = listed.get(kind) ?? list(group, kind, session);
    listed.set(kind, all);
    return (await all).some(
      (one) =>
        one.metadata.namespace === name.namespace &&
        textAt(one, ...target, 'kind') === object.kind &&
        textAt(one, ...target, 'name') === name.name &&
        groupOf({ apiVersion: String(fieldAt(one, ...target, 'apiVersion') ?? '') }) === groupOf(object),
    );
  };
}

async function list(
  group: string,
  kind: string,
  { api, flow: { signal } }: ApplySession,
): Promise<readonly LiveObject[]> {
  const resource = (await api.discover(signal)).preferred(group, kind);
  if (resource === undefined) return [];
  try {
    return await api.list(resource, {}, signal);
  } catch (error) {
    // If they may not be seen, more drift is reported, and never less.
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}
