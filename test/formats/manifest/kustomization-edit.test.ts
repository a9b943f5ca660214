import { expect, test } from 'vitest';
import { replaceReferences } from '../../../formats/manifest/kustomization-edit.ts';

const text = `# what it builds on
resources: # in order
- https://a.example.com/x.yaml # keep me
- 'https://a.example.com/x.yaml'
- >-
  https://a.example.com/y.yaml
- local.yaml
components: [https://a.example.com/x.yaml, other]
images:
- name: https://a.example.com/x.yaml
`;

test('references are replaced where they stand, and nothing else changes', () => {
  const replacements = new Map([
    ['https://a.example.com/x.yaml', 'copies/x.yaml'],
    ['https://a.example.com/y.yaml', 'copies/y.yaml'],
  ]);
  expect(replaceReferences(text, replacements)).toBe(`# what it builds on
resources: # in order
- "copies/x.yaml" # keep me
- "copies/x.yaml"
- "copies/y.yaml"
- local.yaml
components: ["copies/x.yaml", other]
images:
- name: https://a.example.com/x.yaml
`);
});

test('a kustomization without such references stays as it is', () => {
  for (const same of [text, 'resources: x\n', '- a\n', '', '{}', 'resources: [*a]\n']) {
    expect(replaceReferences(same, new Map())).toBe(same);
  }
});
