import { requireRange } from '../../../../formats/bytes.ts';
import { FormatError } from '../../../../formats/error.ts';
import type { Extent } from '../../../../formats/tree.ts';
import type { OpenFile } from '../../../kernel/files/index.ts';
import type { OpenedFiles } from '../../../parts/archives/index.ts';

/** Where made bytes begin behind a folder, whose files get their places as they are asked for. */
const BEHIND = 2 ** 50;

/** A file with bytes behind its end that are in memory. */
export interface Appended {
  readonly file: OpenFile;
  /** Puts bytes behind the end, and says where. */
  readonly append: (bytes: Uint8Array) => Extent[];
}

/** Lets the bytes of `opened` be followed by others, so that files of either have places in one. */
export function appended({ file, carrier }: OpenedFiles): Appended {
  const base = carrier ? file.size : BEHIND;
  const parts: { readonly offset: number; readonly bytes: Uint8Array }[] = [];
  let end = base;
  const made = (offset: number, length: number): Uint8Array => {
    const part = parts.findLast((one) => one.offset <= offset);
    const from = offset - (part?.offset ?? 0);
    if (!part || from + length > part.bytes.length) throw new FormatError('truncated', `nothing is at ${offset}`);
    return part.bytes.subarray(from, from + length);
  };
  const { prefetch } = file;
  return {
    file: {
      path: file.path,
      ...(file.descriptor === undefined ? {} : { descriptor: file.descriptor }),
      get size() {
        return end;
      },
      read: async (offset, length, into) => {
        if (offset < base) return file.read(offset, length, into);
        requireRange(end, offset, length);
        const bytes = made(offset, length);
        into?.set(bytes);
        return into?.subarray(0, length) ?? bytes;
      },
      ...(prefetch
        ? {
            prefetch: (extents) =>
              prefetch.call(
                file,
                extents.filter(({ offset }) => offset < base),
              ),
          }
        : {}),
      close: () => file.close(),
      [Symbol.asyncDispose]: () => file.close(),
    },
    append: (bytes) => {
      if (bytes.length === 0) return [];
      const offset = end;
      parts.push({ offset, bytes });
      end += bytes.length;
      return [{ offset, size: bytes.length }];
    },
  };
}
