import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { groupOf } from '../../../formats/manifest/namespace.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/** Kinds by the order in which they are applied, as `group/Kind`; '*' stands for every kind that is not named. */
const phases: readonly (readonly string[])[] = [
  ['/Namespace'],
  ['apiextensions.k8s.io/CustomResourceDefinition'],
  ['/ServiceAccount', `${rbac}/ClusterRole`, `${rbac}/Role`],
  [`${rbac}/ClusterRoleBinding`, `${rbac}/RoleBinding`],
  [
    '/ConfigMap',
    '/LimitRange',
    '/ResourceQuota',
    '/Secret',
    'networking.k8s.io/NetworkPolicy',
    'node.k8s.io/RuntimeClass',
    'scheduling.k8s.io/PriorityClass',
  ],
  ['storage.k8s.io/CSIDriver', 'storage.k8s.io/StorageClass'],
  ['/PersistentVolume'],
  ['/PersistentVolumeClaim'],
  ['/Service'],
  [
    '/Pod',
    '/ReplicationController',
    'apps/DaemonSet',
    'apps/Deployment',
    'apps/ReplicaSet',
    'apps/StatefulSet',
    'batch/CronJob',
    'batch/Job',
  ],
  ['*'],
  // What may refuse objects comes after all that it could refuse, since what answers for it is not ready yet.
  [`${admission}/MutatingAdmissionPolicy`, `${admission}/ValidatingAdmissionPolicy`],
  [
    `${admission}/MutatingAdmissionPolicyBinding`,
    `${admission}/MutatingWebhookConfiguration`,
    `${admission}/ValidatingAdmissionPolicyBinding`,
    `${admission}/ValidatingWebhookConfiguration`,
  ],
];

const ranks = new Map(phases.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)));

/** Which phase an object is applied in, counted from 0. Removing goes the other way. */
export function phaseOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): number {
  return ranks.get(`${groupOf({ apiVersion })}/${kind}`) ?? ranks.get('*')!;
}

/** Namespaces and CustomResourceDefinitions: what other objects cannot be without. */
export function isFoundation(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return phaseOf(object) < 2;
}

/** Whether an object can refuse others, or what others are made of, once it is there. */
export function isGate(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return phaseOf(object) > ranks.get('*')!;
}

/** The order of application: by phase, and within one as they were stated. */
export function inPhases<T>(
  items: readonly T[],
  object: (item: T) => Pick<KubernetesObject, 'apiVersion' | 'kind'>,
): T[] {
  return items.toSorted((a, b) => phaseOf(object(a)) - phaseOf(object(b)));
}
