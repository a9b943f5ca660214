import { memory } from '../../formats/bytes.ts';
import { limits } from '../../formats/iso9660/limits.ts';
import { type ImageTree, type OpenImageOptions, openIsoImage } from '../../formats/iso9660/read.ts';
import type { TreeEntry } from '../../formats/tree.ts';
import { isRefusal, must } from './violation.ts';

/** Every way to read an image. */
export const readings: readonly OpenImageOptions[] = [
  { namespace: 'rock-ridge' },
  { namespace: 'joliet' },
  { namespace: 'plain' },
  { lenient: true },
];

/** How many bytes of each file are read. */
const HEAD = 64;

/**
 * Opens an image in one way, walks it, looks up each path and reads the beginning of each file. Returns the code of the
 * error that refuses it, or undefined where everything was read. Throws `Violation` for what no image may cause.
 */
export async function readImage(image: Uint8Array, options: OpenImageOptions): Promise<string | undefined> {
  try {
    const tree = await openIsoImage(memory(image), options);
    const paths = new Set<string>();
    for await (const entry of tree.walk()) {
      checkPath(entry.path);
      must(!paths.has(entry.path), `the path ${JSON.stringify(entry.path)} is there twice`);
      paths.add(entry.path);
      await checkEntry(tree, image, entry);
    }
    return undefined;
  } catch (error) {
    if (isRefusal(error)) return error.code;
    throw error;
  }
}

/** Throws for a path that would leave the folder it is extracted into, or that is no usable name. */
export function checkPath(path: string): void {
  const bad = path.split('/').some((name) => name === '' || name === '.' || name === '..' || name.includes('\0'));
  must(!bad, `the path ${JSON.stringify(path)} leads elsewhere`);
  must(Buffer.byteLength(path) <= limits.path, 'a path is longer than the limit');
}

async function checkEntry(tree: ImageTree, image: Uint8Array, entry: TreeEntry): Promise<void> {
  const { path, type, size, extents, target } = entry;
  const about = JSON.stringify(path);
  let left = size;
  for (const extent of extents) {
    const { offset, size: length } = extent;
    must(Number.isSafeInteger(offset) && Number.isSafeInteger(length) && length > 0, `${about} has an odd extent`);
    must(offset >= 16 * 2048 && offset + length <= image.length, `an extent of ${about} lies outside of the image`);
    left -= length;
  }
  must(left === 0, `the extents of ${about} have other bytes than its size says`);
  must(type === 'file' || size === 0, `${about} has bytes, but is not a file`);
  must((type === 'symlink') === (target !== undefined), `${about} has a target, or lacks one`);
  must(target === undefined || (target !== '' && !target.includes('\0')), `${about} is a link to nothing`);
  const [first] = extents;
  if (first) await memory(image).read(first.offset, Math.min(first.size, HEAD));
  const found = await tree.lookup(path);
  must(found?.type === type && found.size === size, `looking ${about} up finds something else`);
}
