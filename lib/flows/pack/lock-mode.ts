import { formatReference, parseReference } from '../../../formats/oci/reference.ts';
import type { Definition, ImageDefinition } from '../../../formats/solution/definition.ts';
import type { Lock, LockedImage } from '../../../formats/solution/lock.ts';
import { SolpackError } from '../../kernel/events/index.ts';

/**
 * How binding a lock is. `use` takes what it names and adds what is missing. `update` takes what the sources have now,
 * for all images and components, or for those with these references, names or addresses. `locked` allows nothing that
 * the lock does not name. `keeps` says of what is renewed whether the lock is right all the same, given the version
 * that its source has now, or undefined where that has none any longer.
 */
export type LockMode =
  | 'use'
  | 'update'
  | 'locked'
  | {
      readonly update: string | readonly string[];
      readonly keeps?: (locked: { readonly version?: string | undefined }, version: string | undefined) => boolean;
    };

/**
 * Returns what a lock says of an image with its source; undefined where it says nothing, or where the image is to be
 * renewed.
 */
export function lockedImage(
  { reference, source }: ImageDefinition,
  lock: Lock | undefined,
  mode: LockMode,
): LockedImage | undefined {
  if (renews(mode, [reference])) return undefined;
  return lock?.images.find((entry) => entry.reference === reference && entry.source === source);
}

/** Whether a mode renews something that has these names. */
export function renews(mode: LockMode, names: readonly string[]): boolean {
  if (typeof mode !== 'object') return mode === 'update';
  const asked = typeof mode.update === 'string' ? [mode.update] : mode.update;
  return asked.some((one) => names.includes(one) || names.includes(normalReference(one) ?? one));
}

/** Throws `lock-mismatch` where a lock lacks an image, or has it differently from the definition. Reads no source. */
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

/** Throws `usage-invalid` where what is to be renewed is neither in the definition nor in the lock. */
export function requireKnown({ images, components }: Definition, lock: Lock | undefined, mode: LockMode): void {
  if (typeof mode !== 'object' || typeof mode.update !== 'string') return;
  const names = [...images.map(({ reference }) => reference), ...components.map(({ name }) => name)];
  if (renews(mode, [...names, ...(lock?.sources ?? []).map(({ address }) => address)])) return;
  throw new SolpackError('usage-invalid', '--update', `the definition has no image or component ${mode.update}`, {
    hint: names.length === 0 ? 'leave the name out' : `name one of ${names.join(', ')}`,
  });
}

/** Returns a reference as definitions and locks spell it; undefined for what is none. */
function normalReference(value: string): string | undefined {
  try {
    return formatReference(parseReference(value));
  } catch {
    return undefined;
  }
}
