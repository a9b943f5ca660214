/** Memory for pieces of content, reused again and again. */
export interface PieceMemory {
  /** Returns memory of at least `size` bytes. */
  take(size: number): Uint8Array;
  /** Takes back the memory of `bytes`, which nobody may read any longer. Ignores memory that was not taken here. */
  give(bytes: Uint8Array): void;
}

/** How many unused pieces are kept. */
const KEPT = 32;

/**
 * Creates memory for pieces of `most` bytes. The piece that was given back last is used first, because it is still in
 * the caches of the processor: reading, checking and sending it then cost one trip to main memory instead of three.
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
