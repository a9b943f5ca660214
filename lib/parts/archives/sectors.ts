import { open } from 'node:fs/promises';
import { type ReadAt, requireRange } from '../../../formats/bytes.ts';
import { unwritable } from '../../kernel/events/index.ts';
import { ownPath } from '../../kernel/files/index.ts';

/** Bytes that every disk writes whole or not at all. */
export const DISK_SECTOR = 512;

/** A file that can be changed in place. */
export interface SectorFile extends ReadAt {
  write(bytes: Uint8Array, offset: number): Promise<void>;
  /** Resolves once the disk has what was written. */
  sync(): Promise<void>;
}

/**
 * Opens an existing file to change it in place, through no link that may be of somebody else. Throws `path-escapes`,
 * `output-unwritable`.
 */
export async function openSectors(path: string): Promise<SectorFile & { close(): Promise<void> }> {
  const trying = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  const handle = await trying(async () => open(await ownPath(path), 'r+'));
  const { size } = await trying(() => handle.stat());
  return {
    size,
    read: (offset, length) =>
      trying(async () => {
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await handle.read(bytes, 0, length, offset);
        requireRange(offset + bytesRead, offset, length);
        return bytes;
      }),
    write: (bytes, offset) =>
      trying(async () => {
        for (let done = 0; done < bytes.length; ) {
          done += (await handle.write(bytes, done, bytes.length - done, offset + done)).bytesWritten;
        }
      }),
    sync: () => trying(() => handle.sync()),
    close: () => handle.close(),
  };
}

/**
 * Replaces what begins with the bytes `head` at `offset`, the start of a sector, by `after`, which may be long; whether
 * it was there. The first sector is `blank` while the rest is written, and comes last, each once the disk has what was
 * before: what has a blank head is nothing yet, or nothing any more.
 */
export async function replaceBehindHead(
  file: SectorFile,
  offset: number,
  head: Uint8Array,
  after: Uint8Array,
  blank: Uint8Array,
): Promise<boolean> {
  if (!Buffer.from(await file.read(offset, DISK_SECTOR)).equals(head)) return false;
  const first = after.subarray(0, DISK_SECTOR);
  if (!blank.subarray(0, DISK_SECTOR).every((byte, index) => byte === head[index])) {
    await file.write(blank.subarray(0, DISK_SECTOR), offset);
    await file.sync();
  }
  await file.write(after.subarray(DISK_SECTOR), offset + DISK_SECTOR);
  await file.sync();
  await file.write(first, offset);
  await file.sync();
  return true;
}

/**
 * Replaces the bytes `before` at `offset`, the start of a sector, by `after`; whether they were there. Only sectors
 * that differ are written: the last one first, each once the disk has the one behind it. So a change within one sector,
 * such as that of a bundle this project makes, is there whole or not at all; and of a longer one the head comes last.
 */
export async function replaceSectors(
  file: SectorFile,
  offset: number,
  before: Uint8Array,
  after: Uint8Array,
): Promise<boolean> {
  const there = Buffer.from(await file.read(offset, before.length));
  if (!there.equals(before)) return false;
  for (let at = Math.floor((after.length - 1) / DISK_SECTOR) * DISK_SECTOR; at >= 0; at -= DISK_SECTOR) {
    const sector = after.subarray(at, at + DISK_SECTOR);
    if (there.subarray(at, at + DISK_SECTOR).equals(sector)) continue;
    await file.write(sector, offset + at);
    await file.sync();
  }
  return true;
}
