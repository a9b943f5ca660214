import type { KubernetesObject } from './documents.ts';

/** Kinds of Kubernetes itself (1.20 to 1.35) and of MicroShift that stand outside of namespaces, by API group. */
export const clusterScoped: Readonly<Record<string, readonly string[]>> = {
  '': ['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume'],
  'admissionregistration.k8s.io': [
    'MutatingAdmissionPolicy',
    'MutatingAdmissionPolicyBinding',
    'MutatingWebhookConfiguration',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io': ['CustomResourceDefinition'],
  'apiregistration.k8s.io': ['APIService'],
  'authentication.k8s.io': ['SelfSubjectReview', 'TokenReview'],
  'authorization.k8s.io': ['SelfSubjectAccessReview', 'SelfSubjectRulesReview', 'SubjectAccessReview'],
  'certificates.k8s.io': ['CertificateSigningRequest', 'ClusterTrustBundle'],
  'flowcontrol.apiserver.k8s.io': ['FlowSchema', 'PriorityLevelConfiguration'],
  'internal.apiserver.k8s.io': ['StorageVersion'],
  'networking.k8s.io': ['IPAddress', 'IngressClass', 'ServiceCIDR'],
  'node.k8s.io': ['RuntimeClass'],
  policy: ['PodSecurityPolicy'],
  'rbac.authorization.k8s.io': ['ClusterRole', 'ClusterRoleBinding'],
  'resource.k8s.io': ['DeviceClass', 'DeviceTaintRule', 'ResourceSlice'],
  'scheduling.k8s.io': ['PriorityClass'],
  'security.openshift.io': ['SecurityContextConstraints'],
  'storage.k8s.io': ['CSIDriver', 'CSINode', 'StorageClass', 'VolumeAttachment', 'VolumeAttributesClass'],
  'storagemigration.k8s.io': ['StorageVersionMigration'],
};

/** The API group of an object; '' is the core group. */
export function groupOf(object: KubernetesObject): string {
  const slash = object.apiVersion.indexOf('/');
  return slash < 0 ? '' : object.apiVersion.slice(0, slash);
}

/**
 * The same objects, `metadata.namespace` set to `namespace` on those that live in a namespace and name none. Whether a
 * kind does is taken from the CustomResourceDefinitions among `objects` and `definitions` (`spec.scope`), else from
 * `namespaced`, which is what a server says, else from Kubernetes' own kinds; any other kind is taken to be namespaced,
 * as kubectl's kustomize takes it.
 */
export function withNamespace(
  objects: readonly KubernetesObject[],
  namespace: string,
  definitions: readonly KubernetesObject[] = [],
  namespaced: (group: string, kind: string) => boolean | undefined = () => undefined,
): KubernetesObject[] {
  // What is about to be applied says how things will be; a server says how they are.
  const custom = new Map<string, boolean>();
  for (const object of [...definitions, ...objects]) {
    const scope = scopeOf(object);
    if (scope) custom.set(scope.key, scope.namespaced);
  }
  return objects.map((object) => {
    const group = groupOf(object);
    const within =
      custom.get(`${group}/${object.kind}`) ??
      namespaced(group, object.kind) ??
      !clusterScoped[group]?.includes(object.kind);
    if (!within || object.metadata.namespace !== undefined) return object;
    return { ...object, metadata: { ...object.metadata, namespace } };
  });
}

function scopeOf(object: KubernetesObject): { key: string; namespaced: boolean } | undefined {
  if (object.kind !== 'CustomResourceDefinition' || groupOf(object) !== 'apiextensions.k8s.io') return undefined;
  const spec = object['spec'] as { group?: unknown; scope?: unknown; names?: { kind?: unknown } } | null | undefined;
  const kind = spec?.names?.kind;
  if (typeof spec?.group !== 'string' || typeof kind !== 'string') return undefined;
  return { key: `${spec.group}/${kind}`, namespaced: spec.scope !== 'Cluster' };
}
