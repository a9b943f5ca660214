import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { definition, stated } from '../../lib/parts/clusters/kubernetes/support.ts';

const empty = { annotations: {}, labels: null, finalizers: [], ownerReferences: null };
const labels = { app: 'every' };
const pod = { containers: [{ name: 'app', image: 'absent.solpack.test/app:1', resources: {}, securityContext: {} }] };
const workload = {
  replicas: 0,
  selector: { matchLabels: labels },
  template: { metadata: { ...empty, labels, creationTimestamp: null }, spec: pod },
  strategy: {},
};
const job = {
  suspend: true,
  template: { metadata: { ...empty, creationTimestamp: null }, spec: { ...pod, restartPolicy: 'Never' } },
};
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const request = { requests: [{ name: 'one', exactly: { deviceClassName: 'every' } }] };
const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }];
const subjects = [{ kind: 'ServiceAccount', name: 'every', namespace: 'every' }];
const hook = {
  name: 'every.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://127.0.0.1:1/' },
  rules: [{ apiGroups: ['none.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['nothing'] }],
};

type Stated = readonly [apiVersion: string, kind: string, more?: object, name?: string];

const namespaced: readonly Stated[] = [
  ['v1', 'ConfigMap', { data: {} }],
  ['v1', 'Endpoints', { subsets: [] }],
  ['v1', 'LimitRange', { spec: { limits: [{ type: 'PersistentVolumeClaim', max: { storage: '9Gi' } }] } }],
  ['v1', 'PersistentVolumeClaim', { spec: { ...claim, storageClassName: '', volumeName: 'every' }, status: {} }],
  ['v1', 'Pod', { spec: { ...pod, nodeSelector: {}, securityContext: {} }, status: {} }],
  ['v1', 'PodTemplate', { template: workload.template }],
  ['v1', 'ReplicationController', { spec: { replicas: 0, selector: labels, template: workload.template } }],
  ['v1', 'ResourceQuota', { spec: { hard: { pods: '100' } } }],
  ['v1', 'Secret', { stringData: { a: 'b' }, data: {} }],
  ['v1', 'Service', { spec: { selector: labels, ports: [{ port: 80 }] }, status: { loadBalancer: {} } }],
  ['v1', 'ServiceAccount', { secrets: [], imagePullSecrets: [] }],
  ['apps/v1', 'ControllerRevision', { revision: 1, data: { a: {} } }],
  ['apps/v1', 'DaemonSet', { spec: { selector: workload.selector, template: workload.template }, status: {} }],
  ['apps/v1', 'Deployment', { spec: workload, status: {} }],
  ['apps/v1', 'ReplicaSet', { spec: { ...workload, strategy: undefined } }],
  [
    'apps/v1',
    'StatefulSet',
    {
      spec: {
        ...{ ...workload, strategy: undefined, serviceName: 'every' },
        volumeClaimTemplates: [
          { metadata: { ...empty, name: 'data', creationTimestamp: null }, spec: claim, status: {} },
        ],
      },
    },
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'every' } } },
  ],
  ['batch/v1', 'CronJob', { spec: { schedule: '0 0 1 1 *', jobTemplate: { metadata: empty, spec: job } } }],
  ['batch/v1', 'Job', { spec: job }],
  ['coordination.k8s.io/v1', 'Lease', { spec: {} }],
  ['discovery.k8s.io/v1', 'EndpointSlice', { addressType: 'IPv4', endpoints: [], ports: [] }, 'every-slice'],
  [
    'networking.k8s.io/v1',
    'Ingress',
    { spec: { defaultBackend: { service: { name: 'every', port: { number: 80 } } } } },
  ],
  ['networking.k8s.io/v1', 'NetworkPolicy', { spec: { podSelector: {}, ingress: [{}] } }],
  ['policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1, selector: workload.selector } }],
  ['rbac.authorization.k8s.io/v1', 'Role', { rules }],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    { subjects, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'every' } },
  ],
  ['resource.k8s.io/v1', 'ResourceClaim', { spec: { devices: request } }],
  [
    'resource.k8s.io/v1',
    'ResourceClaimTemplate',
    { spec: { metadata: { annotations: {}, labels: null }, spec: { devices: request } } },
  ],
  ['storage.k8s.io/v1', 'CSIStorageCapacity', { storageClassName: 'every', nodeTopology: {} }],
  // Its schema says nothing, so that the server lists its fields in no fixed order.
  [
    'every.example.com/v1',
    'Every',
    { spec: { c: 1, a: { z: [1, { b: 2, a: 1 }], y: {}, x: null }, b: 'b', e: 1, d: 2, g: 3, f: 4 }, status: {} },
  ],
];

const clusterWide: readonly Stated[] = [
  ['v1', 'Namespace', { spec: {}, status: {} }],
  ['v1', 'PersistentVolume', { spec: { ...volume(), claimRef: { name: 'every', namespace: 'every' } } }],
  ['admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { webhooks: [hook] }],
  ['admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks: [hook] }],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    { spec: { matchConstraints: { resourceRules: hook.rules }, validations: [{ expression: 'true' }] } },
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'every', validationActions: ['Deny'] } },
  ],
  ['flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', { spec: { priorityLevelConfiguration: { name: 'every' } } }],
  [
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  ],
  ['networking.k8s.io/v1', 'IngressClass', { spec: { controller: 'example.com/every' } }],
  ['networking.k8s.io/v1', 'ServiceCIDR', { spec: { cidrs: ['198.51.100.0/24'] } }],
  ['node.k8s.io/v1', 'RuntimeClass', { handler: 'every' }],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', { rules }],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    { subjects, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'every' } },
  ],
  ['resource.k8s.io/v1', 'DeviceClass', { spec: {} }],
  ['scheduling.k8s.io/v1', 'PriorityClass', { value: 1 }],
  ['storage.k8s.io/v1', 'CSIDriver', { spec: {} }],
  ['storage.k8s.io/v1', 'StorageClass', { provisioner: 'example.com/every', parameters: {} }],
  ['storage.k8s.io/v1', 'VolumeAttributesClass', { driverName: 'every.example.com', parameters: { a: 'b' } }],
];

function volume(): object {
  return {
    ...{ accessModes: claim.accessModes, capacity: { storage: '1Gi' }, storageClassName: '' },
    ...{ persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: '/nowhere' } },
  };
}

/**
 * The kinds that a server serves and nobody ships, as `group/Kind`: what nodes, controllers and drivers make, and
 * requests of somebody.
 */
export const unshipped: ReadonlySet<string> = new Set([
  '/Event',
  '/Node',
  'apiregistration.k8s.io/APIService',
  'certificates.k8s.io/CertificateSigningRequest',
  'events.k8s.io/Event',
  'networking.k8s.io/IPAddress',
  'resource.k8s.io/ResourceSlice',
  'storage.k8s.io/CSINode',
  'storage.k8s.io/VolumeAttachment',
]);

/**
 * An object of every kind that a Solution ships, and a custom resource. Each has metadata that says nothing, also that
 * of its templates, and empty fields that a server or a controller fills.
 */
export function everyKind(): KubernetesObject[] {
  const { spec, ...rest } = definition('Every') as KubernetesObject & {
    readonly spec: { readonly versions: object[] };
  };
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const versions = spec.versions.map((version) => ({ ...version, storage: true, schema }));
  const one = ([apiVersion, kind, more, name = 'every']: Stated, place: string): KubernetesObject => {
    const object = stated(apiVersion, kind, `${place}${name}`, more);
    return JSON.parse(JSON.stringify({ ...object, metadata: { ...object.metadata, ...empty } })) as KubernetesObject;
  };
  const metadata = { name: 'everys.every.example.com', ...empty };
  const crd = { ...rest, spec: { ...spec, group: 'every.example.com', versions }, metadata };
  return [crd, ...clusterWide.map((each) => one(each, '')), ...namespaced.map((each) => one(each, 'every/'))];
}
