import { constants, type Stats } from 'node:fs';
import * as fs from 'node:fs/promises';
import { type ReadAt, requireRange } from '../../../formats/bytes.ts';
import { sizePair } from '../../../formats/size-words.ts';
import type { Extent } from '../../../formats/tree.ts';
import { SolpackError, unreadable } from '../events/index.ts';
import { deviceSize } from './block-device.ts';
import { promptReads } from './prompt-read.ts';

/** A file that is open for random access. */
export interface OpenFile extends ReadAt, AsyncDisposable {
  /** Path for messages. */
  readonly path: string;
  /** The descriptor by which other threads read the file; absent for a file that is not on this machine. */
  readonly descriptor?: number;
  /** Set for a block device: it may have more bytes than were written to it. */
  readonly isDevice?: true;
  /**
   * Reads the file whose path is the same with this ending; undefined where there is none. Absent where nobody vouches
   * for neighbours.
   */
  beside?(ending: string): Promise<Uint8Array | undefined>;
  /** Fetches ranges that will be read next, in as few requests as possible; absent where reading is cheap. */
  prefetch?(extents: readonly Extent[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens `path` for reading at any offset. `flags` are further flags of open(2). `opened` is the path to open, where
 * messages have to name another. Throws `file-missing` or `file-unreadable`.
 */
export async function openFile(path: string, flags: number = 0, opened: string = path): Promise<OpenFile> {
  let handle: fs.FileHandle;
  let stats: Stats;
  try {
    // Without O_NONBLOCK, opening a named pipe would wait without end.
    handle = await fs.open(opened, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | flags);
    stats = await handle.stat();
  } catch (error) {
    throw unreadable(path, error);
  }
  let { size } = stats;
  const isDevice = stats.isBlockDevice();
  if (isDevice) {
    await handle.close();
    ({ handle, size } = await openDevice(path, flags, opened));
  } else if (!stats.isFile()) {
    await handle.close();
    throw new SolpackError('file-unreadable', path, 'is not a regular file', { hint: 'name a file' });
  }
  const read = promptReads(handle);
  const close = (): Promise<void> => handle.close();
  return {
    path,
    descriptor: handle.fd,
    ...(isDevice ? { isDevice } : {}),
    size,
    read: async (offset, length, into) => {
      requireRange(size, offset, length);
      const buffer = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const count = await read(buffer, filled, length - filled, offset + filled).catch((error) => {
          throw unreadable(path, error);
        });
        if (count === 0) requireRange(offset + filled, offset, length);
        filled += count;
      }
      return buffer;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Opens a block device anew: with O_NONBLOCK, a drive without a medium would open too. */
async function openDevice(
  path: string,
  flags: number,
  opened: string,
): Promise<{ handle: fs.FileHandle; size: number }> {
  let handle: fs.FileHandle | undefined;
  try {
    handle = await fs.open(opened, constants.O_RDONLY | flags);
    const { rdev } = await handle.stat({ bigint: true });
    const size = await deviceSize(rdev);
    if (size > 0) return { handle, size };
  } catch (error) {
    await handle?.close();
    throw unreadable(path, error);
  }
  await handle.close();
  throw new SolpackError('file-unreadable', path, 'is a drive without a medium', { hint: 'insert the medium' });
}

/** Reads a small file whole; throws `file-unreadable` where it has more than `limit` bytes. */
export async function readFile(path: string, limit: number = 16 * 1024 * 1024): Promise<Uint8Array> {
  return readToEnd(await openFile(path), limit);
}

/** Reads a small file whole; undefined if there is none. Throws as `readFile`. */
export function readIfThere(path: string, limit?: number): Promise<Uint8Array | undefined> {
  return unlessMissing(readFile(path, limit));
}

/** Returns what `work` on a file gives; undefined if there is no such file. */
export async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'file-missing') return undefined;
    throw error;
  }
}

/** Reads an open file whole, and closes it. Throws as `readFile`. */
export async function readToEnd(file: OpenFile, limit: number): Promise<Uint8Array> {
  try {
    if (file.size > limit) {
      const [size, most] = sizePair(file.size, limit);
      const message = `has ${size}, more than the ${most} expected here`;
      throw new SolpackError('file-unreadable', file.path, message, { hint: 'is it the right file?' });
    }
    return await file.read(0, file.size);
  } finally {
    await file.close();
  }
}
