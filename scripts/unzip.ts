import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';

/** A file in a zip archive, as its central directory describes it. */
interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  /** The offset of its local header. */
  readonly offset: number;
}

/**
 * Writes the file `name` of the zip archive `archive` to `target`, with `mode`. Reads what the PKWARE appnote sections
 * 4.3.7, 4.3.12 and 4.3.16 describe, without ZIP64 and encryption; checks size and CRC-32. Throws on anything else.
 */
export async function unzip(archive: string, name: string, target: string, mode: number): Promise<void> {
  const file = await open(archive);
  try {
    await unpack(file, archive, name, target, mode);
  } finally {
    await file.close();
  }
}

async function unpack(file: FileHandle, archive: string, name: string, target: string, mode: number): Promise<void> {
  const entry = (await directory(file)).find((candidate) => candidate.name === name);
  if (!entry) throw new Error(`${archive} holds no ${name}`);
  if (entry.method !== 0 && entry.method !== 8) throw new Error(`${name} is compressed by method ${entry.method}`);
  const local = await read(file, entry.offset, 30);
  const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  let crc = 0;
  let size = 0;
  const packed = file.createReadStream({ start, end: start + entry.packedSize - 1, autoClose: false });
  const inflate = entry.method === 8 ? createInflateRaw() : new PassThrough();
  async function* measure(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of bytes) {
      crc = crc32(chunk, crc);
      size += chunk.length;
      yield chunk;
    }
  }
  await pipeline(packed, inflate, measure, createWriteStream(target, { mode }));
  if (size !== entry.size || crc !== entry.crc) throw new Error(`${name} in ${archive} is damaged`);
}

async function directory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const length = Math.min(size, 22 + 0xffff);
  const tail = await read(file, size - length, length);
  const end = tail.lastIndexOf('PK\u0005\u0006', tail.length - 22, 'latin1');
  if (end < 0) throw new Error('not a zip archive');
  const records = await read(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let at = 0; at < records.length; ) {
    if (records.readUInt32LE(at) !== 0x02014b50) throw new Error('the directory of a zip archive is damaged');
    const nameLength = records.readUInt16LE(at + 28);
    entries.push({
      name: records.toString('utf8', at + 46, at + 46 + nameLength),
      method: records.readUInt16LE(at + 10),
      crc: records.readUInt32LE(at + 16),
      packedSize: records.readUInt32LE(at + 20),
      size: records.readUInt32LE(at + 24),
      offset: records.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + records.readUInt16LE(at + 30) + records.readUInt16LE(at + 32);
  }
  return entries;
}

async function read(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, offset);
  if (bytesRead !== length) throw new Error('a zip archive ends too early');
  return buffer;
}
