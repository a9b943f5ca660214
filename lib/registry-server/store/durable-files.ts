import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../system-errors.ts';

/** Whether an error is that a disk, or what somebody may use of it, is full. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '');
}

/** Makes a folder and what leads to it, so that a power cut does not take them back. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await fs.mkdir(path, { recursive: true, mode: 0o755 });
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Makes names that were given or taken in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Gives the file `from`, whose bytes are durable already, the name `to`, durably. */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeDurableFolder(dirname(to));
  await fs.rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a small file whole or not at all, durably; `temporary` is a folder on the same disk. */
export async function writeWhole(temporary: string, path: string, bytes: Uint8Array | string): Promise<void> {
  const pending = join(temporary, randomUUID());
  try {
    const handle = await fs.open(pending, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveInto(pending, path);
  } catch (error) {
    await fs.rm(pending, { force: true });
    throw error;
  }
}

/** Takes a file away, durably; one that is gone already is no error. */
export async function removeFile(path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** What is in a folder, in the order of its bytes; nothing where there is no such folder. */
export async function entriesOf(path: string): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await fs.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
