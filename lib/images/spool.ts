import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress, type Gunzip, type ZstdDecompress } from 'node:zlib';
import type { Bytes } from '../../formats/bytes.ts';
import { SolpackError } from '../errors.ts';
import type { Host } from '../host.ts';
import { type OpenFile, openFile } from '../open-file.ts';
import { reasonOf, unwritable } from '../system-errors.ts';
import { temporaryFolder } from '../temporary.ts';

/** What a compressed archive may become; layers are far from it, and a bomb would fill the disk. */
const limits = {
  /** Bytes for each compressed byte, past the first ones. */
  ratio: 100,
  free: 64 * 1024 * 1024,
} as const;

/** A tar archive has no directory: what comes as a stream, or compressed, is kept in a file while it is read. */
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
 * What `file` holds, decompressed, where gzip (RFC 1952) or Zstandard (RFC 8878) compressed it; `file` is closed then.
 * Undefined where it is not compressed by these. Throws `source-invalid` where it is damaged, or becomes more than `limits`.
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
  // Its failure comes out of `plain`, which nobody would hear before that is read.
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
    hint: 'decompress it by hand where that is meant, and name what comes out',
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
