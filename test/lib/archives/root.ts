import { once } from '../../../formats/bytes.ts';
import { type Digest, sha256 } from '../../../formats/digest.ts';
import { type Descriptor, mediaTypes } from '../../../formats/oci/descriptor.ts';
import { encodeIndex, encodeManifest } from '../../../formats/oci/manifest.ts';
import { encodeMetadata, solutionTypes } from '../../../formats/solution/metadata.ts';
import { type Catalog, readCatalog } from '../../../lib/archives/index.ts';

/** Reads the root of a Solution that has nothing but these layers in its artifact. */
export function inMemoryRoot(layers: readonly Descriptor[]): Promise<Catalog> {
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
  const root = encodeIndex({ artifactType, manifests: [{ ...artifact, artifactType }] });
  return readCatalog(root, { name: 'memory', open: ({ digest }) => once(blobs.get(digest)!) });
}
