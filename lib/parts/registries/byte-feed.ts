import type { Bytes } from '../../../formats/bytes.ts';

/** A stream that is handed on piece by piece. */
export interface Feed {
  /** Returns the next `size` bytes, or as many as there are. The piece before has to be read to its end. */
  take(size: number): Bytes;
  /** Lets go of the rest. */
  close(): Promise<void>;
}

/** Makes a feed of `bytes`, which are not touched before the first piece is read. */
export function feedOf(bytes: Bytes): Feed {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let rest: Uint8Array = new Uint8Array();
  return {
    take: async function* (size) {
      chunks ??= bytes[Symbol.asyncIterator]();
      for (let left = size; left > 0; ) {
        if (rest.length === 0) {
          const next = await chunks.next();
          if (next.done) return;
          rest = next.value;
          continue;
        }
        const piece = rest.subarray(0, left);
        rest = rest.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
    close: async () => void (await chunks?.return?.()),
  };
}
