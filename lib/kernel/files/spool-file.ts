import { open } from 'node:fs/promises';
import type { Bytes } from '../../../formats/bytes.ts';
import { unwritable } from '../events/index.ts';
import { type OpenFile, openFile } from './open-file.ts';

/** Bytes that are gathered before they are written. */
const GATHERED = 1024 * 1024;

/**
 * Writes a stream into a new file in a temporary folder, and opens it for random access. Throws `disk-full`,
 * `output-unwritable`, and what `bytes` throws.
 */
export async function spoolFile(path: string, bytes: Bytes, signal: AbortSignal): Promise<OpenFile> {
  const handle = await open(path, 'wx', 0o600).catch((error) => {
    throw unwritable(path, error);
  });
  try {
    let gathered: Uint8Array[] = [];
    let size = 0;
    const write = async (): Promise<void> => {
      await handle.writeFile(gathered.length === 1 ? gathered[0]! : Buffer.concat(gathered)).catch((error) => {
        throw unwritable(path, error);
      });
      gathered = [];
      size = 0;
    };
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      gathered.push(chunk);
      size += chunk.length;
      if (size >= GATHERED) await write();
    }
    if (size > 0) await write();
  } finally {
    await handle.close();
  }
  return openFile(path);
}
