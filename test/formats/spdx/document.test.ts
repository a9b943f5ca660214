import { describe, expect, test } from 'vitest';
import type { Component, ImageBom } from '../../../formats/cyclonedx/bom.ts';
import { sbomKind } from '../../../formats/cyclonedx/kind.ts';
import { listedPackages } from '../../../formats/cyclonedx/listed.ts';
import { encodeSpdx } from '../../../formats/spdx/document.ts';

const digest = `sha256:${'ab'.repeat(32)}` as const;
const library = (name: string, license?: string): Component => ({
  ...{ type: 'library', name, version: '1.0.0', license, purl: `pkg:npm/${name}@1.0.0` },
  locations: ['z', 'a', 'z'],
});
const image: ImageBom = {
  digest,
  name: 'registry.example.com/web:1.1.0',
  components: [
    library('b', 'MIT'),
    library('a', 'MIT OR Apache-2.0'),
    library('c', 'as you like'),
    { type: 'operating-system', name: 'debian', version: '12', locations: ['etc/os-release'] },
  ],
  properties: [{ name: 'solpack:unread', value: 'rpm' }],
  incomplete: true,
};
const decode = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

describe('an SPDX document', () => {
  test('says what the image is, what is in it, where, under which license, and what is missing', () => {
    const bytes = encodeSpdx(image);
    expect(sbomKind(bytes)).toEqual({ kind: 'spdx', version: '2.3' });
    const { documentNamespace, packages, relationships, comment } = decode(bytes);
    expect(documentNamespace).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(comment).toBe('solpack:unread: rpm\nsolpack:incomplete: the image has packages that are not listed');
    expect(packages[0]).toMatchObject({
      primaryPackagePurpose: 'CONTAINER',
      checksums: [{ algorithm: 'SHA256', checksumValue: 'ab'.repeat(32) }],
    });
    expect(packages.find(({ name }: { name: string }) => name === 'b')).toMatchObject({
      ...{ versionInfo: '1.0.0', licenseDeclared: 'MIT', sourceInfo: 'found in a, z' },
      externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/b@1.0.0' }],
    });
    expect(packages.find(({ name }: { name: string }) => name === 'c')).toMatchObject({
      licenseDeclared: 'NOASSERTION',
      licenseComments: 'as the package states it: as you like',
    });
    const identifiers = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
    for (const identifier of identifiers) expect(identifier).toMatch(/^SPDXRef-[A-Za-z0-9.-]+$/);
    expect(relationships.map((one: { relatedSpdxElement: string }) => one.relatedSpdxElement)).toEqual(identifiers);
  });

  test('lists for other parts of solpack what CycloneDX lists', () => {
    const listed = listedPackages(encodeSpdx(image)).sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(listed).toEqual([
      { name: 'a', version: '1.0.0', license: 'MIT OR Apache-2.0' },
      { name: 'b', version: '1.0.0', license: 'MIT' },
      { name: 'c', version: '1.0.0' },
      { name: 'debian', version: '12' },
    ]);
  });

  test('is the same in whatever order things come', () => {
    const turned = { ...image, components: [...image.components].reverse() };
    expect(Buffer.from(encodeSpdx(turned)).equals(encodeSpdx(image))).toBe(true);
  });
});
