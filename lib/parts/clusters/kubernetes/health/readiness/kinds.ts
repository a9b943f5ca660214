import { job, pod } from './jobs-and-pods.ts';
import { apiService, customResourceDefinition, namespace } from './registrations.ts';
import { present, type Rule } from './rule.ts';
import { service } from './services.ts';
import { claim, volume } from './storage.ts';
import { daemonSet, deployment, replicaSet, statefulSet } from './workloads.ts';

/** The kinds with a rule of their own, as `group/Kind`, in every version. A new one is one line here. */
export const rules: ReadonlyMap<string, Rule> = new Map([
  ['/Namespace', namespace],
  ['/PersistentVolume', volume],
  ['/PersistentVolumeClaim', claim],
  ['/Pod', pod],
  ['/ReplicationController', replicaSet],
  ['/Service', service],
  ['apiextensions.k8s.io/CustomResourceDefinition', customResourceDefinition],
  ['apiregistration.k8s.io/APIService', apiService],
  ['apps/DaemonSet', daemonSet],
  ['apps/Deployment', deployment],
  ['apps/ReplicaSet', replicaSet],
  ['apps/StatefulSet', statefulSet],
  ['batch/CronJob', present],
  ['batch/Job', job],
  ['networking.k8s.io/Ingress', present],
  ['policy/PodDisruptionBudget', present],
]);
