import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { checked } from '../../../formats/json.ts';
import {
  descriptorSchema,
  isIndexType,
  isManifestType,
  mediaTypes,
  platformName,
} from '../../../formats/oci/descriptor.ts';

const descriptor = { mediaType: mediaTypes.layer, digest: sha256(''), size: 0 };
const parse = (value: unknown) => checked(value, descriptorSchema, 'manifest-invalid', 'descriptor');

describe('a descriptor', () => {
  test('has what this version knows, and nothing else that was there', () => {
    const known = {
      ...descriptor,
      urls: ['https://example.com'],
      platform: { os: 'linux', architecture: 'arm', variant: 'v7' },
      annotations: { a: '1' },
    };
    expect(parse({ ...known, platform: { ...known.platform, features: ['x'] }, data: 'e30=', x: [{}] })).toEqual(known);
  });

  test.for([
    ['no digest', { digest: undefined }],
    ['a digest of an unknown algorithm', { digest: `md5:${'0'.repeat(32)}` }],
    ['a negative size', { size: -1 }],
    ['half a byte', { size: 0.5 }],
    ['a size beyond exact numbers', { size: 2 ** 53 }],
    ['a size in words', { size: '1' }],
    ['a platform without an architecture', { platform: { os: 'linux' } }],
    ['an annotation that is not a text', { annotations: { a: 1 } }],
  ] as const)('with %s is refused', ([, change]) => {
    expect(() => parse({ ...descriptor, ...change })).toThrow(expect.objectContaining({ code: 'manifest-invalid' }));
  });
});

test('a platform is named by its parts', () => {
  expect(platformName({ os: 'linux', architecture: 'amd64' })).toBe('linux/amd64');
  expect(platformName({ os: 'linux', architecture: 'arm', variant: 'v7' })).toBe('linux/arm/v7');
  expect(platformName({ os: 'linux', architecture: 'arm64', variant: '' })).toBe('linux/arm64');
});

test('media types tell what refers to other content', () => {
  const manifests = [mediaTypes.index, mediaTypes.dockerList, mediaTypes.manifest, mediaTypes.dockerManifest];
  for (const type of Object.values(mediaTypes)) expect(isManifestType(type)).toBe(manifests.includes(type as never));
  expect(manifests.filter(isIndexType)).toEqual([mediaTypes.index, mediaTypes.dockerList]);
});
