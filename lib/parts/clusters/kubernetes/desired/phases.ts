import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';

const rbac = 'rbac.authorization.k8s.io';
const admission = 'admissionregistration.k8s.io';

/**
 * Kinds in the order in which they are applied, as `group/Kind`; '*' stands for every kind that is not named.
 * Definitions may come later, before the first phase that may need them.
 */
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
  // What may refuse objects comes after all objects that it could refuse, because its own server is not ready yet.
  [`${admission}/MutatingAdmissionPolicy`, `${admission}/ValidatingAdmissionPolicy`],
  [
    `${admission}/MutatingAdmissionPolicyBinding`,
    `${admission}/MutatingWebhookConfiguration`,
    `${admission}/ValidatingAdmissionPolicyBinding`,
    `${admission}/ValidatingWebhookConfiguration`,
  ],
];

const ranks = new Map(phases.flatMap((kinds, rank) => kinds.map((kind) => [kind, rank] as const)));

/** The phases of namespaces, definitions, accounts, rights and configuration. */
const steady: ReadonlySet<number> = new Set([0, 1, 2, 3, 4, 5]);

/** Returns the phase in which an object is applied, counted from 0. Removal goes in the opposite order. */
export function phaseOf({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): number {
  return ranks.get(`${groupOf({ apiVersion })}/${kind}`) ?? ranks.get('*')!;
}

/** Decides whether an object is a Namespace or a CustomResourceDefinition, which other objects need. */
export function isFoundation(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return phaseOf(object) < 2;
}

/**
 * Decides whether an object may need kinds that definitions add: what runs programs, which may look for them, and what
 * is of no kind that is named here, or comes after that.
 */
export function needsGround(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return phaseOf(object) >= ranks.get('/Pod')!;
}

/** Decides whether an object is ready for as long as nobody changes it: no controller has to do something for it. */
export function isSteady({ apiVersion, kind }: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  const phase = phaseOf({ apiVersion, kind });
  return steady.has(phase) || isGate({ apiVersion, kind });
}

/** Decides whether an object, once it exists, can refuse or change others. */
export function isGate(object: Pick<KubernetesObject, 'apiVersion' | 'kind'>): boolean {
  return phaseOf(object) > ranks.get('*')!;
}

/** Sorts by phase, and keeps the stated order within each. */
export function inPhases<T>(
  items: readonly T[],
  object: (item: T) => Pick<KubernetesObject, 'apiVersion' | 'kind'>,
): T[] {
  return items.toSorted((a, b) => phaseOf(object(a)) - phaseOf(object(b)));
}
