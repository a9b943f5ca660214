import { describe, expect, test } from 'vitest';
import { once } from '../../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../../formats/oci/descriptor.ts';
import { encodeManifest } from '../../../../../formats/oci/manifest.ts';
import { bundleMediaType, encodeBundle } from '../../../../../formats/sigstore/bundle.ts';
import { signatureReferrer } from '../../../../../formats/sigstore/referrer.ts';
import type { NamedSource } from '../../../../../lib/kernel/content/model.ts';
import {
  type FoundSignature,
  findSignatures,
  placeSignatures,
} from '../../../../../lib/shared/solutions/registries/signatures-in-registry.ts';

const root = { mediaType: mediaTypes.index, digest: sha256(Buffer.from('root')), size: 4 };
const SIZE = 1024;

function bundleOf(name: string): Uint8Array {
  return encodeBundle({ hint: 'aGludA==', messageDigest: Buffer.from('digest'), signature: Buffer.from(name) });
}

function found(name: string, slot: number | undefined): FoundSignature {
  return { digest: sha256(Buffer.from(`${name} ${slot}`)), bundle: bundleOf(name), slot };
}

function names(bundles: readonly (Uint8Array | undefined)[]): (string | undefined)[] {
  return bundles.map((bundle) => {
    const text = bundle && JSON.parse(Buffer.from(bundle).toString()).messageSignature.signature;
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString();
  });
}

describe('signatures of a registry', () => {
  test('have the slots that they had, with those between them empty', () => {
    const { bundles, left } = placeSignatures([found('c', 2), found('a', 0)], 4);
    expect(names(bundles)).toEqual(['a', undefined, 'c', undefined]);
    expect(left).toEqual([]);
  });

  test('have the first free slot where theirs is taken, is not there, or was never', () => {
    const { bundles } = placeSignatures([found('made', undefined), found('a', 0), found('b', 0), found('far', 9)], 4);
    expect(names(bundles)).toEqual(['a', 'made', 'b', 'far']);
  });

  test('that stand in two slots of the archive stand in both again, and listed twice in one', () => {
    expect(names(placeSignatures([found('a', 0), found('a', 2)], 3).bundles)).toEqual(['a', undefined, 'a']);
    expect(names(placeSignatures([found('a', 0), found('a', undefined)], 3).bundles)).toEqual([
      'a',
      undefined,
      undefined,
    ]);
  });

  test('that find no slot are left', () => {
    const { bundles, left } = placeSignatures([found('a', 0), found('b', 1), found('c', undefined)], 2);
    expect(names(bundles)).toEqual(['a', 'b']);
    expect(left.map(({ digest }) => digest)).toEqual([found('c', undefined).digest]);
    expect(placeSignatures([found('a', 0)], 0).left).toHaveLength(1);
  });
});

describe('a referrer that says it is a signature', () => {
  const contents = new Map<Digest, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    const descriptor = { mediaType, digest: sha256(bytes), size: bytes.length };
    contents.set(descriptor.digest, bytes);
    return descriptor;
  };
  const made = (layers: readonly Descriptor[], subject: Descriptor = root): Descriptor => {
    const config = add(mediaTypes.empty, Buffer.from('{}'));
    return add(mediaTypes.manifest, encodeManifest({ artifactType: bundleMediaType, config, layers, subject }));
  };
  const layer = (text: string | Uint8Array): Descriptor => add(bundleMediaType, Buffer.from(text));
  const lookUp = async (listed: readonly Descriptor[]) => {
    const told: string[] = [];
    const source: NamedSource = {
      name: 'registry.example.com/solutions/hello',
      open: ({ digest }) => once(contents.get(digest) ?? new Uint8Array()),
      resolve: async () => undefined,
      referrers: async () => listed,
      close: async () => undefined,
    };
    const { signal } = new AbortController();
    const signatures = await findSignatures(source, root, SIZE, { signal, onSkip: (message) => told.push(message) });
    return { signatures, told };
  };

  test('is read where it is one, in the same order whatever the registry’s', async () => {
    const both = ['a', 'b'].map((name, slot) => {
      const { manifest, blobs } = signatureReferrer(bundleOf(name), root, slot);
      for (const { descriptor, bytes } of [...blobs, manifest]) contents.set(descriptor.digest, bytes);
      return manifest.descriptor;
    });
    const [one, other] = [await lookUp(both), await lookUp([...both].reverse())];
    expect(one).toEqual(other);
    expect(one.told).toEqual([]);
    expect(one.signatures.map(({ slot }) => slot).sort()).toEqual([0, 1]);
  });

  test('is left out, with the reason, where no slot could hold it', async () => {
    const good = layer(bundleOf('good'));
    const altered = { ...layer('altered'), digest: good.digest };
    const cases: [string, Descriptor][] = [
      ['does not hold one Sigstore bundle', made([])],
      ['does not hold one Sigstore bundle', made([good, good])],
      ['does not hold one Sigstore bundle', made([{ ...good, mediaType: 'application/json' }])],
      ['is not about', made([good], { ...root, digest: sha256(Buffer.from('another')) })],
      ['Sigstore bundle', made([layer('{"not":"a bundle"}')])],
      ['Sigstore bundle', made([layer('')])],
      ['it has 2.8 KiB, a slot has 1.0 KiB', made([layer(bundleOf('x'.repeat(2000)))])],
      ['behind its bundle', made([layer(JSON.stringify(JSON.parse(Buffer.from(bundleOf('a')).toString()), null, 1))])],
      [good.digest, made([altered])],
      ['registry.example.com', { ...made([good]), digest: sha256(Buffer.from('no such manifest')) }],
      ['manifest', { ...add(mediaTypes.manifest, Buffer.from('[]')) }],
    ];
    for (const [why, descriptor] of cases) {
      const { signatures, told } = await lookUp([descriptor]);
      expect(signatures, why).toEqual([]);
      expect(told, why).toHaveLength(1);
      expect(told[0]).toContain(descriptor.digest);
      expect(told[0]).toContain(why);
    }
  });
});
