import { expect, test } from 'vitest';
import { parseDocuments } from '../../../../formats/manifest/documents.ts';
import type { ClusterFacts } from '../../../../lib/kernel/content/model.ts';
import { withDefinitions } from '../../../../lib/shared/rendering/defined-kinds.ts';

const facts: ClusterFacts = { version: 'v1.35.4', apiVersions: ['v1', 'v1/Pod'], namespaced: () => undefined };
const added = (text: string): readonly string[] => withDefinitions(facts, parseDocuments(text, 'f')).apiVersions;

const definition = (spec: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: d}\nspec: ${spec}\n`;

test('definitions add the versions that they serve, with their kind, each once', () => {
  const spec =
    '{group: g.example, names: {kind: Entry}, versions: [{name: v1, served: true}, {name: v1alpha1, served: false}]}';
  const text = `${definition(spec)}---\n${definition(spec)}`;
  expect(added(text)).toEqual(['v1', 'v1/Pod', 'g.example/v1', 'g.example/v1/Entry']);
});

test.each([
  ['no definition', 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {group: g}\n'],
  ['a namesake of another group', definition('{}').replace('apiextensions.k8s.io', 'example.com')],
  ['a definition without spec', definition('')],
  ['one without names', definition('{group: g, versions: [{name: v1, served: true}]}')],
  ['one without versions', definition('{group: g, names: {kind: K}}')],
  ['one whose versions are none', definition('{group: g, names: {kind: K}, versions: [1, {served: true}, null]}')],
])('%s adds nothing', (_, text) => {
  expect(withDefinitions(facts, parseDocuments(text, 'f'))).toBe(facts);
});
