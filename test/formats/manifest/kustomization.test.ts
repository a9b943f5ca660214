import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../../formats/error.ts';
import {
  isKustomization,
  isRemote,
  parseKustomization,
  runsPrograms,
} from '../../../formats/manifest/kustomization.ts';

const sample = `
resources: [a.yaml, ../base]
bases: [old]
components: [part]
generators: [gen.yaml, "apiVersion: builtin\\nkind: X\\n"]
transformers: [t]
validators: [v.yaml]
crds: [crd.json]
configurations: [names.yaml]
patches: [{path: p1.yaml}, {patch: inline}]
patchesStrategicMerge: [p2.yaml, "apiVersion: v1\\nkind: X\\n"]
patchesJson6902: [{path: p3.yaml}]
replacements: [{path: r.yaml}, {source: {}}]
openapi: {path: schema.json}
configMapGenerator: [{name: a, files: [f1, key=f2], envs: [e1], env: e2}]
secretGenerator: [{name: b, files: [f3]}]
`;

describe('parseKustomization', () => {
  test('lists all that a kustomization refers to', () => {
    expect(parseKustomization(sample, 'k')).toEqual({
      resources: ['a.yaml', '../base', 'old', 'part'],
      plugins: ['gen.yaml', 't', 'v.yaml'],
      inlinePlugins: ['apiVersion: builtin\nkind: X\n'],
      files: [
        'crd.json',
        'names.yaml',
        'p2.yaml',
        'p1.yaml',
        'p3.yaml',
        'r.yaml',
        'schema.json',
        'e1',
        'e2',
        'f1',
        'f2',
        'f3',
      ],
      envFiles: ['e1', 'e2'],
      charts: false,
    });
    expect(parseKustomization('helmCharts: [{name: a}]', 'k').charts).toBe(true);
    expect(parseKustomization('resources:', 'k').resources).toEqual([]);
  });

  test.each(['', '- a', 'resources: a', 'resources: [1]', 'patches: [a]', 'a: 1\n---\nb: 1', 'a: ['])(
    'refuses %j',
    (text) => {
      expect(() => parseKustomization(text, 'k')).toThrow(FormatError);
    },
  );

  test('ends in a kustomization or in a FormatError, whatever is changed', () => {
    fc.assert(
      fc.property(fc.nat(sample.length), fc.string({ maxLength: 5 }), fc.nat(20), (at, noise, cut) => {
        try {
          parseKustomization(sample.slice(0, at) + noise + sample.slice(at + cut), 'k');
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

test('what is a kustomization is reported by its kind and group', () => {
  expect(isKustomization({ kind: 'Kustomization' })).toBe(true);
  expect(isKustomization({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization' })).toBe(true);
  expect(isKustomization({ apiVersion: 'kustomize.toolkit.fluxcd.io/v1', kind: 'Kustomization' })).toBe(false);
  expect(isKustomization({ apiVersion: 'v1', kind: 'Pod' })).toBe(false);
  expect(isKustomization(null)).toBe(false);
});

test('programs are reported by group and annotation', () => {
  expect(runsPrograms('apiVersion: builtin\nkind: X\n', 'k')).toBe(false);
  expect(runsPrograms('apiVersion: builtin\nkind: X\n---\napiVersion: example.com/v1\nkind: X\n', 'k')).toBe(true);
  expect(runsPrograms('apiVersion: builtin\nmetadata: {annotations: {config.kubernetes.io/function: x}}', 'k')).toBe(
    true,
  );
});

test.each([
  ['https://example.com/a.yaml', true],
  ['ssh://git@example.com/repo', true],
  ['git::https://example.com/repo', true],
  ['git@example.com:org/repo.git', true],
  ['github.com/org/repo//base?ref=v1', true],
  ['org/repo?ref=main', true],
  ['gitlab.example.com/org/repo', true],
  ['../base', false],
  ['./a.yaml', false],
  ['a.yaml', false],
  ['folder/deep', false],
])('%s is remote: %s', (reference, expected) => {
  expect(isRemote(reference)).toBe(expected);
});
