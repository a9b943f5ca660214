import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownMinors } from '../../../formats/kubernetes/minors.ts';
import { namespacedBy, servedByDefault } from '../../../formats/kubernetes/served.ts';
import { formatDocuments, type KubernetesObject, parseDocuments } from '../../../formats/manifest/documents.ts';
import { groupKindOf, mayLive, scopesOf, withNamespace } from '../../../formats/manifest/namespace.ts';
import { judged, ok, scratch } from '../../support/judges.ts';

const folder = scratch('namespace');
const object = (apiVersion: string, kind: string, name = 'a'): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name },
});
const definition = (group: string, kind: string, scope: string): KubernetesObject => ({
  ...object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', `${kind.toLowerCase()}s.${group}`),
  spec: { group, scope, names: { kind } },
});
/** The kinds of Kubernetes that live outside of namespaces. */
const wideKinds = (): { group: string; kind: string }[] => {
  const { oldest, newest } = knownMinors;
  const served = [oldest, newest].flatMap((minor) => servedByDefault(minor)).map((one) => one.split('/'));
  const kinds = new Set(
    served.flatMap((parts) =>
      /^[A-Z]/.test(parts.at(-1)!) ? [JSON.stringify([parts.length === 3 ? parts[0] : '', parts.at(-1)])] : [],
    ),
  );
  return [...kinds]
    .map((pair) => JSON.parse(pair) as [string, string])
    .flatMap(([group, kind]) => (namespacedBy(group, kind) === false ? [{ group, kind }] : []));
};
const namespaces = (objects: readonly KubernetesObject[]): unknown[] =>
  objects.map(({ metadata }) => metadata.namespace);

describe('withNamespace', () => {
  test('sets the namespace where there is none and one belongs, in a copy', () => {
    const given = object('v1', 'ConfigMap');
    const named = { ...given, metadata: { name: 'b', namespace: 'other' } };
    const objects = [given, named, object('v1', 'Namespace'), object('rbac.authorization.k8s.io/v1', 'ClusterRole')];
    expect(namespaces(withNamespace(objects, 'web'))).toEqual(['web', 'other', undefined, undefined]);
    expect(given.metadata.namespace).toBeUndefined();
  });

  test('learns the scope of custom resources from definitions, given or among the objects', () => {
    const custom = [
      object('example.com/v1', 'Wide'),
      object('example.com/v1', 'Narrow'),
      object('other.com/v1', 'Wide'),
    ];
    const wide = definition('example.com', 'Wide', 'Cluster');
    expect(namespaces(withNamespace([...custom, wide], 'web'))).toEqual([undefined, 'web', 'web', undefined]);
    expect(namespaces(withNamespace(custom, 'web', [wide]))).toEqual([undefined, 'web', 'web']);
    expect(namespaces(withNamespace(custom, 'web', [{ ...wide, spec: null }]))).toEqual(['web', 'web', 'web']);
  });

  test('believes a server about kinds that it knows, and definitions before it', () => {
    const objects = [
      object('example.com/v1', 'Wide'),
      object('example.com/v1', 'Unknown'),
      object('v1', 'Namespace'),
      object('v1', 'ConfigMap'),
      object('future.k8s.io/v1', 'Everywhere'),
    ];
    const asked: string[] = [];
    const known = new Map([
      ['example.com/Wide', true],
      ['future.k8s.io/Everywhere', false],
    ]);
    const server = (group: string, kind: string): boolean | undefined => {
      asked.push(`${group}/${kind}`);
      return known.get(`${group}/${kind}`);
    };
    expect(namespaces(withNamespace(objects, 'web', [], server))).toEqual(['web', 'web', undefined, 'web', undefined]);
    expect(asked).toContain('/Namespace');
    const wide = definition('example.com', 'Wide', 'Cluster');
    expect(namespaces(withNamespace(objects.slice(0, 1), 'web', [wide], server))).toEqual([undefined]);
  });

  test('takes no name that objects of JavaScript have for a group of Kubernetes', () => {
    const named = ['constructor', '__proto__', 'toString'].map((group) => object(`${group}/v1`, 'Web'));
    expect(namespaces(withNamespace(named, 'web'))).toEqual(['web', 'web', 'web']);
  });

  test('falls back to what it knows of Kubernetes where a server says nothing, but not where it does', () => {
    const node = object('v1', 'Node');
    expect(namespaces(withNamespace([node], 'web', [], () => undefined))).toEqual([undefined]);
    expect(namespaces(withNamespace([node], 'web', [], () => true))).toEqual(['web']);
  });

  judged(
    'leaves out all that kubectl leaves out, and nothing that it knows to be namespaced',
    ['kubectl'],
    async () => {
      const outside = [...wideKinds(), { group: 'security.openshift.io', kind: 'SecurityContextConstraints' }].map(
        ({ group, kind }) => object(group ? `${group}/v1` : 'v1', kind),
      );
      const inside = [
        ...['ConfigMap', 'Endpoints', 'Event', 'LimitRange', 'PersistentVolumeClaim', 'Pod', 'PodTemplate'],
        ...['ReplicationController', 'ResourceQuota', 'Secret', 'Service', 'ServiceAccount', 'apps/DaemonSet'],
        ...[
          'apps/Deployment',
          'apps/ReplicaSet',
          'apps/StatefulSet',
          'batch/CronJob',
          'batch/Job',
          'policy/PodDisruptionBudget',
        ],
        ...['coordination.k8s.io/Lease', 'discovery.k8s.io/EndpointSlice', 'networking.k8s.io/Ingress'],
        ...[
          'networking.k8s.io/NetworkPolicy',
          'rbac.authorization.k8s.io/Role',
          'rbac.authorization.k8s.io/RoleBinding',
        ],
        ...['storage.k8s.io/CSIStorageCapacity', 'authorization.k8s.io/LocalSubjectAccessReview', 'example.com/Custom'],
      ].map((one) => {
        const [kind, group] = one.split('/').reverse() as [string, string?];
        return object(group === undefined ? 'v1' : `${group}/v1`, kind);
      });
      writeFileSync(join(folder, 'objects.yaml'), formatDocuments([...outside, ...inside]));
      writeFileSync(join(folder, 'kustomization.yaml'), 'namespace: web\nresources: [objects.yaml]\n');
      const theirs = parseDocuments(await ok('kubectl', ['kustomize', folder]), 'kubectl');
      const free = (objects: readonly KubernetesObject[]): string[] =>
        objects.filter(({ metadata }) => metadata.namespace === undefined).map(({ kind }) => kind);
      const ours = free(withNamespace([...outside, ...inside], 'web'));
      expect(theirs).toHaveLength(outside.length + inside.length);
      expect(free(theirs).length).toBeGreaterThan(10);
      expect(free(theirs).filter((kind) => !ours.includes(kind))).toEqual([]);
      expect(ours).toEqual(outside.map(({ kind }) => kind));
    },
  );
});

test('kinds are written with their group and without their version', () => {
  expect(groupKindOf({ apiVersion: 'apps/v1', kind: 'Deployment' })).toBe('Deployment.apps');
  expect(groupKindOf({ apiVersion: 'v1', kind: 'Pod' })).toBe('Pod');
});

describe('an object may live', () => {
  const role = object('rbac.authorization.k8s.io/v1', 'ClusterRole');
  const wide = object('example.com/v1', 'Wide');
  const deployment = object('apps/v1', 'Deployment');
  const [within, outside] = [
    { within: true, outside: false },
    { within: false, outside: true },
  ];
  const cluster = definition('example.com', 'Wide', 'Cluster');

  test('where Kubernetes has its kind, whatever somebody defines', () => {
    const lies = scopesOf([
      definition('rbac.authorization.k8s.io', 'ClusterRole', 'Namespaced'),
      definition('apps', 'Deployment', 'Cluster'),
    ]);
    expect([mayLive(role, lies), mayLive(deployment, lies)]).toEqual([outside, within]);
    expect([mayLive(role, new Map()), mayLive(deployment, new Map())]).toEqual([outside, within]);
  });

  test('where its definition says, or the server, and in either where they do not agree', () => {
    expect(mayLive(wide, new Map())).toEqual(within);
    expect(mayLive(wide, scopesOf([cluster]))).toEqual(outside);
    expect(mayLive(wide, new Map(), () => false)).toEqual(outside);
    const both = { within: true, outside: true };
    expect(mayLive(wide, scopesOf([cluster]), () => true)).toEqual(both);
    expect(mayLive(wide, scopesOf([cluster, definition('example.com', 'Wide', 'Namespaced')]))).toEqual(both);
  });
});
