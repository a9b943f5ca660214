import { type ReadAt, requireRange } from '../../../../formats/bytes.ts';
import type { Extent } from '../../../../formats/tree.ts';
import type { CarrierFile, OpenedFiles } from '../../../parts/archives/index.ts';
import { entryTree } from './entry-tree.ts';

/** A file of an archive, and the bytes that it has. */
interface PlacedFile {
  readonly file: CarrierFile;
  readonly extent: Extent;
}

/**
 * Makes files out of the list of those that an archive has, as if they lay in a folder at `path`: their bytes have
 * places one after the other, and those that share them share a place. `bytesOf` gives random access to the bytes of
 * one.
 */
export function listedFiles(
  path: string,
  files: readonly CarrierFile[],
  bytesOf: (file: CarrierFile) => ReadAt,
): Pick<OpenedFiles, 'tree' | 'file'> {
  const { placed, extents, size } = places(files);
  const tree = entryTree(
    files.map(({ path: name, size: length, mode, key }) => {
      const extent = extents.get(key);
      return { path: name, type: 'file', size: length, mode, extents: extent ? [extent] : [] };
    }),
  );
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
  return { tree, file: { path, size, read, close, [Symbol.asyncDispose]: close } };
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
