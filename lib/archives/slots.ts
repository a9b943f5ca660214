import type { ReadAt } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { parseBundle } from '../../formats/sigstore/bundle.ts';
import { emptySlot, fillSlot, readSlot } from '../../formats/sigstore/slot.ts';
import { SolpackError } from '../errors.ts';
import { archivePaths } from './files.ts';
import { type Archive, entryReader } from './open.ts';
import { openSectors, replaceSectors } from './sectors.ts';

/** A signature slot of an archive. One that is `damaged` holds what is no bundle: half of one, or something else. */
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
  try {
    const content = readSlot(slot);
    if (content === undefined) return 'empty';
    parseBundle(content);
    return 'bundle';
  } catch (error) {
    if (error instanceof FormatError) return 'damaged';
    throw error;
  }
}

/**
 * Puts `bundle` into a slot of an archive, or empties it where there is none; in place: no other byte changes. An
 * interruption leaves the slot as it was or as it is to be (see `replaceSectors`). Throws `archive-invalid` where the file
 * is no longer the one that was read, `output-unwritable`, `disk-full`.
 */
export async function writeSlot(archive: Archive, slot: SlotState, bundle: Uint8Array | undefined): Promise<void> {
  const { path } = archive;
  const name = archivePaths.slot(slot.number);
  const [extent] = (await archive.tree.lookup(name))?.extents ?? [];
  if (!extent) throw new SolpackError('archive-damaged', path, `has no ${name}`, { hint: 'fetch it again' });
  const after = bundle ? fillSlot(bundle, extent.size) : emptySlot(extent.size);
  const file = await openSectors(path);
  try {
    await requireSame(archive, file);
    if (!(await replaceSectors(file, extent.offset, slot.bytes, after))) throw replaced(path);
  } finally {
    await file.close();
  }
}

/** Throws `archive-invalid` where the root in `file` is not the one that was read. */
export async function requireSame({ path, tree, catalog }: Archive, file: ReadAt): Promise<void> {
  const root = await tree.lookup(archivePaths.root);
  const now = root && (await entryReader(file, root).read(0, root.size));
  if (!now || !Buffer.from(now).equals(catalog.rootBytes)) throw replaced(path);
}

/** What is no longer what was read. */
export function replaced(path: string): SolpackError {
  return new SolpackError('archive-invalid', path, 'was changed by somebody else in the meantime', {
    hint: 'nothing was written; run it again',
  });
}
