import { byteOrder, type ReadAt, requireRange } from '../../formats/bytes.ts';
import type { Extent, Tree, TreeEntry } from '../../formats/tree.ts';
import type { CarrierFile } from '../archives/carrier-file.ts';
import type { OpenedFiles } from '../archives/open.ts';

/** A file of an archive, and the bytes that it has. */
interface PlacedFile {
  readonly file: CarrierFile;
  readonly extent: Extent;
}

/**
 * Makes files out of the list of those that an archive has, as if they lay in a folder at `path`: their bytes have places one after
 * the other, and those that share them share a place. `bytesOf` gives random access to the bytes of one.
 */
export function listedFiles(
  path: string,
  files: readonly CarrierFile[],
  bytesOf: (file: CarrierFile) => ReadAt,
): Pick<OpenedFiles, 'tree' | 'file'> {
  const { placed, extents, size } = places(files);
  const entries = new Map<string, TreeEntry>();
  for (const { path: name, size: length, mode, key } of files) {
    for (let end = name.indexOf('/'); end > 0; end = name.indexOf('/', end + 1)) {
      const folder = name.slice(0, end);
      entries.set(folder, { path: folder, type: 'dir', size: 0, mode: 0o755, extents: [] });
    }
    const extent = extents.get(key);
    entries.set(name, { path: name, type: 'file', size: length, mode, extents: extent ? [extent] : [] });
  }
  const close = async (): Promise<void> => undefined;
  const read: ReadAt['read'] = async (offset, length, into) => {
    requireRange(size, offset, length);
    const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
    for (let done = 0; done < length; ) {
      const { file, extent } = placeAt(placed, offset + done);
      const from = offset + done - extent.offset;
      const count = Math.min(length - done, extent.size - from);
      const part = bytes.subarray(done, done + count);
      const found = await bytesOf(file).read(from, count, part);
      if (found !== part) part.set(found);
      done += count;
    }
    return bytes;
  };
  return { tree: treeOf(entries), file: { path, size, read, close, [Symbol.asyncDispose]: close } };
}

function places(files: readonly CarrierFile[]): {
  readonly placed: readonly PlacedFile[];
  readonly extents: ReadonlyMap<string, Extent>;
  readonly size: number;
} {
  const placed: PlacedFile[] = [];
  const extents = new Map<string, Extent>();
  let size = 0;
  for (const file of files) {
    if (file.size === 0 || extents.has(file.key)) continue;
    const extent = { offset: size, size: file.size };
    extents.set(file.key, extent);
    placed.push({ file, extent });
    size += file.size;
  }
  return { placed, extents, size };
}

function treeOf(entries: ReadonlyMap<string, TreeEntry>): Tree {
  return {
    held: entries.size,
    lookup: async (path) => entries.get(path),
    walk: async function* (path = '', atLeast = 0) {
      const below = path === '' ? '' : `${path}/`;
      const names = [...entries.keys()].filter((name) => name.startsWith(below) && name !== path).sort(inTreeOrder);
      for (const name of names) {
        const entry = entries.get(name)!;
        if (entry.type === 'dir' || entry.size >= atLeast) yield entry;
      }
    },
  };
}

/** The order in which a folder comes before what it holds, and names beside each other as their bytes do. */
function inTreeOrder(one: string, other: string): number {
  return byteOrder(one.replaceAll('/', '\0'), other.replaceAll('/', '\0'));
}

/** The file whose bytes lie at `offset`. */
function placeAt(placed: readonly PlacedFile[], offset: number): PlacedFile {
  let [from, to] = [0, placed.length];
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if (placed[middle]!.extent.offset <= offset) from = middle;
    else to = middle;
  }
  return placed[from]!;
}
