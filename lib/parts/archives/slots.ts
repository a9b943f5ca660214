import { emptySlot, fillSlot, NEWLINE } from '../../../formats/sigstore/slot.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { archivePaths } from './files.ts';
import { bundlesIn } from './listing.ts';
import { listingOf } from './listing-write.ts';
import type { Archive } from './open.ts';
import { openSectors, replaceSectors, type SectorFile } from './sectors.ts';
import { changedMeanwhile, requireUnchanged } from './unchanged.ts';

/** A signature slot of an archive. One that is `damaged` holds what is not a bundle: half of one, or something else. */
export interface SlotState {
  readonly number: number;
  readonly kind: 'empty' | 'bundle' | 'damaged';
  /** All bytes of the slot. */
  readonly bytes: Uint8Array;
}

/** The signature slots of an archive, in order. */
export async function slotStates(archive: Archive): Promise<SlotState[]> {
  return (await archive.slots()).map((bytes, number) => ({ number, kind: kindOf(bytes), bytes }));
}

function kindOf(slot: Uint8Array): SlotState['kind'] {
  const [bundle] = bundlesIn([slot]);
  if (bundle) return 'bundle';
  return slot.every((byte) => byte === NEWLINE) ? 'empty' : 'damaged';
}

/**
 * Puts `bundle` into a slot of an archive, or empties it where there is none; in place: no byte changes but those of
 * the slot and of what lists it. Throws as `changeSlot`, `output-unwritable`, `disk-full`.
 */
export function writeSlot(archive: Archive, slot: SlotState, bundle: Uint8Array | undefined): Promise<void> {
  return changing(archive, (file) => changeSlot(archive, file, slot, bundle));
}

/**
 * Replaces a slot in `file`, which has the archive's bytes. An interruption leaves the slot as it was or as it is to be
 * (see `replaceSectors`), and nothing listed that is not in it. Throws `archive-invalid` where the slot is no longer
 * the one that was read.
 */
export async function changeSlot(
  archive: Archive,
  file: SectorFile,
  slot: SlotState,
  bundle: Uint8Array | undefined,
): Promise<void> {
  const { path, tree } = archive;
  const name = archivePaths.slot(slot.number);
  const [extent] = (await tree.lookup(name))?.extents ?? [];
  if (!extent) throw new SolpackError('archive-damaged', path, `has no ${name}`, { hint: 'fetch it again' });
  const after = bundle ? fillSlot(bundle, extent.size) : emptySlot(extent.size);
  const listing = await listingOf(archive);
  if (!Buffer.from(await file.read(extent.offset, extent.size)).equals(slot.bytes)) throw changedMeanwhile(path);
  await listing.remove(file, slot.number);
  if (!(await replaceSectors(file, extent.offset, slot.bytes, after))) throw changedMeanwhile(path);
  await listing.follow(file);
}

/**
 * Lists what the slots of an archive have, and nothing else, where its carrier lists signatures: what is left to do
 * where somebody who signed was interrupted. Throws as `writeSlot`.
 */
export async function listSlots(archive: Archive): Promise<void> {
  const listing = await listingOf(archive);
  if (!(await listing.isRight())) await changing(archive, listing.follow);
}

async function changing(archive: Archive, work: (file: SectorFile) => Promise<void>): Promise<void> {
  const file = await openSectors(archive.path);
  try {
    await requireUnchanged(archive, file);
    await work(file);
  } finally {
    await file.close();
  }
}
