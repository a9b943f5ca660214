/** Memory that pieces of content are read into, used again and again. */
export interface PieceMemory {
  /** Memory of `size` bytes, or of more. */
  take(size: number): Uint8Array;
  /** Gives back the memory that `bytes` lie in, which nobody may read any longer; what was not taken here is left alone. */
  give(bytes: Uint8Array): void;
}

/** How many pieces that nobody needs are kept. */
const KEPT = 32;

/**
 * Keeps memory for pieces of `most` bytes. What was given back last is used first: it is in the caches of the processor still,
 * so that reading a piece, checking it and sending it cost one way to main memory and not three.
 */
export function createPieceMemory(most: number): PieceMemory {
  const free: ArrayBuffer[] = [];
  const taken = new WeakSet<ArrayBufferLike>();
  return {
    take: (size) => {
      if (size < most) return new Uint8Array(size);
      const buffer = free.pop() ?? new ArrayBuffer(most);
      taken.add(buffer);
      return new Uint8Array(buffer);
    },
    give: ({ buffer }) => {
      if (taken.delete(buffer) && free.length < KEPT) free.push(buffer as ArrayBuffer);
    },
  };
}
