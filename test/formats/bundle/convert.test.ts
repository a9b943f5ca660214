import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { type ConversionOptions, convertBundle } from '../../../formats/bundle/convert.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import type { KubernetesObject } from '../../../formats/manifest/object.ts';
import { plant } from '../../lib/parts/components/support.ts';
import { judged, ok, run, scratch } from '../../support/judges.ts';
import {
  type BundleChanges,
  bundleDefinition,
  bundleDeployment,
  bundleFiles,
  operatorBundle,
} from '../../support/operator-bundles.ts';

const folder = scratch('bundle-convert');
const NAMESPACE = 'cache-system';

const objects = (changes: BundleChanges, options: Partial<ConversionOptions> = {}): KubernetesObject[] => {
  const bundle = readOperatorBundle(bundleFiles(operatorBundle(changes)));
  const given: ConversionOptions = { namespace: NAMESPACE, certificates: 'cert-manager', ...options };
  return convertBundle(bundle, given).map(({ object }) => object);
};

const refusal = (changes: BundleChanges, options: Partial<ConversionOptions> = {}): string => {
  try {
    objects(changes, options);
  } catch (error) {
    expect(error).toMatchObject({ name: 'FormatError', code: 'operator-bundle-invalid' });
    return (error as Error).message;
  }
  throw new Error('was not refused');
};

/** Writes objects as the types of Go have them: what these know of their fields, quantities in one form, in order. */
async function typed(list: string): Promise<string[]> {
  const all = JSON.parse(await ok('olm-converter', ['--types'], { input: list })) as KubernetesObject[];
  return all.map((object) => JSON.stringify(inOrder(withoutPlace(object)))).sort();
}

/** The converter names a namespace for configurations of webhooks, which have none, and null for no rules. */
function withoutPlace(object: KubernetesObject): KubernetesObject {
  if (object['rules'] === null) return { ...object, rules: [] };
  if (!object.kind.endsWith('WebhookConfiguration')) return object;
  const { namespace: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, inOrder(one)]));
}

const webhook = (type: string, changes: Readonly<Record<string, unknown>> = {}): unknown => ({
  type: `${type}AdmissionWebhook`,
  generateName: 'vcache.example.com',
  deploymentName: 'cache-operator',
  containerPort: 443,
  targetPort: 9443,
  webhookPath: '/validate',
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  sideEffects: 'None',
  timeoutSeconds: 7,
  admissionReviewVersions: ['v1'],
  objectSelector: { matchLabels: { checked: 'always' } },
  rules: [{ apiGroups: ['cache.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['caches'] }],
  ...changes,
});

const conversion = { type: 'ConversionWebhook', generateName: 'c.example.com', deploymentName: 'cache-operator' };
const converting = {
  ...conversion,
  containerPort: 443,
  conversionCRDs: ['caches.cache.example.com'],
  admissionReviewVersions: ['v1', 'v1beta1'],
  sideEffects: 'None',
};

const mounted = bundleDeployment('cache-operator', {
  volumes: [
    { name: 'webhook-cert', emptyDir: {} },
    { name: 'own-certs', secret: { secretName: 'mine' } },
    { name: 'data', emptyDir: {} },
  ],
  containers: [
    {
      name: 'manager',
      image: 'registry.example.com/cache/operator:1.4.0',
      volumeMounts: [
        { name: 'own-certs', mountPath: '/tmp/k8s-webhook-server/serving-certs' },
        { name: 'data', mountPath: '/data' },
      ],
    },
    { name: 'proxy', image: 'registry.example.com/cache/proxy:1.0.0' },
  ],
});

const extras = {
  'manifests/all.yaml': [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'settings', namespace: 'elsewhere' },
      data: { a: '{{ b }}' },
    },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'viewer' }, rules: [] },
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 10 },
    { apiVersion: 'monitoring.coreos.com/v1', kind: 'ServiceMonitor', metadata: { name: 'm' }, spec: { odd: null } },
  ]
    .map((one) => `---\n${stringify(one)}`)
    .join(''),
  'manifests/list.json': JSON.stringify({
    apiVersion: 'v1',
    kind: 'List',
    items: [
      bundleDefinition('Mirror'),
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } },
    ],
  }),
};

const properties = {
  'metadata/properties.yaml': stringify({
    properties: [{ type: 'olm.maxOpenShiftVersion', value: { z: 1, a: ['<b>'], m: 'x & y' } }],
  }),
};

const shapes: Readonly<Record<string, BundleChanges>> = {
  'a plain operator': {},
  'extra objects, lists and JSON': { files: extras },
  'properties in a file': { files: properties },
  'properties in a file and in an annotation': {
    files: properties,
    annotations: { 'olm.properties': '[{"type": "a", "value": {"b": 1.5, "a": "<"}}]' },
  },
  'no rights at all': { strategy: { permissions: undefined, clusterPermissions: undefined } },
  'the service account that is there anyway': {
    strategy: {
      permissions: [
        { serviceAccountName: 'default', rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] },
      ],
      clusterPermissions: [{ serviceAccountName: '', rules: [] }],
    },
  },
  'two service accounts, with names of resources': {
    strategy: {
      permissions: [
        {
          serviceAccountName: 'a',
          rules: [{ verbs: ['get'], resources: ['pods'], apiGroups: [], resourceNames: ['x'] }],
        },
        { serviceAccountName: 'b', rules: [] },
        { serviceAccountName: 'a' },
      ],
    },
  },
  'several Deployments': {
    strategy: { deployments: [bundleDeployment('one'), bundleDeployment('two.dotted.name')] },
  },
  'annotations and labels that are empty': {
    files: {
      'manifests/cache-operator.clusterserviceversion.yaml': operatorBundle()[
        'manifests/cache-operator.clusterserviceversion.yaml'
      ]!.replace('    capabilities:', '    support:\n    capabilities:'),
    },
  },
  'keys that stand twice': {
    files: {
      'manifests/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {a: b}\n  labels: {c: d}\ndata: {a: b}\n',
    },
  },
  'rights of a long name': {
    strategy: { permissions: [{ serviceAccountName: 'a'.repeat(60), rules: [{ verbs: ['get'] }] }] },
  },
};

const watches: readonly (readonly string[])[] = [[''], [NAMESPACE], ['left'], ['left', 'right']];

const webhooks: Readonly<Record<string, BundleChanges>> = {
  'webhooks of every kind': {
    modes: ['AllNamespaces'],
    spec: {
      webhookdefinitions: [
        webhook('Validating'),
        webhook('Mutating', { generateName: 'mcache.example.com', reinvocationPolicy: 'IfNeeded', targetPort: 'hook' }),
        converting,
      ],
    },
  },
  'certificates in the place of what was mounted': {
    spec: { webhookdefinitions: [webhook('Validating')] },
    strategy: { deployments: [mounted, bundleDeployment('other')] },
  },
  'webhooks on several ports of a Deployment with dots': {
    spec: {
      webhookdefinitions: [
        webhook('Validating', { deploymentName: 'op.dotted', containerPort: 8443, targetPort: undefined }),
        webhook('Mutating', { deploymentName: 'op.dotted', webhookPath: undefined, rules: undefined }),
        webhook('Mutating', { deploymentName: `other-${'x'.repeat(60)}`, generateName: 'b.example.com' }),
      ],
    },
    strategy: { deployments: [bundleDeployment('op.dotted'), bundleDeployment(`other-${'x'.repeat(60)}`)] },
  },
};

for (const [name, changes] of Object.entries({ ...shapes, ...webhooks })) {
  judged(`makes the objects that OLM's converter makes: ${name}`, ['olm-converter'], async () => {
    const at = plant(join(folder, name), operatorBundle(changes));
    const everywhere = changes.modes !== undefined;
    for (const watched of everywhere ? watches.slice(0, 1) : watches) {
      const wish = watched[0] === '' ? { installMode: 'AllNamespaces' as const } : { watchNamespaces: watched };
      const ours = await typed(JSON.stringify(objects(changes, wish)));
      const flags = [`--namespace=${NAMESPACE}`, `--watch=${watched.join(',')}`, '--cert-manager', at];
      expect(ours, watched.join()).toEqual(await typed(await ok('olm-converter', flags)));
    }
  });
}

const settings = {
  env: [
    { name: 'RELATED_IMAGE_CACHE', value: 'other' },
    { name: 'HTTP_PROXY', value: 'http://proxy' },
  ],
  envFrom: [{ configMapRef: { name: 'more' } }, { configMapRef: { name: 'more' } }],
  volumes: [
    { name: 'data', configMap: { name: 'settings' } },
    { name: 'more', emptyDir: {} },
  ],
  volumeMounts: [{ name: 'data', mountPath: '/other' }],
  tolerations: [{ key: 'edge', operator: 'Exists' }],
  resources: { requests: { cpu: '100m' } },
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  affinity: {
    nodeAffinity: {},
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } },
      ],
    },
  },
  annotations: { 'example.com/own': 'site', 'example.com/site': 'site' },
};

judged('sets for Deployments what a site sets, as OLM does', ['olm-converter'], async () => {
  const nodes = { nodeSelectorTerms: [{ matchExpressions: [{ key: 'k', operator: 'Exists' }] }] };
  const placed = { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: nodes } } };
  const deployments = [mounted, bundleDeployment('placed', placed)];
  const changes = { strategy: { deployments } };
  const at = plant(join(folder, 'settings'), operatorBundle(changes));
  for (const one of [settings, { affinity: {} }, { affinity: { nodeAffinity: {} } }, {}]) {
    const ours = await typed(JSON.stringify(objects(changes, { settings: one })));
    const flags = [`--namespace=${NAMESPACE}`, `--deployment-config=${JSON.stringify(one)}`, '--cert-manager', at];
    expect(ours).toEqual(await typed(await ok('olm-converter', flags)));
  }
});

const deployment = 'cache-operator';
const forbidden = (rule: unknown): BundleChanges => ({
  spec: { webhookdefinitions: [webhook('Validating', { rules: [rule] })] },
});

/** Bundles that nobody can install, with what is said of each. */
const bad: readonly (readonly [string, BundleChanges, RegExp])[] = [
  [
    'two Deployments of one name',
    { strategy: { deployments: [bundleDeployment(deployment), bundleDeployment(deployment)] } },
    /^has two Deployments named cache-operator$/,
  ],
  [
    'a Deployment of a bad name',
    { strategy: { deployments: [bundleDeployment('A_b')] } },
    /named "A_b", which is not a valid name in Kubernetes/,
  ],
  ['a definition twice', { files: { 'manifests/b.yaml': stringify(bundleDefinition('Cache')) } }, /^has two CustomRes/],
  [
    'an owned definition that is missing',
    { files: { 'manifests/cache.example.com_caches.yaml': undefined } },
    /^owns caches\.cache\.example\.com, but has no/,
  ],
  [
    'a kind that is not allowed',
    { files: { 'manifests/b.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: own}\n' } },
    /^manifests\/b\.yaml:1 states a Deployment named own, a kind that no registry\+v1 bundle may hold$/,
  ],
  [
    'a webhook of a Deployment that is missing',
    { spec: { webhookdefinitions: [webhook('Validating', { deploymentName: 'gone' })] } },
    /is served by the Deployment "gone", which it does not have$/,
  ],
  [
    'two webhooks of one name',
    { spec: { webhookdefinitions: [webhook('Validating'), webhook('Validating')] } },
    /^has two webhooks: the ValidatingAdmissionWebhook vcache\.example\.com$/,
  ],
  [
    'a webhook of a bad name',
    { spec: { webhookdefinitions: [webhook('Validating', { generateName: 'A b' })] } },
    /A b has no name of Kubernetes$/,
  ],
  [
    'a webhook for all groups',
    forbidden({ apiGroups: ['*'], resources: ['x'] }),
    /may not have a rule for the API group "\*"$/,
  ],
  [
    'a webhook for webhooks',
    forbidden({ apiGroups: ['admissionregistration.k8s.io'], resources: ['MutatingWebhookConfigurations'] }),
    /may not have a rule for MutatingWebhookConfigurations of/,
  ],
  [
    'conversion in some namespaces only',
    { spec: { webhookdefinitions: [converting] } },
    /needs AllNamespaces as the only/,
  ],
  [
    'conversion of what is not owned',
    {
      modes: ['AllNamespaces'],
      spec: { webhookdefinitions: [{ ...converting, conversionCRDs: ['b.example.com'] }] },
    },
    /is for b\.example\.com, which it does not own$/,
  ],
  [
    'two conversions of one definition',
    {
      modes: ['AllNamespaces'],
      spec: { webhookdefinitions: [converting, { ...converting, generateName: 'd.example.com' }] },
    },
    /^several webhooks convert caches\.cache\.example\.com$/,
  ],
  ['a file that is not a manifest', { files: { 'manifests/.gitignore': '*.bak\n' } }, /^manifests\/\.gitignore:1:1: /],
  [
    'no ClusterServiceVersion',
    { files: { 'manifests/cache-operator.clusterserviceversion.yaml': undefined } },
    /^has no Cl/,
  ],
  ['no metadata', { files: { 'metadata/annotations.yaml': undefined } }, /^has no metadata\/annotations\.yaml$/],
  ['no package', { files: { 'metadata/annotations.yaml': 'annotations: {}\n' } }, /^does not name its package/],
];

for (const [name, changes, words] of bad) {
  judged(`refuses what OLM's converter refuses, and says why: ${name}`, ['olm-converter'], async () => {
    expect(messageOf(changes)).toMatch(words);
    const at = plant(join(folder, 'bad', name), operatorBundle(changes));
    const { code } = await run('olm-converter', [`--namespace=${NAMESPACE}`, '--cert-manager', at]);
    expect(code).toBe(1);
  });
}

function messageOf(changes: BundleChanges): string {
  try {
    objects(changes);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('was not refused');
}

test('refuses by name the webhooks of a bundle where nobody makes certificates', () => {
  const changes = { spec: { webhookdefinitions: [webhook('Validating'), webhook('Mutating')] } };
  expect(refusal(changes, { certificates: undefined })).toBe(
    'has webhooks, but nothing that makes certificates for them: set certificates = "cert-manager" if the clusters that it ' +
      'goes to have cert-manager (webhooks: ValidatingAdmissionWebhook vcache.example.com, MutatingAdmissionWebhook ' +
      'vcache.example.com)',
  );
});

test('refuses APIServices, which OLM 1 refuses as well, and definitions that Kubernetes no longer serves', () => {
  const service = { name: 'v1.api.example.com', group: 'api.example.com', version: 'v1', kind: 'Api' };
  expect(refusal({ spec: { apiservicedefinitions: { owned: [service] } } })).toBe(
    'owns APIServices, which are not supported: v1.api.example.com',
  );
  const old = { ...bundleDefinition('Cache'), apiVersion: 'apiextensions.k8s.io/v1beta1' };
  expect(refusal({ files: { 'manifests/cache.example.com_caches.yaml': stringify(old) } })).toBe(
    'has caches.cache.example.com as apiextensions.k8s.io/v1beta1, which Kubernetes no longer serves',
  );
});

test('takes the port that the definition of bundles has where a webhook names none, since 0 is refused everywhere', () => {
  const changes = { spec: { webhookdefinitions: [webhook('Validating', { containerPort: undefined })] } };
  const [configuration] = objects(changes).filter(({ kind }) => kind === 'ValidatingWebhookConfiguration');
  expect(configuration).toMatchObject({ webhooks: [{ clientConfig: { service: { port: 443 } } }] });
});

test.each([
  ['preserveUnknownFields', { preserveUnknownFields: true }],
  ['no spec', undefined],
])('refuses a definition that is to be converted, and has %s', (what, changes) => {
  const { spec, ...definition } = bundleDefinition('Cache');
  const kept = { ...definition, ...(changes && { spec: { ...(spec as object), ...changes } }) };
  const files = { 'manifests/cache.example.com_caches.yaml': stringify(kept) };
  const message = refusal({ modes: ['AllNamespaces'], spec: { webhookdefinitions: [converting] }, files });
  expect(message).toContain(`caches.cache.example.com has ${what}`);
});
