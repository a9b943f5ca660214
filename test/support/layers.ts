import { zstdCompressSync } from 'node:zlib';
import { once } from '../../formats/bytes.ts';
import { mediaTypes } from '../../formats/oci/descriptor.ts';
import type { SbomLayer, SbomOptions } from '../../lib/parts/sbom/index.ts';
import { makeSbom } from './make-sbom.ts';

/** What the tests look at in a CycloneDX document. */
export interface Document {
  metadata: { component: { name: string }; properties: { name: string; value: string }[] };
  components: {
    type: string;
    group?: string;
    name: string;
    version?: string;
    purl?: string;
    evidence: { occurrences: { location: string }[] };
  }[];
  compositions: { aggregate: string }[];
}

/** A layer in memory, as a tar archive or zstd-compressed. */
export function layerOf(tar: Uint8Array, compress = false): SbomLayer {
  const bytes = compress ? zstdCompressSync(tar) : tar;
  return { mediaType: compress ? `${mediaTypes.layer}+zstd` : mediaTypes.layer, open: () => once(bytes) };
}

/** The document of an image of `layers`. */
export async function documentOf(layers: readonly SbomLayer[], options: SbomOptions = {}): Promise<Document> {
  const { bytes } = await makeSbom({ digest: `sha256:${'0'.repeat(64)}`, layers }, options);
  return JSON.parse(Buffer.from(bytes).toString());
}

/** What a document says that it does not tell. */
export function unreadOf({ metadata }: Document): string[] {
  return metadata.properties.filter(({ name }) => name === 'solpack:unread').map(({ value }) => value);
}

/** Every file that a document names. */
export function locationsOf({ components }: Document): string[] {
  return [
    ...new Set(components.flatMap(({ evidence }) => evidence.occurrences.map(({ location }) => location))),
  ].sort();
}
