import { crc32 } from 'node:zlib';
import type { Bytes } from '../bytes.ts';
import { FormatError } from '../error.ts';

/** Most bytes that a stored block of deflate can hold (RFC 1951, 3.2.4). */
const STORED = 65_535;
// Magic, deflate, no flags, no time, no level, unknown system.
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** How many bytes `gzipStored` makes of `size` bytes. */
export function gzipStoredSize(size: number): number {
  return header.length + Math.max(1, Math.ceil(size / STORED)) * 5 + size + 8;
}

/**
 * Wraps exactly `size` bytes in gzip (RFC 1952) without compressing them: deflate blocks of type "stored" only, so
 * that the bytes do not depend on any compressor. Throws `FormatError` `size-mismatch` where `bytes` has another size.
 */
export async function* gzipStored(bytes: Bytes, size: number): Bytes {
  yield header;
  let crc = 0;
  let done = 0;
  let block = new Uint8Array(0);
  let filled = 0;
  const begin = (): void => {
    const length = Math.min(STORED, size - done - filled);
    block = new Uint8Array(5 + length);
    block[0] = done + filled + length === size ? 1 : 0;
    new DataView(block.buffer).setUint16(1, length, true);
    new DataView(block.buffer).setUint16(3, ~length & 0xffff, true);
    done += filled;
    filled = 0;
  };
  begin();
  for await (const chunk of bytes) {
    crc = crc32(chunk, crc);
    for (let at = 0; at < chunk.length; ) {
      if (filled === block.length - 5) {
        if (done + filled === size) throw mismatch(size);
        yield block;
        begin();
      }
      const part = chunk.subarray(at, at + block.length - 5 - filled);
      block.set(part, 5 + filled);
      filled += part.length;
      at += part.length;
    }
  }
  if (done + filled !== size) throw mismatch(size);
  yield block;
  const trailer = new Uint8Array(8);
  new DataView(trailer.buffer).setUint32(0, crc, true);
  new DataView(trailer.buffer).setUint32(4, size % 2 ** 32, true);
  yield trailer;
}

function mismatch(size: number): FormatError {
  return new FormatError('size-mismatch', `${size} bytes were announced, but there are more or fewer`);
}
