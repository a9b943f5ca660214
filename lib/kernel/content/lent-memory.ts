import { ring } from '../../../formats/bytes.ts';

/**
 * Chunks of this size are read, in bytes: small enough for the caches of a processor, large enough that handling one is
 * cheap.
 */
const CHUNK = 1024 * 1024;

/** Chunks of a ring. */
const COUNT = 4;

/** Rings that are kept for who comes next, one for each transfer that is usually under way. */
const KEPT = 4;

/** Memory for the chunks of one transfer. */
export interface LentMemory {
  /** Memory for the next chunk: that of the last chunk but three. */
  readonly next: () => Uint8Array;
  /** Gives the memory back. Nothing may read it any longer; where that is not known, it is better forgotten. */
  done(): void;
}

const free: (() => Uint8Array)[] = [];

/**
 * Lends memory for the chunks of `size` bytes. What was given back is lent again: new memory has to be found and
 * cleared by the system first, which takes about as long as to read into it.
 */
export function lendMemory(size: number): LentMemory {
  if (size < CHUNK) return { next: ring(Math.max(size, 1), COUNT), done: () => undefined };
  const next = free.pop() ?? ring(CHUNK, COUNT);
  return {
    next,
    done: () => {
      if (free.length < KEPT && !free.includes(next)) free.push(next);
    },
  };
}
