import { FormatError } from '../error.ts';
import type { Extent } from '../tree.ts';
import { NumberList } from './number-list.ts';
import { SECTOR, sectors } from './sector.ts';

/** Remembers extents, and says whether any two overlap. */
export interface OverlapCheck {
  /** Adds an extent of a file. Other files may have the very same extent. */
  file(extent: Extent): void;
  /** Adds the extent of a directory, which nothing else may share. */
  directory(extent: Extent): void;
  /** Throws `FormatError` `iso9660-overlap` if two extents share bytes without being the same. */
  finish(): void;
}

/**
 * The index of the higher half when a 64-bit number is viewed as two of 32 bits. It depends on the machine's byte
 * order.
 */
const HIGH = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Starts a check that has seen nothing yet. It takes eight bytes for each extent, and twice that while it finishes. */
export function overlapCheck(): OverlapCheck {
  const files = new NumberList();
  const directories = new NumberList();
  const add = (to: NumberList, { offset, size }: Extent): void => {
    to.push(offset / SECTOR);
    to.push(size);
  };
  return {
    file: (extent) => add(files, extent),
    directory: (extent) => add(directories, extent),
    finish: () => compare(sorted(files), sorted(directories)),
  };
}

/** Returns extents as pairs of block and size, ordered by both. */
function sorted(pairs: NumberList): Uint32Array {
  const keys = new BigUint64Array(pairs.length / 2);
  const halves = new Uint32Array(keys.buffer);
  for (let at = 0; at < pairs.length; at += 2) {
    halves[at + HIGH] = pairs.at(at);
    halves[at + 1 - HIGH] = pairs.at(at + 1);
  }
  // Without a comparing function, numbers are sorted in place.
  keys.sort();
  return halves;
}

/** Walks both lists as if they were one, in the order of blocks, and throws at the first overlap. */
function compare(files: Uint32Array, directories: Uint32Array): void {
  let [end, last, size] = [0, -1, -1];
  let [file, directory] = [0, 0];
  while (file < files.length || directory < directories.length) {
    const isFile =
      directory >= directories.length || (file < files.length && files[file + HIGH]! < directories[directory + HIGH]!);
    const [list, at] = isFile ? [files, file] : [directories, directory];
    const [block, bytes] = [list[at + HIGH]!, list[at + 1 - HIGH]!];
    if (isFile) file += 2;
    else directory += 2;
    if (isFile && block === last && bytes === size) continue;
    if (block < end) throw overlap(block * SECTOR);
    [end, last, size] = [block + sectors(bytes), block, isFile ? bytes : -1];
  }
}

function overlap(offset: number): FormatError {
  return new FormatError('iso9660-overlap', `two extents that differ share the byte at ${offset}`, { offset });
}
