import type {
  Cause,
  ObjectEvidence,
} from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/cause.ts';
import { explain } from '../../../../../../../lib/parts/clusters/kubernetes/health/diagnose/explain.ts';
import type { LiveObject } from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { condition, live, type Parts } from '../readiness/object.ts';

/** A Deployment of one replica that is not there. */
export const deployment: LiveObject = live('apps/v1/Deployment', {
  spec: { replicas: 1 },
  status: { observedGeneration: 1, updatedReplicas: 1 },
});

/** A Pod of it, named `web-1`. */
export function podOf(parts: Parts): LiveObject {
  return live('v1/Pod', { ...parts, metadata: { name: 'web-1', uid: 'uid-pod', ...parts.metadata } });
}

/** A Pod of it with one container `app` in `state`. */
export function podIn(state: object, status: object = {}, spec: object = {}): LiveObject {
  return podOf({
    spec: { nodeName: 'node1', containers: [{ name: 'app', image: 'registry.example.com/app:1', ...spec }] },
    status: {
      phase: 'Running',
      conditions: [condition('PodScheduled', 'True'), condition('Ready', 'False', 'ContainersNotReady')],
      containerStatuses: [{ name: 'app', ready: false, started: false, restartCount: 0, state, ...status }],
    },
  });
}

/** An event of core/v1 about `about`, seen `second` seconds after midnight. */
export function event(
  about: LiveObject,
  reason: string,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): LiveObject {
  const { second = 0, container, ...fields } = more;
  const fieldPath = container === undefined ? {} : { fieldPath: `spec.containers{${container}}` };
  return {
    ...live('v1/Event'),
    type: 'Warning',
    reason,
    message,
    involvedObject: { uid: about.metadata.uid, ...fieldPath },
    lastTimestamp: `2030-01-01T00:00:${String(second).padStart(2, '0')}Z`,
    ...fields,
  };
}

/** Why `object` is not ready, by what was found about it. */
export function explained(object: LiveObject, found: Partial<Omit<ObjectEvidence, 'object'>> = {}): Cause {
  return explain({ object, between: [], pods: [], events: [], storageClass: undefined, ...found });
}

/** Why a Deployment is not ready whose only Pod is `pod`. */
export function explainedBy(pod: LiveObject, events: readonly LiveObject[] = []): Cause {
  return explained(deployment, { pods: [pod], events });
}
