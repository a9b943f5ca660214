import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { convertBundle } from '../../../formats/bundle/convert.ts';
import { readPlainBundle } from '../../../formats/bundle/plain.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import { suggestedNamespace } from '../../../formats/bundle/suggested.ts';
import { FormatError } from '../../../formats/error.ts';
import { bundleDefinition, bundleDeployment, bundleFiles, operatorBundle } from '../../support/operator-bundles.ts';

const annotations = (changes: Readonly<Record<string, unknown>>): Record<string, string> => ({
  'metadata/annotations.yaml': stringify({
    annotations: { 'operators.operatorframework.io.bundle.package.v1': 'cache-operator', ...changes },
  }),
});

const prefix = 'operators.operatorframework.io.bundle';
const csv = 'manifests/cache-operator.clusterserviceversion.yaml';

describe('a bundle of an operator', () => {
  test.each<[string, Record<string, string | undefined>, RegExp]>([
    ['another format', annotations({ [`${prefix}.mediatype.v1`]: 'plain+v0' }), /^says that it is plain\+v0, not/],
    [
      'manifests elsewhere',
      annotations({ [`${prefix}.manifests.v1`]: 'deploy/' }),
      /^has its manifests in deploy\/, but/,
    ],
    [
      'a name that is not a text',
      annotations({ [`${prefix}.package.v1`]: 7 }),
      /^metadata\/annotations\.yaml:2:3: annotations/,
    ],
    ['annotations that are no mapping', { 'metadata/annotations.yaml': '- a\n' }, /^metadata\/annotations\.yaml:1:1: /],
    [
      'a second operator',
      { 'manifests/b.yaml': operatorBundle()[csv]! },
      /^has two ClusterServiceVersions, in manifests\//,
    ],
    [
      'an operator without a strategy',
      { [csv]: operatorBundle()[csv]!.replace('install:', 'other:') },
      /spec\.install/,
    ],
    [
      'a folder',
      { 'manifests/a/b.yaml': 'a: 1\n' },
      /^has the folder manifests\/a, but manifests may only hold files$/,
    ],
    [
      'dependencies that are none',
      { 'metadata/dependencies.yaml': 'dependencies: {}\n' },
      /^metadata\/dependencies\.yaml/,
    ],
    [
      'a second document of dependencies',
      { 'metadata/dependencies.yaml': 'dependencies: []\n---\ndependencies: []\n' },
      /^metadata\/dependencies\.yaml:3:1: a second document begins here/,
    ],
  ])('is refused with %s', (_, files, words) => {
    expect(() => readOperatorBundle(bundleFiles(operatorBundle({ files })))).toThrow(words);
  });

  test('is refused where an annotation with properties is no JSON', () => {
    const files = bundleFiles(operatorBundle({ annotations: { 'olm.properties': '[{' } }));
    expect(() => readOperatorBundle(files)).toThrow(/the annotation olm\.properties is not JSON$/);
  });

  test.each([
    [{}, { name: 'cache-operator-system', labels: {} }],
    [{ 'operatorframework.io/suggested-namespace': 'a' }, { name: 'a', labels: {} }],
    [
      {
        'operatorframework.io/suggested-namespace-template':
          '{"metadata": {"name": "b", "labels": {"c": "d", "e": 1}}}',
      },
      { name: 'b', labels: { c: 'd' } },
    ],
    [{ 'operatorframework.io/suggested-namespace-template': 'no JSON' }, { name: 'cache-operator-system', labels: {} }],
  ])('suggests a namespace: %j', (given, namespace) => {
    const bundle = readOperatorBundle(bundleFiles(operatorBundle({ annotations: given })));
    expect(suggestedNamespace(bundle)).toEqual(namespace);
  });

  test('is read or refused, whatever a part of it is replaced by', () => {
    const texts = operatorBundle();
    const part = fc.record({
      file: fc.constantFrom(...Object.keys(texts)),
      at: fc.nat(),
      length: fc.nat(40),
      by: fc.constantFrom('', ' ', '- ', 'null', '{}', '[]', 'a: b\n', ': ', '\n', '"', '*', '0', 'true'),
    });
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
        const changed: Record<string, string> = { ...texts };
        for (const { file, at, length, by } of parts) {
          const text = changed[file]!;
          const from = at % (text.length + 1);
          changed[file] = text.slice(0, from) + by + text.slice(from + length);
        }
        try {
          const bundle = readOperatorBundle(bundleFiles(changed));
          const objects = convertBundle(bundle, { namespace: 'n', certificates: undefined });
          expect(objects.every(({ object }) => typeof object.metadata.name === 'string')).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** A Deployment whose containers stand a second time where they have no meaning. */
const misplaced = ((): unknown => {
  const { spec, ...rest } = bundleDeployment('cache-operator', {
    volumes: [{ name: 'certs', secretName: 'certs', secret: { secretName: 'certs' } }],
    runAsNonRoot: true,
  }) as { readonly spec: { readonly template: { readonly spec: { readonly containers: unknown } } } };
  return { ...rest, spec: { ...spec, template: { ...spec.template, containers: spec.template.spec.containers } } };
})();

test('a bundle has no fields of Deployments and definitions that API servers refuse, and names them', () => {
  const definition = bundleDefinition('Cache');
  const files = {
    'manifests/cache.example.com_caches.yaml': stringify({
      ...definition,
      spec: { ...(definition['spec'] as object), version: 'v1' },
    }),
  };
  const bundle = readOperatorBundle(bundleFiles(operatorBundle({ files, strategy: { deployments: [misplaced] } })));
  expect(bundle.definitions.map(({ object }) => object)).toEqual([definition]);
  const volumes = [{ name: 'certs', secret: { secretName: 'certs' } }];
  expect(bundle.operator.deployments).toEqual([bundleDeployment('cache-operator', { volumes })]);
  expect(Object.fromEntries(bundle.unknown)).toEqual({
    'CustomResourceDefinition caches.cache.example.com': ['spec.version'],
    'Deployment cache-operator': [
      'spec.template.spec.volumes.0.secretName',
      'spec.template.spec.runAsNonRoot',
      'spec.template.containers',
    ],
  });
});

test('a plain+v0 bundle has the objects of its manifests alone, with where each is stated', () => {
  const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  const files = bundleFiles({
    'manifests/a.txt': `${map('a')}---\n${map('b')}`,
    'metadata/c.yaml': 'a: [',
    'd.yaml': map('d'),
  });
  expect(readPlainBundle(files).map(({ object, source }) => [object.metadata.name, source])).toEqual([
    ['a', 'manifests/a.txt:1'],
    ['b', 'manifests/a.txt:5'],
  ]);
});
