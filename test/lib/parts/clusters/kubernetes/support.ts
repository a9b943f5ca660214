import type { KubernetesObject } from '../../../../../formats/manifest/documents.ts';
import type { RenderedComponent, RenderedSolution } from '../../../../../lib/parts/clusters/kind.ts';
import {
  type ApplyPlan,
  type PlannedObject,
  planApply,
} from '../../../../../lib/parts/clusters/kubernetes/desired/plan.ts';
import {
  type Discovery,
  type LiveObject,
  nameOf,
  type Resource,
} from '../../../../../lib/parts/clusters/kubernetes/server/api.ts';

/** An object as manifests state it: `stated('apps/v1', 'Deployment', 'shop/web', { spec })`. */
export function stated(apiVersion: string, kind: string, place: string, more: object = {}): KubernetesObject {
  const [name = '', namespace] = place.split('/').reverse();
  return { apiVersion, kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) }, ...more };
}

/** A ConfigMap at `namespace/name`. */
export function map(place: string, value = '1', more: object = {}): KubernetesObject {
  return stated('v1', 'ConfigMap', place, { data: { value }, ...more });
}

/** An object as a server returns it, applied by solpack; `metadata` adds to that. */
export function live(object: KubernetesObject, metadata: Partial<LiveObject['metadata']> = {}): LiveObject {
  const { name, namespace } = nameOf(object);
  const own = { uid: `uid of ${object.kind} ${namespace}/${name}`, resourceVersion: '1' };
  const managedFields = [{ manager: 'solpack', operation: 'Apply' }];
  return { ...object, metadata: { ...object.metadata, ...own, managedFields, ...metadata } };
}

/**
 * The definition of a kind of example.com with those versions, the names of which end in `-` where they are not served.
 */
export function definition(kind: string, versions: readonly string[] = ['v1'], scope = 'Namespaced'): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`;
  return stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${plural}.example.com`, {
    spec: {
      group: 'example.com',
      names: { kind, plural },
      scope,
      versions: versions.map((name) => ({ name: name.replace('-', ''), served: !name.endsWith('-') })),
    },
  });
}

const kinds = [
  ['', 'v1', 'ConfigMap', true],
  ['', 'v1', 'Namespace', false],
  ['', 'v1', 'Secret', true],
  ['', 'v1', 'ServiceAccount', true],
  ['apiextensions.k8s.io', 'v1', 'CustomResourceDefinition', false],
  ['apps', 'v1', 'Deployment', true],
  ['autoscaling', 'v1', 'HorizontalPodAutoscaler', true],
  ['autoscaling', 'v2', 'HorizontalPodAutoscaler', true],
] as const;

const resources: readonly Resource[] = kinds.map(([group, version, kind, namespaced]) => {
  return { group, version, kind, plural: `${kind.toLowerCase()}s`, namespaced, verbs: ['get', 'list', 'delete'] };
});

/** What a server serves that knows a few kinds of Kubernetes. */
export const discovery: Discovery = {
  version: 'v1.35.4',
  resources,
  find: (apiVersion, kind) =>
    resources.find((one) => `${one.group}${one.group && '/'}${one.version}` === apiVersion && one.kind === kind),
  preferred: (group, kind) => resources.findLast((one) => one.group === group && one.kind === kind),
};

/** A component with those objects. */
export function component(name: string, ...objects: readonly KubernetesObject[]): RenderedComponent {
  return { name, objects, after: [], timeout: 1000 };
}

/** A Solution of version 1.0.0. */
export function solution(name: string, ...components: readonly RenderedComponent[]): RenderedSolution {
  return { name, version: '1.0.0', root: undefined, components };
}

/** The plan for those Solutions, of the configuration `here`. */
export function planned(...solutions: readonly RenderedSolution[]): ApplyPlan {
  return planApply({ configuration: 'here', solutions }, discovery);
}

/** Each object of a plan as a member of one Solution. */
export function members(...objects: readonly KubernetesObject[]): PlannedObject[] {
  return objects.map((object) => {
    const name = nameOf(object);
    return {
      key: `${object.kind} ${name.namespace}/${name.name}`,
      name,
      object,
      solution: 's',
      component: 'c',
      set: 'x',
    };
  });
}
