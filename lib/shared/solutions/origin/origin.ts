import type { Reference } from '../../../../formats/oci/reference.ts';
import type { Place } from '../../../kernel/content/index.ts';

/**
 * Where a document comes from, and so what it may name. Each file, variable, address and repository that a document
 * names is found only through its origin. What it may not name is refused with `configuration-bounds`, whether it
 * exists or not.
 */
export interface Origin {
  /** Reads a small file at an absolute path. Throws `configuration-bounds`, `file-missing`, `file-unreadable`. */
  readFile(path: string, limit: number): Promise<Uint8Array>;
  /** Returns a variable of the environment; undefined where it is not set. Throws `configuration-bounds`. */
  variable(name: string): string | undefined;
  /** Returns whether anything is at an absolute path; nothing is where it may not look. */
  isThere(path: string): Promise<boolean>;
  /**
   * Lets `work` use what is at an absolute path, by a path that leads there meanwhile whatever names stand for. Where
   * nothing is there, `work` gets undefined. Throws `configuration-bounds`.
   */
  reach<T>(path: string, work: (reached: string | undefined) => Promise<T>): Promise<T>;
  /** Returns the place of an archive at an absolute path. Throws `configuration-bounds`. */
  placeOf(path: string): Place;
  /** Throws `configuration-bounds` for an address that may not be asked. */
  requireAddress(url: URL): void;
  /** Throws `configuration-bounds` for a repository that may not be asked. */
  requireRepository(reference: Reference): void;
}
