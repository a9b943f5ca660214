import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** Seconds after which a read had to wait for a disk. */
const SLOW = 0.005;

/** Reads that are left to other threads after a slow one. */
const LEFT = 16;

/** Bytes that are read at once before whatever else there is to do gets its turn. */
const TURN = 4 * 1024 * 1024;

/** Bytes that may still be read in this turn of the event loop, whichever file they are of. */
let budget = TURN;

/** Reads up to `length` bytes at `offset` of a file into `memory` from `start` on; resolves to how many there were. */
export type PromptRead = (memory: Uint8Array, start: number, length: number, offset: number) => Promise<number>;

/**
 * Reads of `handle`. What the system has in memory is copied at once, which takes less time than to ask another thread
 * and to wait for it; reads that have to wait for a disk are left to such a thread. Rejects with the error of the
 * system.
 */
export function promptReads(handle: FileHandle): PromptRead {
  let left = 0;
  return async (memory, start, length, offset) => {
    // Of a file that was closed the handle itself says so.
    if (left > 0 || budget <= 0 || handle.fd < 0) {
      left = Math.max(0, left - 1);
      return (await handle.read(memory, start, length, offset)).bytesRead;
    }
    if (budget === TURN) {
      setImmediate(() => {
        budget = TURN;
      });
    }
    budget -= length;
    // The clock of `performance` would have to be loaded.
    const begun = process.uptime();
    const count = readSync(handle.fd, memory, start, length, offset);
    if (process.uptime() - begun > SLOW) left = LEFT;
    return count;
  };
}
