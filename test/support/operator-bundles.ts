import { stringify } from 'yaml';
import type { OperatorBundleFile } from '../../formats/bundle/files.ts';
import { utf8 } from '../../formats/bytes.ts';

/** The files of a bundle of an operator, by their paths. */
export type BundleTexts = Readonly<Record<string, string>>;

/** What of a bundle is another one than in the sample. */
export interface BundleChanges {
  /** Of the ClusterServiceVersion; undefined takes a field away. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** The strategy that the operator is installed by. */
  readonly strategy?: Readonly<Record<string, unknown>>;
  /** Supported install modes. */
  readonly modes?: readonly string[];
  /** Further files, or other ones; undefined takes one away. */
  readonly files?: Readonly<Record<string, string | undefined>>;
}

const all = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];

/** A Deployment as a bundle states it. */
export function bundleDeployment(name: string, changes: Readonly<Record<string, unknown>> = {}): unknown {
  const labels = { app: name };
  const container = {
    name: 'manager',
    image: 'registry.example.com/cache/operator:1.4.0',
    args: ['--leader-elect'],
    env: [
      {
        name: 'WATCH_NAMESPACE',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
      },
      { name: 'RELATED_IMAGE_CACHE', value: 'registry.example.com/cache/server:7.2.4' },
    ],
    resources: { limits: { cpu: '0.5', memory: '1024Mi' } },
  };
  return {
    name,
    label: { tier: 'operators' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: {},
      template: {
        metadata: { labels, annotations: { 'example.com/own': 'pods' } },
        spec: { serviceAccountName: 'cache-operator', containers: [container], ...changes },
      },
    },
  };
}

/** A CustomResourceDefinition. */
export function bundleDefinition(kind: string, group = 'cache.example.com'): Readonly<Record<string, unknown>> {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** A sound bundle of the format registry+v1, with some changes. */
export function operatorBundle(changes: BundleChanges = {}): Record<string, string> {
  const { spec = {}, annotations = {}, strategy = {}, modes = all, files = {} } = changes;
  const version = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: 'cache-operator.v1.4.0',
      annotations: { capabilities: 'Seamless <Upgrades> & more', ...annotations },
    },
    spec: {
      displayName: 'Cache',
      version: '1.4.0',
      minKubeVersion: '1.24.0',
      relatedImages: [{ name: 'cache', image: 'registry.example.com/cache/server:7.2.4' }],
      installModes: all.map((type) => ({ type, supported: modes.includes(type) })),
      customresourcedefinitions: { owned: [{ name: 'caches.cache.example.com', version: 'v1', kind: 'Cache' }] },
      install: {
        strategy: 'deployment',
        spec: {
          deployments: [bundleDeployment('cache-operator')],
          permissions: [
            {
              serviceAccountName: 'cache-operator',
              rules: [{ apiGroups: [''], resources: ['configmaps', 'secrets'], verbs: ['*'] }],
            },
          ],
          clusterPermissions: [
            {
              serviceAccountName: 'cache-operator',
              rules: [
                { apiGroups: ['cache.example.com'], resources: ['caches'], verbs: ['get', 'list'] },
                { nonResourceURLs: ['/metrics?<a>&b'], verbs: ['get'] },
              ],
            },
          ],
          ...strategy,
        },
      },
      ...spec,
    },
  };
  const texts: Record<string, string | undefined> = {
    'metadata/annotations.yaml': stringify({
      annotations: {
        'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
        'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
        'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
        'operators.operatorframework.io.bundle.package.v1': 'cache-operator',
        'operators.operatorframework.io.bundle.channels.v1': 'stable',
      },
    }),
    'manifests/cache-operator.clusterserviceversion.yaml': stringify(version),
    'manifests/cache.example.com_caches.yaml': stringify(bundleDefinition('Cache')),
    ...files,
  };
  const kept = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(kept);
}

/** The files of a bundle as they are parsed. */
export function bundleFiles(texts: BundleTexts): OperatorBundleFile[] {
  return Object.entries(texts).map(([path, text]) => ({ path, bytes: utf8(text) }));
}
