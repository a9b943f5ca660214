import { open } from 'node:fs/promises';
import { fillSlot, readSlot } from '../../formats/sigstore/slot.ts';
import { SolpackError } from '../errors.ts';
import { unwritable } from '../host.ts';
import { archivePaths } from './files.ts';
import type { Archive } from './open.ts';

/**
 * Puts `bundle` into the first empty signature slot of an archive, in place: no other byte changes. `replaces` tells
 * whether a slot's bundle is an older one of the same signer, which is then overwritten. Returns the slot's number.
 * Throws `signature-slots-full`, `output-unwritable`.
 */
export async function fillFirstSlot(
  archive: Archive,
  bundle: Uint8Array,
  replaces: (bundle: Uint8Array) => boolean,
): Promise<number> {
  const slots = await archive.slots();
  const contents = slots.map(contentOf);
  const own = contents.findIndex((content) => content !== undefined && replaces(content));
  const number = own >= 0 ? own : contents.indexOf(undefined);
  if (number < 0) {
    throw new SolpackError('signature-slots-full', archive.path, `all ${slots.length} signature slots are taken`, {
      hint: 'write the signature to a file of its own with -o',
    });
  }
  const entry = await archive.tree.lookup(archivePaths.slot(number));
  const [extent] = entry?.extents ?? [];
  if (!extent) throw new SolpackError('archive-invalid', archive.path, `has no ${archivePaths.slot(number)}`);
  await overwrite(archive.path, fillSlot(bundle, extent.size), extent.offset);
  return number;
}

/** A slot's bundle; undefined for an empty slot, and empty bytes for one that holds something else. */
function contentOf(slot: Uint8Array): Uint8Array | undefined {
  try {
    return readSlot(slot);
  } catch {
    return new Uint8Array();
  }
}

async function overwrite(path: string, bytes: Uint8Array, offset: number): Promise<void> {
  try {
    const handle = await open(path, 'r+');
    try {
      const { bytesWritten } = await handle.write(bytes, 0, bytes.length, offset);
      if (bytesWritten !== bytes.length) throw new SolpackError('disk-full', path, 'a signature was written in part');
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw unwritable(path, error);
  }
}
