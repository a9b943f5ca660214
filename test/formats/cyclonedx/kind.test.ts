import { describe, expect, test } from 'vitest';
import { sbomKind } from '../../../formats/cyclonedx/kind.ts';

const kindOf = (value: unknown) => sbomKind(Buffer.from(JSON.stringify(value)));
const cyclonedx = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: [{ type: 'library', name: 'a' }],
};
const spdx2 = {
  spdxVersion: 'SPDX-2.3',
  SPDXID: 'SPDXRef-DOCUMENT',
  dataLicense: 'CC0-1.0',
  name: 'web',
  documentNamespace: 'https://example.com/web',
  creationInfo: { created: '2024-01-01T00:00:00Z', creators: ['Tool: x'] },
  packages: [{ SPDXID: 'SPDXRef-a', name: 'a' }],
};
const spdx3 = {
  '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
  '@graph': [{ type: 'CreationInfo' }, { type: 'SpdxDocument', spdxId: 'https://example.com/web' }],
};

describe('an SBOM', () => {
  test('is CycloneDX or SPDX, of a version', () => {
    expect(kindOf(cyclonedx)).toEqual({ kind: 'cyclonedx', version: '1.5' });
    expect(kindOf({ bomFormat: 'CycloneDX', specVersion: '1.6' })).toEqual({ kind: 'cyclonedx', version: '1.6' });
    expect(kindOf(spdx2)).toEqual({ kind: 'spdx', version: '2.3' });
    expect(kindOf(spdx3)).toEqual({ kind: 'spdx', version: '3.0.1' });
    expect(kindOf({ ...cyclonedx, more: { of: 'a later version' } })?.kind).toBe('cyclonedx');
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a list', [cyclonedx]],
    ['a text', 'CycloneDX'],
    ['an empty object', {}],
    ['a Kubernetes manifest', { apiVersion: 'v1', kind: 'ConfigMap' }],
    ['an in-toto statement', { _type: 'https://in-toto.io/Statement/v1', predicate: cyclonedx }],
    ['both at once', { ...cyclonedx, ...spdx2 }],
    ['CycloneDX of another name', { ...cyclonedx, bomFormat: 'cyclonedx' }],
    ['CycloneDX without a version', { bomFormat: 'CycloneDX' }],
    ['CycloneDX 1.1, which was no JSON', { ...cyclonedx, specVersion: '1.1' }],
    ['CycloneDX 2, which nobody knows', { ...cyclonedx, specVersion: '2.0' }],
    ['CycloneDX whose version is a number', { ...cyclonedx, specVersion: 1.5 }],
    ['CycloneDX with a component without a name', { ...cyclonedx, components: [{ type: 'library' }] }],
    ['CycloneDX with components that are no list', { ...cyclonedx, components: {} }],
    ['CycloneDX with a serial number that is none', { ...cyclonedx, serialNumber: 'urn:uuid:1' }],
    ['SPDX without a name', { ...spdx2, name: undefined }],
    ['SPDX of another license', { ...spdx2, dataLicense: 'MIT' }],
    ['SPDX without its creators', { ...spdx2, creationInfo: { created: 'x', creators: [] } }],
    ['SPDX 1', { ...spdx2, spdxVersion: 'SPDX-1.2' }],
    ['SPDX 3 without a document', { ...spdx3, '@graph': [{ type: 'CreationInfo' }] }],
    ['SPDX 3 of another context', { ...spdx3, '@context': 'https://example.com/3.0.1/spdx-context.jsonld' }],
  ])('is not %s', (_, value) => {
    expect(kindOf(value)).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['JSON that is cut', JSON.stringify(cyclonedx).slice(0, -1)],
    ['XML', '<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>'],
    ['tag-value', 'SPDXVersion: SPDX-2.3\n'],
    ['bytes that are not UTF-8', '{"bomFormat":"CycloneDX","specVersion":"1.6","x":"\xff"}'],
  ])('is not %s', (_, text) => {
    expect(sbomKind(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});
