import { sha256 } from '../../formats/digest.ts';
import { profileFields } from '../../formats/profile/fields.ts';

const digest = sha256('x');
const key = 'a'.repeat(64);

const definition = `
name = "shop"
version = "1.0.0"
sequence = 1
created = 2026-01-01T00:00:00Z
expires = "2027-01-01T00:00:00Z"
description = "a shop"
operator = "a.example/operator:1"
sbom = "sbom.json"
make-sboms = true
kubernetes = ">=1.29"
external-images = ["b.example/*"]
exclusive = ["cni"]
upgrade = { from = ">=1.2 <2", skips = ["1.3.0"] }
requires = { base = "^1" }
any-of = [{ db = "*" }]
recommends = { cache = "*" }
provides = { cni = "1.0.0" }
conflicts = { old = "*" }
replaces = { older = "*" }

[annotations]
team = "a"

[[images]]
reference = "a.example/web:1"
source = "oci:images"
platforms = ["linux/amd64"]
select = "sparse"
referrers = true
foreign-layers = "refuse"
keep = true
sbom = "web.json"

[[components]]
name = "web"
kind = "helm"
path = "web"
values = ["values.yaml"]
namespace = "shop"
after = ["db"]
timeout = "5m"
version = "1.x"
release = "web"
create-namespace = { labels = { team = "a" } }
render = "install"
site-schema = "site.json"
skip-schema-validation = true
keep-drawn = true
set = { replicas = 3 }

[[components.ready]]
apiVersion = "example.com/v1"
kind = "Shop"
selector = { app = "web" }
namespace = "shop"
condition = "Ready=True"

[[components]]
name = "db"
kind = "manifests"
path = "db"

[[components.ready]]
apiVersion = "example.com/v1"
kind = "Db"
name = "main"
cel = "true"

[[components.ready]]
http = "db/8080/healthz?full=1"
namespace = "shop"

[[components.ready]]
https = "db/metrics"

[[components.ready]]
tcp = "db/5432"

[[components]]
name = "cache"
kind = "registry+v1"
path = "catalog://a.example/catalog//cache"
channel = "stable"
`;

const site = {
  values: { web: [{ replicas: 2 }, 'values.yaml'] },
  secrets: {
    web: [
      { path: 'a.b', env: 'A' },
      { path: ['a', 'c'], file: 'b' },
    ],
  },
  patches: {
    web: [
      { path: 'p.yaml', options: { allowNameChange: true, allowKindChange: true } },
      {
        patch: '- x',
        target: {
          group: 'apps',
          version: 'v1',
          kind: 'Deployment',
          name: 'web',
          namespace: 'a',
          labelSelector: 'a=b',
          annotationSelector: 'a=b',
        },
      },
    ],
  },
  keepDrawn: { web: true },
};
const head = { apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' };
const grouped = {
  ...head,
  metadata: { name: 'edge' },
  solutions: [
    {
      name: 'shop',
      activeVersion: '1.0.0',
      archives: ['a.iso'],
      environments: { one: '1.0.0', two: { version: '1.0.0', ...site } },
      ...site,
    },
  ],
};
const flat = {
  ...head,
  archives: ['a.iso'],
  active: { shop: '1.0.0' },
  environments: { shop: { one: { version: '1.0.0' } } },
  ...Object.fromEntries(Object.entries(site).map(([name, one]) => [name, { shop: one }])),
};

const policy = {
  version: 1,
  keys: [
    { id: key, file: 'k.pub', status: 'active', notBefore: '2026-01-01T00:00:00Z', notAfter: '2027-01-01T00:00:00Z' },
    { id: 'b'.repeat(64), pem: 'PEM' },
  ],
  policies: [
    {
      match: 'shop-*',
      keys: [key],
      threshold: 1,
      minSequence: 1,
      requirePredicates: ['https://a.example/b'],
      maxDaysAhead: 1,
      movesTime: true,
      allow: {
        components: ['helm'],
        namespaces: ['a-*'],
        clusterScoped: ['Namespace'],
        images: ['a.example/b/*'],
        moveTags: false,
      },
    },
  ],
  deny: [digest],
  rotation: { keys: [key], threshold: 1 },
};

const mend = {
  type: 'solpack-mend/v1',
  solutions: [{ name: 'shop', from: { sequence: 2, newest: '2026-01-01T00:00:00Z' }, to: { sequence: 1 } }],
};

const samples = { path: 'a', paths: ['a'], text: 'k3s', address: 'http://a:1', duration: '5m', yes: true, count: 3 };
const profile: Record<string, unknown> = {};
for (const [name, { type }] of Object.entries(profileFields)) {
  const [outer = '', inner] = name.split('.');
  if (inner === undefined) profile[outer] = samples[type];
  else profile[outer] = { ...(profile[outer] as object), [inner]: samples[type] };
}
delete profile['policy'];

const lock = {
  lockVersion: 1,
  created: 0,
  root: digest,
  images: [
    {
      reference: 'a:1',
      source: 'oci:a',
      mediaType: 'm',
      digest,
      platforms: ['linux/amd64'],
      select: 'index',
      referrers: [{ subject: digest, tag: 't', mediaType: 'm', digest }],
    },
  ],
  components: [{ name: 'web', kind: 'helm', digest, files: ['0123456789abcdef a'], proof: 'p' }],
  sources: [
    {
      address: 'a',
      range: '1',
      version: '1',
      channel: 'c',
      url: 'u',
      digest,
      upgrade: { from: '1.0.0', skips: ['1.0.1'] },
    },
  ],
  sboms: [{ path: 'a', digest }],
  metalk8s: true,
  installer: [{ path: 'a', digest }],
};

const registries = {
  registry: [
    {
      prefix: 'a.example',
      location: 'b.example',
      insecure: true,
      blocked: false,
      'mirror-by-digest-only': true,
      mirror: [{ location: 'c.example', insecure: true, 'pull-from-mirror': 'all' }],
    },
  ],
};

const kustomization = {
  namespace: 'a',
  ...Object.fromEntries(
    [
      ...['resources', 'bases', 'components', 'generators', 'transformers', 'validators', 'crds', 'configurations'],
      'patchesStrategicMerge',
    ].map((name) => [name, ['a.yaml']]),
  ),
  patches: [{ path: 'a' }],
  patchesJson6902: [{ path: 'a' }],
  replacements: [{ path: 'a' }],
  openapi: { path: 'a' },
  configMapGenerator: [{ files: ['a'], envs: ['b'], env: 'c' }],
  secretGenerator: [{ files: ['a'] }],
};

const dependency = { name: 'db', version: '1.x', repository: 'https://a.example' };
const chart = {
  apiVersion: 'v2',
  name: 'web',
  version: '1.0.0',
  appVersion: '1',
  description: 'd',
  type: 'application',
  kubeVersion: '>=1',
  dependencies: [dependency],
};

const statement = {
  _type: 'https://in-toto.io/Statement/v1',
  subject: [{ name: 'a', digest: { sha256: key } }],
  predicateType: 'https://a.example/b',
  predicate: { a: 1 },
};

const plan = {
  configuration: '/a',
  choices: [{ name: 'a', version: '1.0.0', reason: 'r', passedOver: ['0.9.0'] }],
  variables: [{ name: 'a', value: 'b', from: 'given' }],
  steps: [
    {
      kind: 'apply',
      subject: 'a',
      action: 'create',
      changes: [{ path: 'a', from: 1, to: 2 }],
      step: digest,
      reason: 'r',
      solution: 's',
      component: 'c',
      event: 'e',
      restarts: 1,
      bytes: 1,
      uid: 'u',
    },
  ],
  bytes: 1,
  unchanged: 1,
  room: [{ place: 'a', needed: 1, free: 2 }],
  seal: `${'0'.repeat(32)}:${'0'.repeat(64)}`,
};

const version = {
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: { name: 'op.v1.0.0', annotations: { a: 'b' } },
  spec: {
    version: '1.0.0',
    installModes: [{ type: 'AllNamespaces', supported: true }],
    install: {
      strategy: 'deployment',
      spec: {
        deployments: [
          {
            name: 'op',
            label: { a: 'b' },
            spec: {
              selector: { matchLabels: { a: 'b' } },
              template: { metadata: { annotations: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b:1' }] } },
            },
          },
        ],
        permissions: [{ serviceAccountName: 'a', rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] }],
        clusterPermissions: [{ serviceAccountName: 'a', rules: [{ verbs: ['get'], nonResourceURLs: ['/a'] }] }],
      },
    },
  },
};
const annotations = {
  annotations: { 'operators.operatorframework.io.bundle.package.v1': 'op' },
};

/** Documents that have every field they may have; the definition as it is written, all others as values. */
export const wholeDocuments = {
  definition,
  grouped,
  flat,
  policy,
  mend,
  profile,
  lock,
  registries,
  kustomization,
  requirements: { dependencies: [dependency] },
  chart,
  chartLock: { dependencies: [dependency], digest },
  statement,
  plan,
  version,
  annotations,
} as const;
