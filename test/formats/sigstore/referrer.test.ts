import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { parseManifest } from '../../../formats/oci/manifest.ts';
import { bundleMediaType } from '../../../formats/sigstore/bundle.ts';
import { signatureReferrer, slotOf } from '../../../formats/sigstore/referrer.ts';

const root = { mediaType: mediaTypes.index, digest: sha256(Buffer.from('root')), size: 4 };
const bundle = Buffer.from('{"a":1}');

describe('a signature as registries keep it', () => {
  test('is an artifact about the root, of an empty config and the bundle', () => {
    const { manifest, blobs } = signatureReferrer(bundle, { ...root, annotations: { dropped: 'yes' } }, 3);
    const value = parseManifest(manifest.bytes, mediaTypes.manifest);
    expect(value).toMatchObject({ artifactType: bundleMediaType, subject: root, config: blobs[0]!.descriptor });
    expect(value.kind === 'manifest' && value.layers).toEqual([blobs[1]!.descriptor]);
    expect(blobs.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{}', '{"a":1}']);
    expect(value.subject).toEqual(root);
    expect(manifest.descriptor.digest).toBe(sha256(manifest.bytes));
    expect(slotOf(value.annotations)).toBe(3);
  });

  test('is the same for equal bundles of equal slots, and another for other slots', () => {
    const digest = (slot: number): string => signatureReferrer(bundle, root, slot).manifest.descriptor.digest;
    expect(digest(0)).toBe(digest(0));
    expect(digest(0)).not.toBe(digest(1));
  });

  test('names no slot where what it says is not the number of a generation', () => {
    for (const value of ['', '-1', '01', '1.5', '100', '0x1', ' 1', 'one', '1e1']) {
      expect(slotOf({ 'io.solpack.signature.slot': value }), value).toBeUndefined();
    }
    expect(slotOf({})).toBeUndefined();
    expect(slotOf({ 'io.solpack.signature.slot': '0' })).toBe(0);
    expect(slotOf({ 'io.solpack.signature.slot': '63' })).toBe(63);
  });
});
