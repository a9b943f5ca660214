import { describe, expect, test } from 'vitest';
import { once } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import { Budget } from '../../../../lib/kernel/content/budget.ts';
import { closureOf, fetchManifest, Manifests } from '../../../../lib/kernel/content/manifests.ts';
import type { ContentSource } from '../../../../lib/kernel/content/model.ts';
import { buildImage } from '../../../support/image.ts';

/** A source in memory that notes what is opened. */
function counted(blobs: ReadonlyMap<Digest, Uint8Array>): ContentSource & { readonly opened: Digest[] } {
  const opened: Digest[] = [];
  const open: ContentSource['open'] = ({ digest }) => {
    opened.push(digest);
    return once(blobs.get(digest)!);
  };
  return { name: 'the source', open, opened };
}

const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'] });
const limit = { code: 'image-unsupported', cause: { code: 'manifest-limit' } };

describe('the manifests of a source', () => {
  test('are read once, whatever names them and however often', async () => {
    const source = counted(image.blobs);
    const manifests = new Manifests(source);
    const named = { ...image.index, annotations: { a: 'b' } };
    const [one, other] = await Promise.all([closureOf(manifests, image.index), closureOf(manifests, named)]);
    expect(source.opened.toSorted()).toEqual([image.index, ...image.manifests].map(({ digest }) => digest).toSorted());
    expect(other.manifests.at(-1)!.descriptor).toEqual(named);
    expect(other.manifests.at(-1)!.value).toBe(one.manifests.at(-1)!.value);
  });

  test('are looked at anew where a descriptor says otherwise', async () => {
    const manifests = new Manifests(counted(image.blobs));
    await manifests.fetch(image.index);
    await expect(manifests.fetch({ ...image.index, size: image.index.size + 1 })).rejects.toThrow();
    await expect(manifests.fetch({ ...image.index, mediaType: mediaTypes.manifest })).rejects.toThrow();
  });

  test('have one budget together', async () => {
    const blobs = new Map<Digest, Uint8Array>();
    const config = { mediaType: mediaTypes.config, digest: sha256(''), size: 0 };
    const large = (number: number): Descriptor => {
      const bytes = encodeManifest({ config, layers: [], annotations: { [`${number}`]: 'x'.repeat(4_000_000) } });
      blobs.set(sha256(bytes), bytes);
      return { mediaType: mediaTypes.manifest, digest: sha256(bytes), size: bytes.length };
    };
    const manifests = new Manifests(counted(blobs));
    const all = async (): Promise<void> => {
      for (let number = 0; number < 50; number += 1) await manifests.fetch(large(number));
    };
    await expect(all()).rejects.toMatchObject(limit);
    await manifests.fetch(large(0));
    const budget = new Budget();
    const look = async (): Promise<void> => {
      for (let times = 0; times < 100; times += 1) await fetchManifest(counted(blobs), large(0), undefined, budget);
    };
    await expect(look()).rejects.toMatchObject(limit);
  });

  test('that share what they name are gone through so often, and not as often as there are ways', async () => {
    const blobs = new Map<Digest, Uint8Array>(image.blobs);
    const index = (children: readonly Descriptor[], note: string): Descriptor => {
      const bytes = encodeIndex({ manifests: children, annotations: { note } });
      blobs.set(sha256(bytes), bytes);
      return { mediaType: mediaTypes.index, digest: sha256(bytes), size: bytes.length };
    };
    let level = Array.from({ length: 100 }, (_, number) => index(image.manifests, `${number}`));
    for (let depth = 1; depth < 7; depth += 1) level = level.map((_, number) => index(level, `${depth} ${number}`));
    const manifests = new Manifests(counted(blobs));
    expect((await closureOf(manifests, level[0]!)).manifests.length).toBeGreaterThan(600);
    const all = async (): Promise<void> => {
      for (let times = 0; times < 100; times += 1) await closureOf(manifests, level[times]!);
    };
    await expect(all()).rejects.toMatchObject(limit);
  });
});
