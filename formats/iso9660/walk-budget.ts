import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';
import { EXPANSION, type TreeEntry } from '../tree.ts';
import { limits } from './limits.ts';
import { type OverlapCheck, overlapCheck } from './overlap.ts';
import { SECTOR, SYSTEM_SECTORS } from './sector.ts';
import type { DirectoryExtent, Volume } from './volume.ts';

/** Counts what a walk meets. Its methods throw `FormatError` `iso9660-limit`. */
export interface WalkBudget extends Pick<OverlapCheck, 'finish'> {
  /** Counts a directory that is about to be read. */
  directory(extent: DirectoryExtent): void;
  /** Checks the bytes of names and link targets that the walk holds now. */
  held(bytes: number): void;
  /** Counts an entry that was found. */
  entry(entry: TreeEntry): void;
}

/** Starts the budget of one walk; its `finish` throws `iso9660-overlap`. */
export function walkBudget({ source, descriptors }: Volume): WalkBudget {
  const overlaps = overlapCheck();
  overlaps.directory({ offset: SYSTEM_SECTORS * SECTOR, size: descriptors * SECTOR });
  let [entries, directories, bytes] = [0, 0, 0];
  const exceeded = (what: string): FormatError => new FormatError('iso9660-limit', `the image has ${what}`);
  return {
    directory: ({ block, size }) => {
      directories += size;
      if (directories > limits.directories) throw exceeded(`directories of more than ${sizeWords(limits.directories)}`);
      overlaps.directory({ offset: block * SECTOR, size });
    },
    held: (texts) => {
      if (texts > limits.texts)
        throw exceeded(`directories in each other with more than ${sizeWords(limits.texts)} of names`);
    },
    entry: ({ path, size, extents }) => {
      entries += 1;
      bytes += size;
      if (entries > limits.entries) throw exceeded(`more than ${limits.entries} entries`);
      if (path.split('/').length > limits.depth) throw exceeded(`paths of more than ${limits.depth} names`);
      if (Buffer.byteLength(path) > limits.path) throw exceeded(`a path of more than ${limits.path} bytes`);
      if (bytes > source.size * EXPANSION) {
        throw exceeded(`files of more than ${EXPANSION} times its own size`);
      }
      for (const extent of extents) overlaps.file(extent);
    },
    finish: overlaps.finish,
  };
}
