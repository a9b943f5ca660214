import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import type { Bytes } from '../../../formats/bytes.ts';
import { type Host, reasonOf, SolpackError, unwritable } from '../../kernel/events/index.ts';
import { type OpenFile, openFile, temporaryFolder } from '../../kernel/files/index.ts';

/** How far a compressed archive may grow. Real layers stay far below; a decompression bomb would fill the disk. */
const limits = {
  /** Decompressed bytes for each compressed byte, beyond the first `free` ones. */
  ratio: 100,
  free: 64 * 1024 * 1024,
} as const;

/** Stores a stream in a temporary file while it is read: a tar archive has no directory, so it needs random access. */
export async function spool(bytes: Bytes, host: Host): Promise<OpenFile> {
  const folder = await temporaryFolder(host);
  try {
    const path = join(folder.path, 'archive.tar');
    await writeAll(path, bytes);
    const file = await openFile(path);
    const close = async (): Promise<void> => {
      await file.close();
      await folder[Symbol.asyncDispose]();
    };
    return { path, size: file.size, read: file.read, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Decompresses `file`, where it is compressed by gzip (RFC 1952) or Zstandard (RFC 8878), and closes it. Undefined
 * where it is not compressed by these. Throws `source-invalid` where it is damaged or exceeds `limits`.
 */
export async function decompressed(file: OpenFile, host: Host): Promise<OpenFile | undefined> {
  const magic = Buffer.from(await file.read(0, Math.min(4, file.size))).toString('hex');
  const isGzip = magic.startsWith('1f8b');
  if (!isGzip && magic !== '28b52ffd') return undefined;
  const spooled = await spool(plainBytes(file, isGzip ? createGunzip() : createZstdDecompress()), host);
  await file.close();
  return spooled;
}

async function* plainBytes({ path, size }: OpenFile, plain: Gunzip | ZstdDecompress): Bytes {
  let total = 0;
  // The error is also thrown by `plain`, when that is read; nobody waits for this promise.
  pipeline(createReadStream(path), plain).catch(() => undefined);
  try {
    for await (const chunk of plain) {
      total += chunk.length;
      if (total > Math.max(limits.free, size * limits.ratio)) throw bomb(path);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof SolpackError) throw cause;
    throw new SolpackError('source-invalid', path, `cannot be decompressed: ${reasonOf(cause)}`, {
      cause,
      hint: 'make the archive again, or copy it again',
    });
  }
}

function bomb(path: string): SolpackError {
  return new SolpackError('source-invalid', path, `decompresses to more than ${limits.ratio} times its size`, {
    hint: 'if that is intended, decompress it by hand, and name the result',
  });
}

async function writeAll(path: string, bytes: Bytes): Promise<void> {
  const handle = await open(path, 'wx', 0o600).catch((error) => {
    throw unwritable(path, error);
  });
  try {
    for await (const chunk of bytes) {
      await handle.writeFile(chunk).catch((error) => {
        throw unwritable(path, error);
      });
    }
  } finally {
    await handle.close();
  }
}
