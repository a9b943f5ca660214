import { crc32 } from 'node:zlib';
import { Deflate } from 'fflate';
import type { Bytes } from '../bytes.ts';

// Magic, deflate, no flags, no time, no level, unknown system.
const header = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** How much the compressor gets at a time: where its input is cut may change its output. */
const PIECE = 64 * 1024;

/**
 * Compresses bytes by gzip (RFC 1952). The same bytes are compressed the same way on every machine, however they are
 * cut: zlib does not promise that, because its output differs from release to release and from processor to processor.
 */
export async function* gzip(bytes: Bytes): Bytes {
  const made: Uint8Array[] = [];
  const deflate = new Deflate({ level: 6, mem: 8 }, (chunk) => made.push(chunk));
  const piece = new Uint8Array(PIECE);
  let filled = 0;
  let size = 0;
  let crc = 0;
  yield header;
  for await (const chunk of bytes) {
    crc = crc32(chunk, crc);
    size += chunk.length;
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + PIECE - filled);
      piece.set(part, filled);
      filled += part.length;
      at += part.length;
      if (filled < PIECE) continue;
      deflate.push(piece);
      filled = 0;
      yield* made.splice(0);
    }
  }
  deflate.push(piece.subarray(0, filled), true);
  yield* made.splice(0);
  const trailer = new Uint8Array(8);
  new DataView(trailer.buffer).setUint32(0, crc, true);
  new DataView(trailer.buffer).setUint32(4, size % 2 ** 32, true);
  yield trailer;
}
