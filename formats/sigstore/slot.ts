import { FormatError } from '../error.ts';

/** What an empty slot consists of. */
export const NEWLINE = 0x0a;

/** An empty signature slot: nothing but newlines. */
export function emptySlot(size: number): Uint8Array {
  return new Uint8Array(size).fill(NEWLINE);
}

/** A slot that holds `bundle`: the bundle, then newlines. Throws `FormatError` `bundle-invalid` where it does not fit. */
export function fillSlot(bundle: Uint8Array, size: number): Uint8Array {
  if (bundle.length >= size) {
    throw new FormatError('bundle-invalid', `a bundle of ${bundle.length} bytes does not fit in a slot of ${size}`);
  }
  const slot = emptySlot(size);
  slot.set(bundle);
  return slot;
}

/**
 * The bundle in a slot, or undefined where the slot is empty. What follows the bundle's one line has to be newlines:
 * a slot cannot carry anything else. Throws `FormatError` `bundle-invalid`.
 */
export function readSlot(slot: Uint8Array): Uint8Array | undefined {
  const end = slot.indexOf(NEWLINE);
  const bundle = end < 0 ? slot : slot.subarray(0, end);
  if (slot.subarray(bundle.length).some((byte) => byte !== NEWLINE)) {
    throw new FormatError('bundle-invalid', 'a slot has bytes behind its bundle');
  }
  if (bundle.length === 0) return undefined;
  if (end < 0) throw new FormatError('bundle-invalid', 'a slot does not end with a newline');
  return bundle;
}
