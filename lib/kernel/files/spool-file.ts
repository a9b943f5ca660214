import { open } from 'node:fs/promises';
import type { Bytes } from '../../../formats/bytes.ts';
import { unwritable } from '../events/index.ts';
import { type OpenFile, openFile } from './open-file.ts';

/** Bytes that are gathered before they are written. */
const GATHERED = 1024 * 1024;

/**
 * Writes a stream, whose chunks may be lent, into a new file in a temporary folder, and opens it for random access.
 * Throws `disk-full`, `output-unwritable`, and what `bytes` throws.
 */
export async function spoolFile(path: string, bytes: Bytes, signal: AbortSignal): Promise<OpenFile> {
  const handle = await open(path, 'wx', 0o600).catch((error) => {
    throw unwritable(path, error);
  });
  try {
    const gathered = Buffer.allocUnsafe(GATHERED);
    let size = 0;
    const write = async (): Promise<void> => {
      await handle.writeFile(gathered.subarray(0, size)).catch((error) => {
        throw unwritable(path, error);
      });
      size = 0;
    };
    for await (const chunk of bytes) {
      signal.throwIfAborted();
      for (let at = 0; at < chunk.length; ) {
        const count = Math.min(chunk.length - at, GATHERED - size);
        gathered.set(chunk.subarray(at, at + count), size);
        at += count;
        size += count;
        if (size === GATHERED) await write();
      }
    }
    if (size > 0) await write();
  } finally {
    await handle.close();
  }
  return openFile(path);
}
