import { formatReference, parseReference } from '../../formats/oci/reference.ts';
import type { Definition, ImageDefinition } from '../../formats/solution/definition.ts';
import type { Lock, LockedImage } from '../../formats/solution/lock.ts';
import { fromFormat, SolpackError } from '../errors.ts';

/**
 * How binding a lock is. `use` takes what it names and adds what it does not. `update` takes what the sources have now,
 * for all images or for one reference. `locked` allows nothing that the lock does not name.
 */
export type LockMode = 'use' | 'update' | 'locked' | { readonly update: string };

/**
 * Returns what a lock says of an image with its source; undefined where it says nothing, or where the image is to be
 * renewed.
 */
export function lockedImage(
  { reference, source }: ImageDefinition,
  lock: Lock | undefined,
  mode: LockMode,
): LockedImage | undefined {
  if (mode === 'update' || (typeof mode === 'object' && mode.update === reference)) return undefined;
  return lock?.images.find((entry) => entry.reference === reference && entry.source === source);
}

/** Throws `lock-mismatch` where a lock lacks an image, or has it otherwise than the definition. Reads no source. */
export function requireNamed(images: readonly ImageDefinition[], lock: Lock | undefined): void {
  const hint = 'pack once without --locked, and commit solution.lock';
  for (const image of images) {
    const { reference, source, platforms = [], select } = image;
    const locked = lockedImage(image, lock, 'locked');
    if (!locked) {
      throw new SolpackError('lock-mismatch', reference, `solution.lock does not name it with source ${source}`, {
        hint,
      });
    }
    if (platforms.join() !== locked.platforms.join() || select !== (locked.select ?? 'sparse')) {
      const message = `solution.lock names it with other platforms: ${locked.platforms.join(', ') || 'all'}`;
      throw new SolpackError('lock-mismatch', reference, message, { hint });
    }
  }
}

/** Throws `usage-invalid` where the reference to be renewed is not in the definition. */
export function requireKnown({ images }: Definition, mode: LockMode): void {
  if (typeof mode !== 'object' || images.some(({ reference }) => reference === mode.update)) return;
  const names = images.map(({ reference }) => reference).join(', ');
  throw new SolpackError('usage-invalid', '--update', `the definition has no image ${mode.update}`, {
    hint: names === '' ? 'leave the reference out' : `name one of ${names}`,
  });
}

/** Returns a reference as definitions and locks spell it. Throws `usage-invalid` about `option`. */
export function normalReference(value: string, option: string): string {
  try {
    return formatReference(parseReference(value));
  } catch (error) {
    throw fromFormat('usage-invalid', option, error, 'name an image of the definition, or leave it out to renew all');
  }
}
