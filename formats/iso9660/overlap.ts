import { FormatError } from '../error.ts';
import type { Extent } from '../tree.ts';

/** Remembers extents, and tells whether they keep apart. */
export interface OverlapCheck {
  /** Adds an extent of a file, which other files may share whole. */
  file(extent: Extent): void;
  /** Adds the extent of a directory, which nothing may share. */
  directory(extent: Extent): void;
  /** Throws `FormatError` `iso9660-overlap` where two extents share bytes without being the same. */
  finish(): void;
}

/** A check that has seen nothing yet. Its memory grows with the number of different extents. */
export function overlapCheck(): OverlapCheck {
  const files = new Map<number, number>();
  const directories = new Map<number, number>();
  const overlap = (offset: number): FormatError =>
    new FormatError('iso9660-overlap', `two extents that differ share the byte at ${offset}`, { offset });
  const add = (to: Map<number, number>, { offset, size }: Extent): void => {
    if ((files.get(offset) ?? directories.get(offset) ?? size) !== size) throw overlap(offset);
    to.set(offset, size);
  };
  return {
    file: (extent) => add(files, extent),
    directory: (extent) => add(directories, extent),
    finish: () => {
      const all = [...files, ...directories].sort(([a], [b]) => a - b);
      let end = 0;
      for (const [offset, size] of all) {
        if (offset < end) throw overlap(offset);
        end = offset + size;
      }
    },
  };
}
