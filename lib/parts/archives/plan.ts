import { createHash } from 'node:crypto';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Layout } from '../../../formats/segments.ts';
import { emptySlot, fillSlot } from '../../../formats/sigstore/slot.ts';
import { fromFormat } from '../../kernel/events/index.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierFile } from './carrier-file.ts';
import type { Catalog, CatalogAttestation } from './catalog.ts';
import { carrierFiles, shapeOf } from './files.ts';
import type { ListedSignature } from './listing.ts';

/** An archive laid out to the last byte. */
export interface Planned {
  readonly files: readonly CarrierFile[];
  readonly layout: Layout;
}

/**
 * Lays out the archive of `catalog` in `carrier`, where its slots have `signatures`: they may change what is listed,
 * and move nothing. Throws `archive-limit` where the format cannot hold it.
 */
export function planArchive(
  catalog: Catalog,
  carrier: Carrier,
  signatures: readonly (ListedSignature | undefined)[] = [],
): Planned {
  const { name, version } = catalog.metadata;
  const files = carrierFiles(catalog, carrier, signatures);
  try {
    return { files, layout: carrier.layout(files, shapeOf(catalog)) };
  } catch (error) {
    throw fromFormat('archive-limit', `${name} ${version}`, error, 'shorten the names that the message lists');
  }
}

/** A piece of an archive: bytes that are known, or the content that belongs there. */
export type Piece =
  | { readonly kind: 'bytes'; readonly offset: number; readonly bytes: () => Uint8Array }
  | { readonly kind: 'blob'; readonly offset: number; readonly descriptor: Descriptor }
  | { readonly kind: 'slot'; readonly offset: number; readonly bytes: () => Promise<Uint8Array> };

/** What goes into the slots of an archive. */
export interface SlotBundles {
  /** For the first signature slots; one that is undefined leaves its slot empty. */
  readonly bundles?: readonly (Uint8Array | undefined)[] | undefined;
  /**
   * Makes the bundle of an attestation when its turn comes, because it may be large; undefined leaves its slot empty.
   */
  readonly attest?: ((attestation: CatalogAttestation) => Promise<Uint8Array | undefined>) | undefined;
}

/** Lays out an archive that is written with what `bundles` has for its slots. Throws as `planArchive`. */
export function planSigned(catalog: Catalog, carrier: Carrier, { bundles = [] }: SlotBundles): Planned {
  return planArchive(
    catalog,
    carrier,
    bundles.map((bundle) => bundle && { bundle, listed: true }),
  );
}

/** Lists the pieces of an archive from its first byte to its last. */
export function* piecesOf({ files, layout }: Planned, { bundles = [], attest }: SlotBundles): Generator<Piece> {
  const content = new Map(files.map((entry) => [entry.key, entry.content]));
  for (const segment of layout.segments) {
    const { offset } = segment;
    if (segment.kind === 'meta') {
      yield { kind: 'bytes', offset, bytes: segment.bytes };
      continue;
    }
    const known = content.get(segment.key);
    if (!known) throw new Error(`nothing is known of ${segment.key}`);
    if (known.kind === 'blob') yield { kind: 'blob', offset, descriptor: known.descriptor };
    else if (known.kind === 'bytes') yield { kind: 'bytes', offset, bytes: () => known.bytes };
    else {
      const { slot } = known;
      const bundle = async (): Promise<Uint8Array | undefined> =>
        typeof slot === 'number' ? bundles[slot] : attest?.(slot);
      yield { kind: 'slot', offset, bytes: async () => slotOf(await bundle(), segment.size) };
    }
  }
}

function slotOf(bundle: Uint8Array | undefined, size: number): Uint8Array {
  return bundle ? fillSlot(bundle, size) : emptySlot(size);
}

/** Computes a digest over where each piece of a planned archive lies: equal ones are filled in the same way. */
export function layoutDigest({ layout }: Planned): Digest {
  const hash = createHash('sha256').update(`${layout.size}\n`);
  for (const segment of layout.segments) {
    const what = segment.kind === 'data' ? segment.key : segment.name;
    hash.update(`${segment.offset} ${segment.size} ${segment.kind} ${what}\n`);
  }
  return `sha256:${hash.digest('hex')}`;
}

/** Where each content of a planned archive has its places, and its size in bytes. */
export type Places = ReadonlyMap<Digest, { readonly size: number; readonly offsets: readonly number[] }>;

/** The places of all content that is not known beforehand. */
export function placesOf({ files, layout }: Planned): Places {
  const blobs = new Set(files.filter(({ content }) => content.kind === 'blob').map(({ key }) => key));
  const places = new Map<string, { size: number; offsets: number[] }>();
  for (const segment of layout.segments) {
    if (segment.kind !== 'data' || !blobs.has(segment.key)) continue;
    const place = places.get(segment.key) ?? { size: segment.size, offsets: [] };
    place.offsets.push(segment.offset);
    places.set(segment.key, place);
  }
  return places as Places;
}
