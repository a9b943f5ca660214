import { stringify } from 'yaml';
import { convertBundle } from '../../../formats/bundle/convert.ts';
import { bundleDemands } from '../../../formats/bundle/demands.ts';
import type { OperatorBundleFile } from '../../../formats/bundle/files.ts';
import { operatorImages } from '../../../formats/bundle/images.ts';
import { readPlainBundle } from '../../../formats/bundle/plain.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import { suggestedNamespace } from '../../../formats/bundle/suggested.ts';
import { parseBundleValues } from '../../../formats/bundle/values.ts';
import { packageRange } from '../../../formats/bundle/version-range.ts';
import { utf8 } from '../../../formats/bytes.ts';
import type { Values } from '../../../formats/chart/merge-values.ts';
import { formatDocuments, parseDocuments } from '../../../formats/manifest/documents.ts';
import { parseMapping } from '../../../formats/manifest/yaml-part.ts';
import { parseRelations } from '../../../formats/solution/relations.ts';
import { isVersionRange } from '../../../formats/solution/wanted-version.ts';
import { parsers } from '../parser.ts';
import { must } from '../violation.ts';

const webhook = {
  generateName: 'v.example.com',
  type: 'ValidatingAdmissionWebhook',
  deploymentName: 'op',
  containerPort: 443,
  targetPort: 9443,
  rules: [{ apiGroups: ['a.example.com'], resources: ['as'], operations: ['*'], apiVersions: ['v1'] }],
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
};
const conversion = { ...webhook, generateName: 'c', type: 'ConversionWebhook', conversionCRDs: ['as.a.example.com'] };
const rights = { serviceAccountName: 'op', rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] };
const version = stringify({
  apiVersion: 'operators.coreos.com/v1alpha1',
  kind: 'ClusterServiceVersion',
  metadata: {
    name: 'op.v1.0.0',
    annotations: {
      'olm.properties': '[{"type": "a", "value": {"b": "<"}}]',
      'operatorframework.io/suggested-namespace': 'op-system',
    },
  },
  spec: {
    version: '1.0.0',
    installModes: [{ type: 'AllNamespaces', supported: true }],
    relatedImages: [{ name: 'a', image: 'example.com/a:1' }],
    customresourcedefinitions: {
      owned: [{ name: 'as.a.example.com', version: 'v1', kind: 'A' }],
      required: [{ name: 'bs.b.example.com', version: 'v1', kind: 'B' }],
    },
    webhookdefinitions: [webhook, conversion],
    install: {
      strategy: 'deployment',
      spec: {
        permissions: [rights],
        clusterPermissions: [rights],
        deployments: [
          {
            name: 'op',
            label: { a: 'b' },
            spec: {
              selector: { matchLabels: { a: 'b' } },
              template: {
                metadata: { annotations: { a: 'b' } },
                spec: {
                  volumes: [{ name: 'webhook-cert', emptyDir: {} }],
                  containers: [
                    {
                      image: 'example.com/op:1',
                      env: [{ name: 'RELATED_IMAGE_A', value: 'example.com/b:1' }],
                      volumeMounts: [{ name: 'x', mountPath: '/tmp/k8s-webhook-server/serving-certs' }],
                    },
                  ],
                },
              },
            },
          },
        ],
      },
    },
  },
});
const definition = stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'as.a.example.com' },
  spec: { group: 'a.example.com', names: { kind: 'A', plural: 'as' }, versions: [{ name: 'v1', served: true }] },
});
const other = stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } });
const annotations = stringify({
  annotations: {
    'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
    'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
    'operators.operatorframework.io.bundle.package.v1': 'op',
  },
});
const gvk = { group: 'c.example.com', version: 'v1', kind: 'C' };
const needed = { package: { packageName: 'p', versionRange: '>=1.0.0 !1.5.0 || 3.x' } };
const dependencies = stringify({
  dependencies: [
    { type: 'olm.package', value: { packageName: 'p', version: '>1.0.0' } },
    { type: 'olm.gvk', value: gvk },
    { type: 'olm.constraint', value: { any: { constraints: [needed, { gvk }, { not: { constraints: [needed] } }] } } },
    { type: 'olm.constraint', value: { cel: { rule: 'true' }, failureMessage: 'why' } },
  ],
});
const properties = stringify({ properties: [{ type: 'olm.gvk.required', value: gvk }] });
const values = stringify({
  installMode: 'OwnNamespace',
  watchNamespaces: ['a'],
  certificates: 'cert-manager',
  deploymentConfig: { env: [{ name: 'A', value: 'b' }], affinity: { nodeAffinity: {} }, annotations: { a: 'b' } },
});

/** The files of the sample, one of which is another one. */
function files(path: string, bytes: Uint8Array): OperatorBundleFile[] {
  const texts = {
    'manifests/a.yaml': version,
    'manifests/b.yaml': definition,
    'manifests/c.yaml': other,
    'metadata/annotations.yaml': annotations,
    'metadata/dependencies.yaml': dependencies,
    'metadata/properties.yaml': properties,
  };
  return Object.entries({ ...texts, [path]: undefined }).map(([name, text]) => ({
    path: name,
    bytes: text === undefined ? bytes : utf8(text),
  }));
}

function read(path: string): (bytes: Buffer) => void {
  return (bytes) => {
    const bundle = readOperatorBundle(files(path, bytes));
    suggestedNamespace(bundle);
    operatorImages(bundle);
    const { relations } = bundleDemands(bundle);
    const kept = parseRelations(JSON.stringify(relations));
    must(JSON.stringify(kept) === JSON.stringify(relations), 'relations cannot be kept');
    const [mode] = bundle.operator.installModes;
    const watched = mode === 'SingleNamespace' ? ['x'] : mode === 'MultiNamespace' ? ['x', 'y'] : [];
    const options = { namespace: 'n', certificates: 'cert-manager', watchNamespaces: watched } as const;
    const objects = convertBundle(bundle, options).map(({ object }) => object);
    const written = formatDocuments(objects);
    const again = parseDocuments(written, 'objects');
    must(formatDocuments(again) === written, 'an object changes when it is written and read');
  };
}

/** Bundles of operators, and what belongs to them. */
export const bundles = parsers(
  'bundles',
  20,
  'spec:¦metadata:¦installModes:¦- ¦null¦{}¦[]¦olm.constraint¦constraints:¦all:¦not:¦*¦""¦AllNamespaces¦supported: true¦!1.0.0¦rules:',
  {
    version: { samples: [version], read: read('manifests/a.yaml') },
    definition: { samples: [definition], read: read('manifests/b.yaml') },
    other: { samples: [other], read: read('manifests/c.yaml') },
    annotations: { samples: [annotations], read: read('metadata/annotations.yaml') },
    dependencies: { samples: [dependencies], read: read('metadata/dependencies.yaml') },
    properties: { samples: [properties], read: read('metadata/properties.yaml') },
    plain: {
      samples: [other],
      read: (bytes) => void readPlainBundle([{ path: 'manifests/a', bytes }]),
    },
    values: {
      samples: [values],
      read: (bytes) =>
        void parseBundleValues(parseMapping(bytes.toString(), 'values', () => undefined).value as Values),
    },
    range: {
      samples: ['>=1.0.0 <2.0.0 !1.5.0 || 3.x'],
      read: (bytes) => {
        const range = packageRange(bytes.toString());
        must(range === undefined || range.length > 256 || isVersionRange(range.trim()) || range === '', 'no range');
      },
    },
  },
);
