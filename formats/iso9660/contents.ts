import type { FileEntry } from '../segments.ts';
import { unrepresentable } from './nodes.ts';

/** Bytes that one or more paths name, stored once. */
export interface Content {
  readonly key: string;
  readonly size: number;
  /** The first path that names it. */
  readonly path: string;
  /** How many paths name it. */
  links: number;
  /** Logical block of its first byte, once it has a place. */
  block: number;
}

/**
 * The contents of `files` by key, in the order in which their keys first appear. Empty files have none: they share no
 * bytes. Throws `FormatError` `iso9660-unrepresentable` where files of one key differ in size.
 */
export function gatherContents(files: readonly FileEntry[]): Map<string, Content> {
  const contents = new Map<string, Content>();
  const sizes = new Map<string, number>();
  for (const { key, size, path } of files) {
    const known = sizes.get(key) ?? size;
    if (known !== size) throw unrepresentable(path, `its content has ${size} bytes here and ${known} elsewhere`);
    sizes.set(key, size);
    if (size === 0) continue;
    const content = contents.get(key);
    if (content) content.links += 1;
    else contents.set(key, { key, size, path, links: 1, block: 0 });
  }
  return contents;
}
