import { conditionOf, type LiveObject, listAt, saysOf } from '../../server/index.ts';
import { type Cause, lookAt, type ObjectEvidence } from './cause.ts';

/** Finalizers of Kubernetes itself, and what each waits for. */
const known: ReadonlyMap<string, string> = new Map([
  ['customresourcecleanup.apiextensions.k8s.io', 'its custom resources have to be gone first'],
  ['foregroundDeletion', 'the objects that it owns have to be gone first'],
  ['kubernetes.io/pv-protection', 'a claim is still bound to it'],
  ['kubernetes.io/pvc-protection', 'a Pod still uses it'],
  ['service.kubernetes.io/load-balancer-cleanup', 'its load balancer has to be released first'],
]);

/**
 * Conditions with which a Namespace describes its content while it is being deleted (kube-controller-manager, namespace
 * controller).
 */
const remains = [
  'NamespaceFinalizersRemaining',
  'NamespaceContentRemaining',
  'NamespaceDeletionContentFailure',
  'NamespaceDeletionDiscoveryFailure',
  'NamespaceDeletionGroupVersionParsingFailure',
];

/** Explains why an object that is being deleted still exists. */
export function explainDeletion({ object }: ObjectEvidence): Cause {
  const finalizers = listAt(object, 'metadata', 'finalizers').filter((one) => typeof one === 'string');
  if (finalizers.length === 0) return content(object) ?? { cause: 'it is being deleted', hint: lookAt(object) };
  const reasons = finalizers.map((one) => known.get(one)).filter((one) => one !== undefined);
  const held = `it is being deleted, and held by finalizer${finalizers.length === 1 ? '' : 's'} ${finalizers.join(', ')}`;
  return {
    cause: reasons.length === 0 ? held : `${held}: ${reasons.join('; ')}`,
    hint:
      reasons.length === finalizers.length
        ? lookAt(object)
        : 'start the controller that removes them; only if it no longer exists, remove them by hand with "kubectl edit"',
  };
}

function content(object: LiveObject): Cause | undefined {
  const found = remains.map((type) => conditionOf(object, type)).find((condition) => condition?.status === 'True');
  if (found === undefined) return undefined;
  return {
    cause: `it is being deleted, and its contents still exist: ${saysOf(found)}`,
    hint: found.type.startsWith('NamespaceDeletion')
      ? 'find the unavailable API with "kubectl get apiservice": its objects cannot be listed'
      : `list what remains with "kubectl -n ${object.metadata.name} get KIND", and check its finalizers`,
  };
}
