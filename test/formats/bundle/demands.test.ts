import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { bundleDemands } from '../../../formats/bundle/demands.ts';
import { readOperatorBundle } from '../../../formats/bundle/read.ts';
import { packageRange } from '../../../formats/bundle/version-range.ts';
import { parseRelations, type Relations } from '../../../formats/solution/relations.ts';
import { isInRange } from '../../../formats/solution/wanted-version.ts';
import { type BundleChanges, bundleFiles, operatorBundle } from '../../support/operator-bundles.ts';

const none: Required<Pick<Relations, 'requires' | 'anyOf' | 'conflicts' | 'provides'>> = {
  requires: {},
  anyOf: [],
  conflicts: {},
  provides: {},
};

/** All that a bundle may say of relations, whether it does or not. */
const demands = (changes: BundleChanges): typeof none & { left: readonly string[] } => {
  const { relations, left } = bundleDemands(readOperatorBundle(bundleFiles(operatorBundle(changes))));
  return { ...none, ...relations, left };
};

const depending = (...dependencies: unknown[]): BundleChanges => ({
  files: { 'metadata/dependencies.yaml': stringify({ dependencies }) },
});

const constraint = (value: unknown): BundleChanges => depending({ type: 'olm.constraint', value });
const wants = (packageName: string, versionRange = '>=1.0.0'): unknown => ({ package: { packageName, versionRange } });
const kind = { gvk: { group: 'a.example.com', version: 'v1', kind: 'A' } };

describe('what a bundle offers and needs', () => {
  test('is its package and the kinds that it owns and serves, in the version of its operator', () => {
    expect(demands({})).toEqual({
      requires: {},
      anyOf: [],
      conflicts: {},
      provides: { 'cache-operator': '1.4.0', 'cache.example.com/v1/Cache': '1.4.0' },
      left: [],
    });
  });

  test('is not the package itself where no Solution may have its name', () => {
    const texts = operatorBundle({});
    const path = 'metadata/annotations.yaml';
    const files = { ...texts, [path]: texts[path]!.replace(/(package\.v1: ).*/, '$1__proto__') };
    const { relations } = bundleDemands(readOperatorBundle(bundleFiles(files)));
    expect(Object.keys(relations.provides ?? {})).toEqual(['cache.example.com/v1/Cache']);
    expect(parseRelations(JSON.stringify(relations))).toEqual(relations);
  });

  test.each(['constructor', 'toString', '__proto__'])('may be a package of the name %s', (packageName) => {
    const { requires, left } = demands(
      depending(
        { type: 'olm.package', value: { packageName, version: '>1.0.0' } },
        { type: 'olm.package', value: { packageName, version: '<2.0.0' } },
      ),
    );
    expect(`${JSON.stringify(requires)} ${left}`).toContain('>1.0.0');
  });

  test('is the packages and kinds that it depends on, wherever it says so', () => {
    const required = [{ name: 'issuers.cert-manager.io', version: 'v1', kind: 'Issuer' }];
    const owned = [{ name: 'caches.cache.example.com', version: 'v1', kind: 'Cache' }];
    const service = { name: 'metrics', group: 'metrics.k8s.io', version: 'v1beta1', kind: 'PodMetrics' };
    const properties = [{ type: 'olm.gvk.required', value: { group: 'b.example.com', version: 'v2', kind: 'B' } }];
    const changes = {
      spec: { customresourcedefinitions: { owned, required }, apiservicedefinitions: { required: [service] } },
      files: {
        ...depending(
          { type: 'olm.package', value: { packageName: 'p', version: '>1.0.0 <2.0.0' } },
          { type: 'olm.package', value: { packageName: 'p', version: '!1.5.0' } },
          { type: 'olm.gvk', value: kind.gvk },
        ).files,
        'metadata/properties.yaml': stringify({ properties }),
      },
    };
    expect(demands(changes).requires).toEqual({
      'cert-manager.io/v1/Issuer': '*',
      'metrics.k8s.io/v1beta1/PodMetrics': '*',
      p: '>1.0.0 <2.0.0 <1.5.0 || >1.0.0 <2.0.0 >1.5.0',
      'a.example.com/v1/A': '*',
      'b.example.com/v2/B': '*',
    });
  });

  test.each<[string, unknown, Partial<ReturnType<typeof demands>>]>([
    ['all of', { all: { constraints: [wants('a'), kind] } }, { requires: { a: '>=1.0.0', 'a.example.com/v1/A': '*' } }],
    ['any of', { any: { constraints: [wants('a'), wants('b')] } }, { anyOf: [{ a: '>=1.0.0', b: '>=1.0.0' }] }],
    ['none of', { not: { constraints: [wants('a'), wants('b')] } }, { conflicts: { a: '>=1.0.0', b: '>=1.0.0' } }],
    [
      'one of two ranges',
      { any: { constraints: [wants('a', '1.0.0'), wants('a', '3.0.0')] } },
      { anyOf: [{ a: '1.0.0 || 3.0.0' }] },
    ],
    [
      'either one, or two others',
      { any: { constraints: [wants('a'), { all: { constraints: [wants('b'), wants('c')] } }] } },
      {
        anyOf: [
          { a: '>=1.0.0', b: '>=1.0.0' },
          { a: '>=1.0.0', c: '>=1.0.0' },
        ],
      },
    ],
    [
      'not one of two that both may be',
      { not: { constraints: [{ any: { constraints: [wants('a'), wants('b')] } }] } },
      { conflicts: { a: '>=1.0.0', b: '>=1.0.0' } },
    ],
    [
      'not two at once',
      { not: { constraints: [{ all: { constraints: [wants('a'), wants('b')] } }] } },
      { left: ['either not a >=1.0.0, or b >=1.0.0'] },
    ],
    [
      'a rule about properties',
      { failureMessage: 'has to be certified', cel: { rule: 'properties.exists(p, p.type == "certified")' } },
      { left: ['a constraint "properties.exists(p, p.type == "certified")": has to be certified'] },
    ],
  ])('is read of a constraint: %s', (_, value, found) => {
    const { provides = {}, ...rest } = demands(constraint(value));
    expect(Object.keys(provides)).toHaveLength(2);
    expect(rest).toEqual({ requires: {}, anyOf: [], conflicts: {}, left: [], ...found });
  });

  test('tells what no Solution can be asked, and what cannot be read', () => {
    const label = { type: 'olm.label', value: { label: 'x' } };
    const odd = { type: 'olm.package', value: { packageName: 'p', version: 'newest' } };
    expect(demands(depending(label, odd, { type: 'olm.gvk', value: 'x' })).left).toEqual([
      'a dependency of the type olm.label',
      'the package p in a version "newest"',
      'a dependency of the type olm.gvk without content',
    ]);
  });

  test('is bounded, however often alternatives are joined', () => {
    const two = (at: number): unknown => ({ all: { constraints: [wants(`a${at}`), wants(`b${at}`)] } });
    const many = { any: { constraints: Array.from({ length: 40 }, (_, at) => two(at)) } };
    expect(demands(constraint(many))).toMatchObject({ anyOf: [], left: ['a constraint with too many alternatives'] });
  });
});

describe('a range of OLM', () => {
  test.each([
    ['>=1.0.0 <2.0.0', ['1.0.0', '1.9.9'], ['0.9.0', '2.0.0']],
    ['>= 1.0.0 < 2.0.0', ['1.5.0'], ['2.0.0']],
    ['1.2.3', ['1.2.3'], ['1.2.4']],
    ['==1.2.3', ['1.2.3'], ['1.2.4']],
    ['!1.2.3', ['1.2.2', '1.2.4'], ['1.2.3']],
    ['!=1.2.3 !2.0.0', ['1.2.2', '1.9.0', '3.0.0'], ['1.2.3', '2.0.0']],
    ['1.x || >=3.0.0', ['1.4.0', '3.0.0'], ['2.0.0']],
  ])('%s holds the same versions for node-semver', (range, inside, outside) => {
    const found = packageRange(range)!;
    expect(inside.filter((version) => !isInRange(version, found))).toEqual([]);
    expect(outside.filter((version) => isInRange(version, found))).toEqual([]);
  });

  test('is none where nobody could read it', () => {
    const many = Array.from({ length: 8 }, (_, at) => `!1.0.${at}`).join(' ');
    expect([packageRange('newest'), packageRange(`${many} || 1.0.0`)]).toEqual([undefined, undefined]);
  });
});
