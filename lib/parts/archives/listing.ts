import { utf8 } from '../../../formats/bytes.ts';
import { FormatError } from '../../../formats/error.ts';
import { blobPath, layoutPaths } from '../../../formats/oci/layout.ts';
import type { FileEntry, Layout } from '../../../formats/segments.ts';
import { bundleMediaType, parseBundle } from '../../../formats/sigstore/bundle.ts';
import { emptyConfig, type ReferrerContent, signatureReferrer } from '../../../formats/sigstore/referrer.ts';
import { readSlot } from '../../../formats/sigstore/slot.ts';
import { type CarrierFile, type KnownContent, knownFile } from './carrier-file.ts';
import type { Catalog } from './catalog.ts';
import { DISK_SECTOR } from './sectors.ts';

// A tar shows its signatures to tools that know OCI alone: `index.json` names their manifests. Both lie in room that is
// left for them, so that signing moves nothing. The slot is what counts. A signature is listed after its slot has it,
// and the other way round it goes; so what is listed is in a slot, wherever the work was interrupted.

/** Bytes that the manifest of a signature may have. */
const MANIFEST_SIZE = 1024;

/** The signature in a slot, and whether tools that know OCI alone find it. */
export interface ListedSignature {
  readonly bundle: Uint8Array;
  readonly listed: boolean;
}

/** What a carrier consists of if a signature is listed. */
export interface SignatureReferrer {
  readonly manifest: ReferrerContent;
  readonly bundle: ReferrerContent;
}

/** The path of what is left of the room for the signature in a slot. */
export function roomPath(slot: number): string {
  return `.solpack/referrers/${slot}`;
}

/** Returns the bundle in each of `slots`; undefined where there is none. */
export function bundlesIn(slots: readonly Uint8Array[]): (Uint8Array | undefined)[] {
  return slots.map((slot) => {
    try {
      const bundle = readSlot(slot);
      if (bundle) parseBundle(bundle);
      return bundle;
    } catch (error) {
      if (error instanceof FormatError) return undefined;
      throw error;
    }
  });
}

/**
 * Makes each of `bundles`, by slot, a referrer of the root. Gives undefined where there is none, where it is too long
 * for a slot as the root has it, or where one of its paths is there already: a bundle that is in two slots is listed
 * for the first.
 */
export function signatureReferrers(
  catalog: Catalog,
  bundles: readonly (Uint8Array | undefined)[],
): (SignatureReferrer | undefined)[] {
  if (bundles.every((bundle) => bundle === undefined)) return [];
  const taken = new Set([catalog.root, ...catalog.contents].map(({ digest }) => digest));
  return bundles.map((content, slot) => {
    if (!content || content.length >= catalog.metadata.signatureSlots.size) return undefined;
    const {
      manifest,
      blobs: [, bundle],
    } = signatureReferrer(content, catalog.root, slot);
    const own = [manifest, bundle].map(({ descriptor }) => descriptor.digest);
    if (own.some((digest) => taken.has(digest)) || manifest.bytes.length > MANIFEST_SIZE) return undefined;
    for (const digest of own) taken.add(digest);
    return { manifest, bundle };
  });
}

/** Returns whether bytes of a carrier are what they are to be, or, sector by sector, may be meanwhile. */
export function isAsKnown(found: Uint8Array, { bytes, meanwhile }: KnownContent): boolean {
  if (Buffer.compare(found, bytes) === 0) return true;
  if (!meanwhile || found.length !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at += DISK_SECTOR) {
    const sector = found.subarray(at, at + DISK_SECTOR);
    const isOne = (of: Uint8Array): boolean => Buffer.compare(sector, of.subarray(at, at + DISK_SECTOR)) === 0;
    if (!isOne(bytes) && !isOne(meanwhile)) return false;
  }
  return true;
}

/** Fills one sector of `index.json`: the entry of a signature, or spaces. */
export function indexSector(referrer: SignatureReferrer | undefined): Buffer {
  const sector = Buffer.alloc(DISK_SECTOR, ' ');
  if (!referrer) return sector;
  const { descriptor } = referrer.manifest;
  const entry = `,${JSON.stringify({ ...descriptor, artifactType: bundleMediaType })}`;
  if (entry.length > DISK_SECTOR) throw new Error(`an entry of ${entry.length} bytes`);
  sector.write(entry);
  return sector;
}

/** Computes where the sectors for signatures begin in an `index.json` that has `index` without them, in bytes. */
export function indexSectorsAt(index: Uint8Array): number {
  return Math.ceil((index.length - closing.length) / DISK_SECTOR) * DISK_SECTOR;
}

/** Bytes of an `index.json` whose sectors for `count` slots begin at `from`. */
export function indexSize(from: number, count: number): number {
  return from + count * DISK_SECTOR + closing.length;
}

const closing = utf8(']}');

/** Makes an `index.json` with a sector for each slot behind its other entries. */
export function indexWithSectors(index: Uint8Array, sectors: readonly Uint8Array[]): Uint8Array {
  const head = Buffer.alloc(indexSectorsAt(index), ' ');
  head.set(index.subarray(0, index.length - closing.length));
  return Buffer.concat([head, ...sectors, closing]);
}

/**
 * Makes the files in the room for the signature in a slot of `slotSize` bytes. Together they always have the same size.
 */
export function roomFiles(slot: number, slotSize: number, referrer: SignatureReferrer | undefined): CarrierFile[] {
  const blobs = referrer ? [referrer.bundle, referrer.manifest].map(blobFile) : [];
  const all = 2 * DISK_SECTOR + wholeSectors(slotSize) + MANIFEST_SIZE;
  const used = blobs.reduce((sum, { size }) => sum + DISK_SECTOR + wholeSectors(size), 0);
  return [...blobs, knownFile(roomPath(slot), new Uint8Array(all - used))];
}

function blobFile({ descriptor: { digest }, bytes }: ReferrerContent): CarrierFile {
  return knownFile(blobPath(digest), bytes, digest);
}

function wholeSectors(size: number): number {
  return Math.ceil(size / DISK_SECTOR) * DISK_SECTOR;
}

/** Lays out files as a carrier does. What precedes them changes nothing. */
export type LayOut = (files: readonly FileEntry[]) => Layout;

/** The bytes of the room for the signature in a slot, from the header of its first file on. */
export function roomBytes(files: readonly CarrierFile[], layOut: LayOut): Buffer {
  const known = new Map(files.map(({ key, content }) => [key, content]));
  const parts: Uint8Array[] = [];
  let size = DISK_SECTOR * files.length;
  for (const file of files) size += wholeSectors(file.size);
  for (const segment of layOut(files).segments) {
    const content = segment.kind === 'data' ? known.get(segment.key) : undefined;
    if (segment.kind === 'meta') parts.push(segment.bytes());
    else if (content?.kind === 'bytes') parts.push(content.bytes);
  }
  return Buffer.concat(parts).subarray(0, size);
}

/** Makes `index.json`, which is `plain` except the signatures, and the files that those take or leave room for. */
export function listingFiles(
  catalog: Catalog,
  plain: Uint8Array,
  signatures: readonly (ListedSignature | undefined)[],
  layOut: LayOut,
): { readonly index: CarrierFile; readonly rooms: readonly CarrierFile[] } {
  const { count, size } = catalog.metadata.signatureSlots;
  const bundles = signatures.map((signature) => signature?.bundle);
  const referrers = signatureReferrers(catalog, bundles);
  const slots = Array.from({ length: count }, (_, slot) => slot);
  const listed = slots.map((slot) => (signatures[slot]?.listed ? referrers[slot] : undefined));
  const indexOf = (sectors: readonly Uint8Array[]): Uint8Array => indexWithSectors(plain, sectors);
  const blank = indexOf(slots.map(() => indexSector(undefined)));
  const rooms = slots.flatMap((slot): CarrierFile[] => {
    const files = roomFiles(slot, size, listed[slot]);
    const filled = listed[slot] ? undefined : referrers[slot];
    if (!filled) return files;
    const meanwhile = roomBytes(roomFiles(slot, size, filled), layOut).subarray(DISK_SECTOR);
    return [knownFile(roomPath(slot), new Uint8Array(meanwhile.length), undefined, meanwhile)];
  });
  // Each of their manifests names it.
  const isThere = catalog.contents.some(({ digest }) => digest === emptyConfig.descriptor.digest);
  return {
    index: knownFile(layoutPaths.index, indexOf(listed.map(indexSector)), undefined, blank),
    rooms: isThere ? rooms : [...rooms, blobFile(emptyConfig)],
  };
}
