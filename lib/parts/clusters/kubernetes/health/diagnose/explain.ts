import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import { type LiveObject, listAt, textAt } from '../../server/index.ts';
import { readinessOf } from '../readiness/index.ts';
import { type Cause, lookAt, type ObjectEvidence } from './cause.ts';
import { explainClaim } from './claims.ts';
import { explainDeletion } from './deletion.ts';
import { explainApiService, explainDefinition } from './registrations.ts';
import { explainService } from './services.ts';
import { explainWorkload } from './workloads.ts';

/** Which function explains the objects of a kind, as `group/Kind`. A new one is one line here. */
const explainers: ReadonlyMap<string, (evidence: ObjectEvidence) => Cause | undefined> = new Map([
  ['/PersistentVolumeClaim', explainClaim],
  ['/Pod', explainWorkload],
  ['/ReplicationController', explainWorkload],
  ['/Service', explainService],
  ['apiextensions.k8s.io/CustomResourceDefinition', explainDefinition],
  ['apiregistration.k8s.io/APIService', explainApiService],
  ['apps/DaemonSet', explainWorkload],
  ['apps/Deployment', explainWorkload],
  ['apps/ReplicaSet', explainWorkload],
  ['apps/StatefulSet', explainWorkload],
  ['batch/Job', explainWorkload],
]);

/**
 * Explains why an object is not ready, from everything that was found about it. Pure; says less where less is known.
 */
export function explain(evidence: ObjectEvidence): Cause {
  const { object, storageClass, pods } = evidence;
  const { state, message } = readinessOf(object, typeof storageClass === 'object' ? { storageClass } : {});
  if (state === 'terminating') return explainDeletion(evidence);
  const explainer = explainers.get(`${groupOf(object)}/${object.kind}`);
  const [pod] = pods;
  return (
    explainer?.(evidence) ?? {
      cause:
        pod === undefined || pod.metadata.uid === object.metadata.uid
          ? message
          : `${message}; Pod ${pod.metadata.name} ${readinessOf(pod).message}`,
      hint: pod === undefined && explainer === undefined ? watcherOf(object) : lookAt(pod ?? object),
      ...(state === 'failed' ? {} : { isPassing: true as const }),
    }
  );
}

/** Names the controller of an object whose kind is not Kubernetes' own, where the managers of its status tell. */
function watcherOf(object: LiveObject): string {
  const written = listAt(object, 'metadata', 'managedFields').find((one) => textAt(one, 'subresource') === 'status');
  const manager = textAt(written, 'manager');
  return manager === ''
    ? `check that the controller of ${object.kind} runs, and read its log; ${lookAt(object)}`
    : `read the log of its controller (its field manager is "${manager}"); ${lookAt(object)}`;
}
