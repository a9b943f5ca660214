import type { ReadAt } from '../../../formats/bytes.ts';
import { layoutPaths } from '../../../formats/oci/layout.ts';
import type { Carrier } from './carrier.ts';
import { archivePaths, carrierFiles, encodeLayoutIndex, shapeOf } from './files.ts';
import {
  bundlesIn,
  indexSector,
  indexSectorsAt,
  type LayOut,
  roomBytes,
  roomFiles,
  roomPath,
  type SignatureReferrer,
  signatureReferrers,
} from './listing.ts';
import { type Archive, readSlots } from './open.ts';
import { DISK_SECTOR, replaceBehindHead, replaceSectors, type SectorFile } from './sectors.ts';

/** Where a carrier lists the signature of a slot, in bytes. */
interface ListingPlace {
  /** The first header of its room. */
  readonly room: number;
  /** Its sector of `index.json`. */
  readonly sector: number;
}

/** What an archive lists of its signatures, and how that is changed in place. */
export interface Listing {
  /** Whether what the slots have is listed, and nothing else. */
  isRight(): Promise<boolean>;
  /** Lists the signature of one slot no longer. */
  remove(file: SectorFile, slot: number): Promise<void>;
  /** Lists what the slots have by now, and nothing else. */
  follow(file: SectorFile): Promise<void>;
}

/** The listing of a carrier that lists nothing. */
const nothing: Listing = { isRight: async () => true, remove: async () => undefined, follow: async () => undefined };

/**
 * What `archive` lists. Blobs come before the entry that names them, and go after it, so that no entry ever names what
 * is not there. Where another program wrote the archive anew nothing is changed: its signatures are in slots alone.
 */
export async function listingOf(archive: Archive): Promise<Listing> {
  const { catalog, carrier } = archive;
  if (!carrier) return nothing;
  const places = carrier.listsSignatures ? await listingPlaces(archive, carrier) : undefined;
  if (!places) return nothing;
  const layOut: LayOut = (files) => carrier.layout(files, shapeOf(catalog));
  const { size } = catalog.metadata.signatureSlots;
  const roomOf = (slot: number, referrer?: SignatureReferrer): Buffer =>
    roomBytes(roomFiles(slot, size, referrer), layOut);
  const writeSector = async (
    file: SectorFile,
    { sector }: ListingPlace,
    referrer?: SignatureReferrer,
  ): Promise<void> => {
    await replaceSectors(file, sector, await file.read(sector, DISK_SECTOR), indexSector(referrer));
  };
  const writeRoom = async (file: SectorFile, slot: number, referrer?: SignatureReferrer): Promise<void> => {
    const { room } = places[slot]!;
    const after = roomOf(slot, referrer);
    const before = Buffer.from(await file.read(room, after.length));
    if (!before.equals(after))
      await replaceBehindHead(file, room, before.subarray(0, DISK_SECTOR), after, roomOf(slot));
  };
  const isListed = async (file: ReadAt, slot: number, referrer?: SignatureReferrer): Promise<boolean> => {
    const { room, sector } = places[slot]!;
    const wanted = roomOf(slot, referrer);
    const [blobs, entry] = [await file.read(room, wanted.length), await file.read(sector, DISK_SECTOR)];
    return wanted.equals(blobs) && indexSector(referrer).equals(entry);
  };
  const remove = async (file: SectorFile, slot: number): Promise<void> => {
    await writeSector(file, places[slot]!);
    await writeRoom(file, slot);
  };
  const wrongIn = async (file: ReadAt): Promise<[slot: number, referrer: SignatureReferrer | undefined][]> => {
    const referrers = signatureReferrers(
      catalog,
      bundlesIn(await readSlots(archive.path, { tree: archive.tree, file }, catalog)),
    );
    const wrong: [number, SignatureReferrer | undefined][] = [];
    for (const slot of places.keys()) {
      if (!(await isListed(file, slot, referrers[slot]))) wrong.push([slot, referrers[slot]]);
    }
    return wrong;
  };
  return {
    isRight: async () => (await wrongIn(archive.file)).length === 0,
    remove,
    follow: async (file) => {
      for (const [slot, referrer] of await wrongIn(file)) {
        await remove(file, slot);
        await writeRoom(file, slot, referrer);
        await writeSector(file, places[slot]!, referrer);
      }
    },
  };
}

/** Finds where each slot is listed; undefined where the files are not where this project puts them. */
async function listingPlaces({ catalog, tree, file }: Archive, carrier: Carrier): Promise<ListingPlace[] | undefined> {
  const { count } = catalog.metadata.signatureSlots;
  const rooms = Array.from({ length: count }, (_, slot) => roomPath(slot));
  const wanted = new Set<string>([layoutPaths.index, archivePaths.sums, ...rooms]);
  const ends = new Map<string, number>();
  const files = carrierFiles(catalog, carrier);
  const layout = carrier.layout(files, shapeOf(catalog));
  if (layout.size !== file.size) return undefined;
  for (const { kind, offset, size, ...segment } of layout.segments) {
    if (kind === 'data' && 'key' in segment && wanted.has(segment.key)) ends.set(segment.key, offset + size);
    if (ends.size === wanted.size) break;
  }
  for (const [path, end] of ends) {
    const entry = await tree.lookup(path);
    const [extent] = entry?.extents ?? [];
    // What fills its room wholly leaves an empty file.
    if (!entry || (extent && extent.offset + extent.size !== end)) return undefined;
  }
  const sizes = new Map(files.map(({ path, size }) => [path, size]));
  const startOf = (path: string): number => ends.get(path)! - sizes.get(path)!;
  const sectors = startOf(layoutPaths.index) + indexSectorsAt(encodeLayoutIndex(catalog));
  return rooms.map((path, slot) => ({ room: startOf(path) - DISK_SECTOR, sector: sectors + slot * DISK_SECTOR }));
}
