import { once } from '../../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../../formats/oci/manifest.ts';
import { encodeMetadata, solutionTypes } from '../../../../formats/solution/metadata.ts';
import { type Catalog, readCatalog } from '../../../../lib/parts/archives/index.ts';

/**
 * Reads the root of a Solution that has nothing but these layers in its artifact, and an installer of each list of
 * layers, which the root lists with `notes`.
 */
export function inMemoryRoot(
  layers: readonly Descriptor[],
  installers: readonly (readonly Descriptor[])[] = [],
  notes?: Readonly<Record<string, string>>,
): Promise<Catalog> {
  const blobs = new Map<Digest, Uint8Array>();
  const add = (mediaType: string, bytes: Uint8Array): Descriptor => {
    blobs.set(sha256(bytes), bytes);
    return { mediaType, digest: sha256(bytes), size: bytes.length };
  };
  const metadata = encodeMetadata({
    formatVersion: 1,
    name: 'a',
    version: '1.0.0',
    created: 0,
    signatureSlots: { count: 0, size: 0 },
    components: [],
  });
  const artifactType = solutionTypes.solution;
  const config = add(solutionTypes.metadata, metadata);
  const artifact = add(mediaTypes.manifest, encodeManifest({ artifactType, config, layers }));
  const { installer } = solutionTypes;
  const empty = add(mediaTypes.empty, Buffer.from('{}'));
  const programs = installers.map((files) => ({
    ...add(mediaTypes.manifest, encodeManifest({ artifactType: installer, config: empty, layers: files })),
    artifactType: installer,
    ...(notes ? { annotations: notes } : {}),
  }));
  const root = encodeIndex({ artifactType, manifests: [{ ...artifact, artifactType }, ...programs] });
  return readCatalog(root, { name: 'memory', open: ({ digest }) => once(blobs.get(digest)!) });
}
