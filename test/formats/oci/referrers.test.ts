import { expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { isForeignType, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest, parseManifest } from '../../../formats/oci/manifest.ts';
import { isTag } from '../../../formats/oci/reference.ts';
import { artifactTypeOf, attachedTags, fallbackTag } from '../../../formats/oci/referrers.ts';

const short = sha256('x');
const long = `sha512:${'a'.repeat(128)}` as const;

test('the fallback tag of a digest has at most 64 of its characters', () => {
  expect(fallbackTag(short)).toBe(short.replace(':', '-'));
  expect(fallbackTag(long)).toBe(`sha512-${'a'.repeat(64)}`);
});

test('cosign’s tags are left out where they would be none', () => {
  const hex = short.slice('sha256:'.length);
  expect(attachedTags(short)).toEqual([`sha256-${hex}.sig`, `sha256-${hex}.att`, `sha256-${hex}.sbom`]);
  expect(attachedTags(short).every(isTag)).toBe(true);
  expect(attachedTags(long)).toEqual([]);
});

test('an artifact is of its own type, or of its config’s, and an image is of none', () => {
  const typeOf = (config: string, artifactType?: string): string | undefined => {
    const descriptor = { mediaType: config, digest: short, size: 2 };
    const own = artifactType === undefined ? {} : { artifactType };
    return artifactTypeOf(parseManifest(encodeManifest({ config: descriptor, layers: [], ...own })));
  };
  expect(typeOf(mediaTypes.empty, 'application/spdx+json')).toBe('application/spdx+json');
  expect(typeOf(mediaTypes.helmConfig)).toBe(mediaTypes.helmConfig);
  expect(typeOf(mediaTypes.config)).toBeUndefined();
  expect(typeOf(mediaTypes.dockerConfig)).toBeUndefined();
  expect(artifactTypeOf(parseManifest(encodeIndex({ manifests: [] })))).toBeUndefined();
});

test.each([
  ['application/vnd.docker.image.rootfs.foreign.diff.tar.gzip', true],
  ['application/vnd.oci.image.layer.nondistributable.v1.tar', true],
  ['application/vnd.oci.image.layer.nondistributable.v1.tar+zstd', true],
  ['application/vnd.oci.image.layer.v1.tar+gzip', false],
  ['application/vnd.docker.image.rootfs.diff.tar.gzip', false],
])('%s is a foreign layer: %s', (type, expected) => {
  expect(isForeignType(type)).toBe(expected);
});
