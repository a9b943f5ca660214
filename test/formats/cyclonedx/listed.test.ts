import { expect, test } from 'vitest';
import { listedPackages } from '../../../formats/cyclonedx/listed.ts';

const list = (document: unknown): unknown => listedPackages(Buffer.from(JSON.stringify(document)));
const cyclonedx = (components: unknown) => ({ bomFormat: 'CycloneDX', specVersion: '1.6', components });

test('components of CycloneDX are listed with those in them, in their order', () => {
  const components = [
    {
      type: 'library',
      group: '@scope',
      name: 'one',
      version: '1',
      licenses: [{ license: { id: 'MIT' } }, { expression: 'ISC OR Zlib' }],
      components: [{ type: 'library', name: 'inner', licenses: [{ license: { name: 'own words' } }] }],
    },
    { type: 'library', name: 'two' },
  ];
  expect(list(cyclonedx(components))).toEqual([
    { name: '@scope/one', version: '1', license: 'MIT, ISC OR Zlib' },
    { name: 'inner', license: 'own words' },
    { name: 'two' },
  ]);
});

test('packages of SPDX are listed without the image that they are in', () => {
  const document = {
    spdxVersion: 'SPDX-2.3',
    SPDXID: 'SPDXRef-DOCUMENT',
    dataLicense: 'CC0-1.0',
    name: 'image',
    documentNamespace: 'https://example.com/image',
    creationInfo: { created: '2024-01-01T00:00:00Z', creators: ['Tool: own'] },
    packages: [
      { SPDXID: 'SPDXRef-image', name: 'image' },
      {
        SPDXID: 'SPDXRef-1',
        name: 'zlib1g',
        versionInfo: '1.3',
        licenseConcluded: 'NOASSERTION',
        licenseDeclared: 'Zlib',
      },
    ],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: 'SPDXRef-image' },
    ],
  };
  expect(list(document)).toEqual([{ name: 'zlib1g', version: '1.3', license: 'Zlib' }]);
});

test('components may lie in each other as deeply as they like', () => {
  const depth = 50_000;
  const open = '{"type":"library","name":"x","components":[';
  const text = `{"bomFormat":"CycloneDX","specVersion":"1.6","components":[${open.repeat(depth)}${']}'.repeat(depth)}]}`;
  expect(listedPackages(Buffer.from(text)).length).toBe(depth);
});

test.each([{}, [], null, 'text', { bomFormat: 'SPDX' }, cyclonedx([{ type: 'library', name: 3 }])])(
  '%j has none',
  (document) => {
    expect(list(document)).toEqual([]);
  },
);
