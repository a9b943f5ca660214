import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../../kernel/events/index.ts';

/** Decides whether an error says that the disk, or a quota on it, is full. */
export function isFull(error: unknown): boolean {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(codeOf(error) ?? '');
}

/** Makes a folder and its parents, durably. */
export async function makeDurableFolder(path: string): Promise<void> {
  const first = await fs.mkdir(path, { recursive: true, mode: 0o755 });
  for (let made = path; first !== undefined && made.length >= first.length; made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** Makes added and removed names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await fs.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames the file `from`, whose bytes are durable already, to `to`, durably. */
export async function moveInto(from: string, to: string): Promise<void> {
  await makeDurableFolder(dirname(to));
  await fs.rename(from, to);
  await syncFolder(dirname(to));
}

/** Writes a small file, wholly or not at all, durably. `temporary` is a folder on the same disk. */
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

/** Removes a file, durably. Does nothing where it is absent. */
export async function removeFile(path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Lists a folder in byte order; empty where the folder is absent. */
export async function folderEntries(path: string): Promise<{ readonly name: string; readonly isFolder: boolean }[]> {
  try {
    const entries = await fs.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}
