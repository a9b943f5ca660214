import { type ReadAt, requireRange } from '../bytes.ts';
import { BLOCK } from './block.ts';

/** How much is read around a header where entries are small, in bytes. */
const WINDOW = 64 * 1024;

/**
 * Reads small pieces of `source` at rising offsets, many of them with one read. Behind a large file it reads little,
 * since the next entry is likely large too. Throws `FormatError` `truncated`, like `ReadAt.read`.
 */
export function windowed(source: ReadAt): ReadAt['read'] {
  let start = 0;
  let bytes: Uint8Array = new Uint8Array(0);
  return async (offset, length) => {
    const end = start + bytes.length;
    if (offset < start || offset + length > end) {
      requireRange(source.size, offset, length);
      const ahead = offset - end < WINDOW ? WINDOW : 8 * BLOCK;
      bytes = await source.read(offset, Math.min(Math.max(length, ahead), source.size - offset));
      start = offset;
    }
    return bytes.subarray(offset - start, offset - start + length);
  };
}
