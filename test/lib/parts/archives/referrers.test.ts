import { describe, expect, test } from 'vitest';
import { once } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { encodeJson } from '../../../../formats/json.ts';
import { annotations, type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import { encodeMetadata, solutionTypes } from '../../../../formats/solution/metadata.ts';
import type { ContentSource } from '../../../../lib/kernel/content/model.ts';
import { type Catalog, readCatalog } from '../../../../lib/parts/archives/index.ts';
import { buildImage } from '../../../support/image.ts';

const image = buildImage({ platforms: ['linux/amd64', 'linux/arm64'], seed: 'catalog' });
const blobs = new Map<Digest, Uint8Array>(image.blobs);

function add(mediaType: string, bytes: Uint8Array): Descriptor {
  blobs.set(sha256(bytes), bytes);
  return { mediaType, digest: sha256(bytes), size: bytes.length };
}

const source: ContentSource = { name: 'memory', open: ({ digest }) => once(blobs.get(digest)!) };

/** A manifest that is about another one. */
function about(subject: Descriptor | undefined, seed: string): Descriptor {
  const config = add(mediaTypes.empty, Buffer.from('{}'));
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, artifactType: 'x/y', config, layers: [config] };
  return add(mediaTypes.manifest, encodeJson({ ...manifest, subject, annotations: { seed } }));
}

/** Reads a root with the image and these entries. */
function read(...entries: readonly Descriptor[]): Promise<Catalog> {
  const metadata = { formatVersion: 1, name: 'a', version: '1.0.0', created: 0, components: [] } as const;
  const slots = { count: 0, size: 0 };
  const config = add(solutionTypes.metadata, encodeMetadata({ ...metadata, signatureSlots: slots, components: [] }));
  const artifactType = solutionTypes.solution;
  const artifact = add(mediaTypes.manifest, encodeManifest({ artifactType, config, layers: [] }));
  const web = { ...image.index, annotations: { [annotations.refName]: 'example.com/web:1' } };
  return readCatalog(
    encodeIndex({ artifactType, manifests: [{ ...artifact, artifactType }, web, ...entries] }),
    source,
  );
}

const listed = (descriptor: Descriptor, subject: string, tag?: string): Descriptor => ({
  ...descriptor,
  annotations: {
    'io.solpack.referrer.subject': subject,
    ...(tag === undefined ? {} : { 'io.solpack.referrer.tag': tag }),
  },
});

describe('the referrers of a root', () => {
  test('belong to the image, through its children and through each other, in any order', async () => {
    const child = about(image.manifests[1], 'child');
    const note = about(child, 'note');
    const tagged = about(undefined, 'tagged');
    const catalog = await read(
      listed(note, child.digest),
      listed(child, image.manifests[1]!.digest),
      listed(tagged, image.index.digest, 'sha256-1.sig'),
    );
    const digests = catalog.images[0]!.referrers.map(({ descriptor }) => descriptor.digest);
    expect(digests.toSorted()).toEqual([note.digest, child.digest, tagged.digest].toSorted());
    expect(catalog.manifests.map(({ descriptor }) => descriptor.digest)).toEqual(expect.arrayContaining(digests));
  });

  test.each<[string, () => Descriptor]>([
    ['its manifest is about another one', () => listed(about(image.manifests[0], 'other'), image.index.digest)],
    ['its manifest is about nothing, and it has no tag', () => listed(about(undefined, 'none'), image.index.digest)],
    ['its subject is not a digest', () => listed(about(image.index, 'md5'), 'md5:0')],
    ['its tag is none', () => listed(about(undefined, 'tag'), image.index.digest, '../x')],
    [
      'its subject is nowhere',
      () => listed(about({ ...image.index, digest: sha256('nowhere') }, 'lost'), sha256('nowhere')),
    ],
  ])('make it invalid where %s', async (_, entry) => {
    await expect(read(entry())).rejects.toMatchObject({ code: 'solution-invalid' });
  });
});
