import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { encodeJson } from '../../../formats/json.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { blobPath, layoutMarker, parseLayoutIndex, parseLayoutMarker } from '../../../formats/oci/layout.ts';
import { encodeIndex, encodeManifest } from '../../../formats/oci/manifest.ts';

const code = (value: string) => expect.objectContaining({ name: 'FormatError', code: value });

describe('an image layout', () => {
  test('has each blob under its algorithm and digest', () => {
    expect(blobPath(sha256(''))).toBe('blobs/sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(blobPath(`sha512:${'0'.repeat(128)}`)).toBe(`blobs/sha512/${'0'.repeat(128)}`);
  });

  test('is marked with the version that the specification fixes', () => {
    expect(Buffer.from(layoutMarker).toString()).toBe('{"imageLayoutVersion":"1.0.0"}');
    expect(() => parseLayoutMarker(layoutMarker)).not.toThrow();
    expect(() => parseLayoutMarker(encodeJson({ imageLayoutVersion: '1.1.0', more: true }))).not.toThrow();
  });

  test('of another version, or without one, is refused', () => {
    for (const marker of [
      { imageLayoutVersion: '2.0.0' },
      { imageLayoutVersion: '10' },
      { imageLayoutVersion: 1 },
      {},
      [],
    ]) {
      expect(() => parseLayoutMarker(encodeJson(marker))).toThrow(code('oci-layout-invalid'));
    }
  });

  test('has an index of its images, and nothing else in its place', () => {
    expect(parseLayoutIndex(encodeIndex({ manifests: [] })).manifests).toEqual([]);
    const config = { mediaType: mediaTypes.config, digest: sha256(''), size: 0 };
    expect(() => parseLayoutIndex(encodeManifest({ config, layers: [] }))).toThrow(code('oci-layout-invalid'));
    expect(() => parseLayoutIndex(encodeJson({}))).toThrow(code('manifest-invalid'));
  });
});
