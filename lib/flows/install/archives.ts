import type { Digest } from '../../../formats/digest.ts';
import type { Archive } from '../../parts/archives/index.ts';

/** An archive as plans are made from it: what was read when it was opened. */
export type ReadArchive = Pick<Archive, 'path' | 'catalog'>;

/** Lists the roots of archives, by which the inputs of steps name them. */
export function rootsOf(archives: readonly ReadArchive[]): Digest[] {
  return archives.map(({ catalog }) => catalog.root.digest);
}

/** Finds the archives that the inputs of a step name by their roots, in that order. */
export function archivesOf<One extends ReadArchive>(archives: readonly One[], roots: readonly Digest[]): One[] {
  return roots.map((root) => {
    const found = archives.find(({ catalog }) => catalog.root.digest === root);
    if (found === undefined) throw new Error(`no archive of the root ${root} is open`);
    return found;
  });
}
