import { closeSync, constants, openSync, writeSync } from 'node:fs';

/** Memory, offsets and lengths of what goes past the page cache are multiples of this: no disk has larger blocks. */
export const DISK_BLOCK = 4096;

/** Bytes below which the page cache is quicker: nothing else runs while a thread waits for the disk. */
const WORTHWHILE = 256 * 1024;

// TypeScript knows it as a part of the web only.
declare const WebAssembly: {
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
};

/** The file that a worker writes to. */
export interface Output {
  /**
   * Writes `length` bytes of `memory` from `start` on to the offset `place` of the file. Where `start` and `place` lie
   * alike between two multiples of `DISK_BLOCK`, the whole blocks go past the page cache.
   */
  write(memory: Uint8Array, start: number, length: number, place: number): void;
  close(): void;
}

/** Opens the file `path`, which exists; `direct` asks to write past the page cache (`O_DIRECT`), where that works. */
export function openOutput(path: string, direct: boolean): Output {
  const cached = openSync(path, 'r+');
  let past = direct ? openDirect(path) : undefined;
  const closeDirect = (): void => {
    if (past !== undefined) closeSync(past);
    past = undefined;
  };
  return {
    write: (memory, start, length, place) => {
      const head = Math.min(length, -place & (DISK_BLOCK - 1));
      const whole = (length - head) & -DISK_BLOCK;
      let done = 0;
      if (past !== undefined && whole >= WORTHWHILE && start % DISK_BLOCK === place % DISK_BLOCK) {
        writeAll(cached, memory, start, head, place);
        const written = writeBlocks(past, memory, start + head, whole, place + head);
        if (written < whole) closeDirect();
        done = head + written;
      }
      writeAll(cached, memory, start + done, length - done, place + done);
    },
    close: () => {
      closeDirect();
      closeSync(cached);
    },
  };
}

/**
 * Makes memory that begins at a multiple of `DISK_BLOCK`, which that of a `Buffer` need not: the memory of a
 * WebAssembly module begins at a page.
 */
export function alignedMemory(size: number): Buffer {
  const pages = Math.ceil(size / 65_536);
  return Buffer.from(new WebAssembly.Memory({ initial: pages, maximum: pages }).buffer, 0, size);
}

function openDirect(path: string): number | undefined {
  if (constants.O_DIRECT === undefined) return undefined;
  try {
    return openSync(path, constants.O_RDWR | constants.O_DIRECT);
  } catch (error) {
    // Some file systems have only the page cache.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}

/** Writes blocks; returns how many bytes the file system took this way. */
function writeBlocks(file: number, memory: Uint8Array, start: number, length: number, place: number): number {
  let done = 0;
  try {
    while (done < length) {
      const count = writeSync(file, memory, start + done, length - done, place + done);
      done += count;
      if (count % DISK_BLOCK !== 0) break;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return done;
}

function writeAll(file: number, memory: Uint8Array, start: number, length: number, place: number): void {
  for (let done = 0; done < length; ) done += writeSync(file, memory, start + done, length - done, place + done);
}

function isRefusal(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EINVAL' || error.code === 'EOPNOTSUPP');
}
