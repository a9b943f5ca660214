import { emptySlot, fillSlot } from '../../../formats/sigstore/slot.ts';
import type { Catalog } from '../../archives/catalog.ts';
import type { OpenedFiles } from '../../archives/open.ts';
import { isThere } from '../../disk.ts';
import { readFile } from '../../open-file.ts';

/** How the name of a signature ends that lies beside the medium which it is of. */
export const BESIDE = '.sigstore.json';

/**
 * Reads the signature of a medium, which has no room for one: it lies beside it, and counts as one in an archive does. What fits in no slot is none, and is no bundle
 * either.
 */
export async function slotsBeside({ file, carrier }: OpenedFiles, { metadata }: Catalog): Promise<Uint8Array[]> {
  const { count, size } = metadata.signatureSlots;
  const slots = Array.from({ length: count }, () => emptySlot(size));
  // What is read from a server has no neighbours that anybody vouches for.
  if (!carrier || file.prefetch || !(await isThere(`${file.path}${BESIDE}`))) return slots;
  const bundle = await readFile(`${file.path}${BESIDE}`);
  slots[0] = bundle.length < size ? fillSlot(bundle, size) : bundle.subarray(0, size);
  return slots;
}
