import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import type { LiveObject, Resource } from '../../../lib/parts/clusters/kubernetes/server/api.ts';
import { fieldAt } from '../../../lib/parts/clusters/kubernetes/server/object-path.ts';

/** What the double knows of a kind of Kubernetes. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Whether its objects count their generations. */
  readonly counts: boolean;
}

const kind = (apiVersion: string, name: string, more: Partial<Kind> = {}): Kind => {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind: name, plural: `${name.toLowerCase()}s`, namespaced: true, counts: false, ...more };
};

/** A kind that is worked on by a controller, which says what it has seen of it. */
const worked = { counts: true };
const everywhere = { namespaced: false };

/** The kinds that every cluster of the double serves. A new one is one line here. */
const kinds: readonly Kind[] = [
  kind('v1', 'ConfigMap'),
  kind('v1', 'Namespace', everywhere),
  kind('v1', 'PersistentVolumeClaim'),
  kind('v1', 'Pod'),
  kind('v1', 'Secret'),
  kind('v1', 'Service'),
  kind('v1', 'ServiceAccount'),
  kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition', { ...everywhere, ...worked }),
  kind('apps/v1', 'Deployment', worked),
  kind('batch/v1', 'Job', worked),
  kind('coordination.k8s.io/v1', 'Lease'),
  kind('rbac.authorization.k8s.io/v1', 'ClusterRole', everywhere),
  kind('rbac.authorization.k8s.io/v1', 'Role'),
  kind('rbac.authorization.k8s.io/v1', 'RoleBinding'),
  kind('storage.k8s.io/v1', 'StorageClass', { ...everywhere, plural: 'storageclasses' }),
];

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** What every cluster of the double serves. */
export const builtIn: readonly Resource[] = kinds.map(({ counts: _, ...resource }) => ({ ...resource, verbs }));

/** Whether objects of a resource count their generations. */
export function countsGenerations({ group, kind: name }: Resource): boolean {
  return kinds.find((one) => one.group === group && one.kind === name)?.counts ?? true;
}

/** What a CustomResourceDefinition has served. */
export function definedBy(definition: LiveObject): Resource[] {
  const { group, names, scope, versions } = definition['spec'] as {
    group: string;
    names: { kind: string; plural: string };
    scope: string;
    versions: { name: string; served: boolean }[];
  };
  const served = versions.filter((version) => version.served);
  return served.map(({ name: version }) => ({ group, version, ...names, namespaced: scope === 'Namespaced', verbs }));
}

/** A field of an object that is not what it has to be: where, and what is said of it. */
export interface Wrong {
  readonly field: string;
  readonly message: string;
}

/** Fields that never change, by the kind of their object. */
const fixed: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Deployment: [['spec', 'selector']],
  Job: [['spec', 'template']],
};

/** The fields of an object that may not change, and would. */
export function changesFixed(before: LiveObject, after: KubernetesObject): Wrong[] {
  const differs = (...path: string[]): boolean => !isDeepStrictEqual(fieldAt(before, ...path), fieldAt(after, ...path));
  if (['ConfigMap', 'Secret'].includes(before.kind) && before['immutable'] === true && differs('data')) {
    return [{ field: 'data', message: 'Forbidden: field is immutable when `immutable` is set' }];
  }
  const paths = (fixed[before.kind] ?? []).filter((path) => differs(...path));
  return paths.map((path) => ({ field: path.join('.'), message: 'Invalid value: field is immutable' }));
}

/** The fields that a ConfigMap has; of other kinds nothing is known. */
const declared = ['apiVersion', 'binaryData', 'data', 'immutable', 'kind', 'metadata'];

/**
 * What of an object does not fit the schema of its kind, in the words of a server; undefined where nothing is known to.
 */
export function misfit(object: KubernetesObject): string | undefined {
  if (object.kind !== 'ConfigMap' || object.apiVersion !== 'v1') return undefined;
  const unknown = Object.keys(object).find((name) => !declared.includes(name));
  if (unknown !== undefined) return `.${unknown}: field not declared in schema`;
  const wrong = Object.entries(object['data'] ?? {}).find(([, value]) => typeof value !== 'string');
  return wrong && `.data.${wrong[0]}: expected string, got &value.valueUnstructured{Value:${wrong[1]}}`;
}
