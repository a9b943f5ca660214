import { describe, expect, test } from 'vitest';
import { type Component, encodeBom, type ImageBom } from '../../../formats/cyclonedx/bom.ts';
import { sbomKind } from '../../../formats/cyclonedx/kind.ts';

const digest = `sha256:${'ab'.repeat(32)}` as const;
const library = (name: string, more: Partial<Component> = {}): Component => ({
  type: 'library',
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name}@1.0.0`,
  locations: [`node_modules/${name}/package.json`],
  ...more,
});
const image: ImageBom = {
  digest,
  name: 'registry.example.com/web:1.1.0',
  components: [
    library('b', { license: 'MIT', publisher: 'B', locations: ['z', 'a', 'z'] }),
    library('@scope/a', { properties: [{ name: 'p', value: 'v' }] }),
    {
      type: 'operating-system',
      name: 'debian',
      version: '12',
      description: 'Debian 12',
      locations: ['etc/os-release'],
    },
  ],
  properties: [
    { name: 'solpack:unread', value: 'b' },
    { name: 'solpack:unread', value: 'a' },
  ],
  incomplete: true,
};
const decode = (bytes: Uint8Array) => JSON.parse(Buffer.from(bytes).toString());

describe('a CycloneDX document', () => {
  test('says what the image is, what is in it, where, and that it is incomplete', () => {
    const bytes = encodeBom(image);
    expect(sbomKind(bytes)).toEqual({ kind: 'cyclonedx', version: '1.6' });
    expect(decode(bytes)).toEqual({
      $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      version: 1,
      metadata: {
        lifecycles: [{ phase: 'post-build' }],
        tools: { components: [{ type: 'application', name: 'solpack' }] },
        component: {
          type: 'container',
          'bom-ref': `image:${digest}`,
          name: 'registry.example.com/web:1.1.0',
          version: digest,
          hashes: [{ alg: 'SHA-256', content: 'ab'.repeat(32) }],
        },
        properties: [
          { name: 'solpack:unread', value: 'a' },
          { name: 'solpack:unread', value: 'b' },
        ],
      },
      components: [
        {
          type: 'operating-system',
          'bom-ref': 'operating-system:debian@12',
          name: 'debian',
          version: '12',
          description: 'Debian 12',
          evidence: { occurrences: [{ location: 'etc/os-release' }] },
        },
        {
          type: 'library',
          'bom-ref': 'pkg:npm/@scope/a@1.0.0',
          group: '@scope',
          name: 'a',
          version: '1.0.0',
          purl: 'pkg:npm/@scope/a@1.0.0',
          properties: [{ name: 'p', value: 'v' }],
          evidence: { occurrences: [{ location: 'node_modules/@scope/a/package.json' }] },
        },
        {
          type: 'library',
          'bom-ref': 'pkg:npm/b@1.0.0',
          publisher: 'B',
          name: 'b',
          version: '1.0.0',
          licenses: [{ license: { id: 'MIT' } }],
          purl: 'pkg:npm/b@1.0.0',
          evidence: { occurrences: [{ location: 'a' }, { location: 'z' }] },
        },
      ],
      compositions: [{ aggregate: 'incomplete', assemblies: [`image:${digest}`] }],
    });
  });

  test('is the same bytes in whatever order components and properties come', () => {
    const turned = {
      ...image,
      components: [...image.components].reverse(),
      properties: [...image.properties].reverse(),
    };
    expect(Buffer.from(encodeBom(turned)).equals(encodeBom(image))).toBe(true);
  });

  test('has another serial number for another image and for other contents', () => {
    const serial = (bom: ImageBom): string => decode(encodeBom(bom)).serialNumber;
    const others = [
      image,
      { ...image, digest: `sha512:${'ab'.repeat(64)}` as const },
      { ...image, components: [] },
      { ...image, incomplete: false },
    ];
    expect(new Set(others.map(serial)).size).toBe(others.length);
  });
});
