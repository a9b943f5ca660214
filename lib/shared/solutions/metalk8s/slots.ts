import { emptySlot, fillSlot } from '../../../../formats/sigstore/slot.ts';
import type { Catalog, OpenedFiles } from '../../../parts/archives/index.ts';

/** How the name of a signature ends that lies beside the medium which it is of. */
export const BESIDE = '.sigstore.json';

/**
 * Reads the signature of a medium, which has no room for one: it lies beside it, and counts as one in an archive does.
 * What fits in no slot is none, and is not a bundle either.
 */
export async function slotsBeside({ file }: OpenedFiles, { metadata }: Catalog): Promise<Uint8Array[]> {
  const { count, size } = metadata.signatureSlots;
  const slots = Array.from({ length: count }, () => emptySlot(size));
  const bundle = await file.beside?.(BESIDE);
  if (bundle === undefined) return slots;
  slots[0] = bundle.length < size ? fillSlot(bundle, size) : bundle.subarray(0, size);
  return slots;
}
