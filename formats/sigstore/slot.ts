import { FormatError } from '../error.ts';
import { sizePair } from '../size-words.ts';

/** The byte that fills an empty slot. */
export const NEWLINE = 0x0a;

/** Makes an empty signature slot, which is nothing but newlines. */
export function emptySlot(size: number): Uint8Array {
  return new Uint8Array(size).fill(NEWLINE);
}

/**
 * Makes a slot that holds `bundle`, then newlines. Throws `FormatError` `bundle-invalid` if the bundle does not fit.
 */
export function fillSlot(bundle: Uint8Array, size: number): Uint8Array {
  if (bundle.length >= size) {
    const [own, slot] = sizePair(bundle.length, size);
    throw new FormatError('bundle-invalid', `a bundle of ${own} does not fit in a slot of ${slot}`);
  }
  const slot = emptySlot(size);
  slot.set(bundle);
  return slot;
}

/**
 * Returns the bundle in a slot, or undefined if the slot is empty. The bundle is one line, and only newlines may follow
 * it, so that a slot carries nothing else. Throws `FormatError` `bundle-invalid`.
 */
export function readSlot(slot: Uint8Array): Uint8Array | undefined {
  const end = slot.indexOf(NEWLINE);
  const bundle = end < 0 ? slot : slot.subarray(0, end);
  const rest = slot.subarray(bundle.length);
  // It begins with a newline. All of it is newlines if each byte equals the previous one: whole runs are compared at
  // once.
  if (Buffer.compare(rest.subarray(1), rest.subarray(0, -1)) !== 0) {
    throw new FormatError('bundle-invalid', 'a slot has bytes behind its bundle');
  }
  if (bundle.length === 0) return undefined;
  if (end < 0) throw new FormatError('bundle-invalid', 'a slot does not end with a newline');
  return bundle;
}
