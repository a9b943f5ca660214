import { isDigest } from '../../../formats/digest.ts';
import { FormatError } from '../../../formats/error.ts';
import { mediaTypes } from '../../../formats/oci/descriptor.ts';
import { blobPath, layoutPaths } from '../../../formats/oci/layout.ts';
import { parseManifest } from '../../../formats/oci/manifest.ts';
import { signatureReferrer } from '../../../formats/sigstore/referrer.ts';
import type { Catalog } from './catalog.ts';
import { encodeLayoutIndex } from './files.ts';
import { bundlesIn, indexSectorsAt, indexSize, type ListedSignature, signatureReferrers } from './listing.ts';
import { entryReader, type OpenedFiles } from './open.ts';
import { DISK_SECTOR } from './sectors.ts';

/**
 * Reads the signatures of a carrier that lists them: those that are listed, whatever their slots have, and else those
 * in `slots`. Throws `FormatError` where the carrier is damaged.
 */
export async function listedSignatures(
  opened: OpenedFiles,
  catalog: Catalog,
  slots: readonly Uint8Array[],
): Promise<(ListedSignature | undefined)[]> {
  const entries = await indexEntries(opened, catalog);
  const bundles = bundlesIn(slots);
  const referrers = signatureReferrers(catalog, bundles);
  const signatures: (ListedSignature | undefined)[] = [];
  for (let slot = 0; slot < catalog.metadata.signatureSlots.count; slot += 1) {
    const named = await listedBundle(opened, catalog, slot, entries[slot]);
    const own = referrers[slot]?.manifest.descriptor.digest;
    const bundle = named ?? bundles[slot];
    const listed =
      named !== undefined || (own !== undefined && (await opened.tree.lookup(blobPath(own))) !== undefined);
    signatures.push(bundle && { bundle, listed });
  }
  return signatures;
}

/** Reads the digest in the entry that `index.json` has for each slot. */
async function indexEntries({ tree, file }: OpenedFiles, catalog: Catalog): Promise<(string | undefined)[]> {
  const { count } = catalog.metadata.signatureSlots;
  const from = indexSectorsAt(encodeLayoutIndex(catalog));
  const entry = await tree.lookup(layoutPaths.index);
  // Of what has another size, it is unknown where entries lie.
  if (entry?.type !== 'file' || entry.size !== indexSize(from, count)) return [];
  const sectors = Buffer.from(await entryReader(file, entry).read(from, count * DISK_SECTOR));
  return Array.from({ length: count }, (_, slot) => {
    const sector = sectors.toString('latin1', slot * DISK_SECTOR, (slot + 1) * DISK_SECTOR);
    return /"digest":"(sha256:[0-9a-f]{64})"/.exec(sector)?.[1];
  });
}

/** Reads the bundle of the signature whose manifest has `digest`, if it is one that a slot could have. */
async function listedBundle(
  opened: OpenedFiles,
  { root, metadata }: Catalog,
  slot: number,
  digest: string | undefined,
): Promise<Uint8Array | undefined> {
  const manifest = await blobOf(opened, digest, 4 * DISK_SECTOR);
  const bundle = manifest && (await blobOf(opened, layerOf(manifest), metadata.signatureSlots.size));
  if (!bundle) return undefined;
  return signatureReferrer(bundle, root, slot).manifest.descriptor.digest === digest ? bundle : undefined;
}

function layerOf(manifest: Uint8Array): string | undefined {
  try {
    const value = parseManifest(manifest, mediaTypes.manifest);
    return value.kind === 'manifest' ? value.layers[0]?.digest : undefined;
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

async function blobOf(opened: OpenedFiles, digest: string | undefined, most: number): Promise<Uint8Array | undefined> {
  return digest !== undefined && isDigest(digest) ? readSmall(opened, blobPath(digest), most) : undefined;
}

async function readSmall({ tree, file }: OpenedFiles, path: string, most: number): Promise<Uint8Array | undefined> {
  const entry = await tree.lookup(path);
  return entry?.type === 'file' && entry.size <= most ? entryReader(file, entry).read(0, entry.size) : undefined;
}
