import type { Bytes } from './bytes.ts';
import { decompress } from './decompress.ts';
import { FormatError } from './error.ts';
import { sizeWords } from './size-words.ts';

/** How many bytes one byte of a layer may become; gzip (RFC 1951) makes at most 1032 of one. */
const RATIO = 1100;
/** Bytes that a layer may become in any case. */
const FREE = 1024 * 1024;

/** How a layer is compressed, by its first bytes. */
export type LayerCompression = 'gzip' | 'zstd' | 'none';

/** Returns how many bytes the tar archive in a layer of `size` bytes may have. */
export function mostPlainBytes(size: number): number {
  return FREE + size * RATIO;
}

/** Returns how the layer is compressed that begins with `head`: by gzip (RFC 1952), by Zstandard (RFC 8878), or not. */
export function layerCompression(head: Uint8Array): LayerCompression {
  const magic = Buffer.from(head.subarray(0, 4)).toString('hex');
  if (magic.startsWith('1f8b')) return 'gzip';
  return magic === '28b52ffd' || /^5[0-9a-f]2a4d18$/.test(magic) ? 'zstd' : 'none';
}

/**
 * Streams the tar archive in a layer of `size` bytes. Throws `FormatError` `layer-invalid` for damage, and for far more
 * bytes than layers have.
 */
export async function* plainLayer(bytes: Bytes, size: number): Bytes {
  const chunks = bytes[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done) return;
  async function* whole(): Bytes {
    yield first.value as Uint8Array;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  const algorithm = layerCompression(first.value);
  const total = mostPlainBytes(size);
  if (algorithm === 'none') yield* upTo(whole(), total);
  else {
    const how = {
      algorithm,
      code: 'layer-invalid',
      ratio: RATIO,
      free: total,
      budget: { left: total },
      total,
    } as const;
    yield* decompress(whole(), how);
  }
}

async function* upTo(bytes: Bytes, total: number): Bytes {
  let left = total;
  for await (const chunk of bytes) {
    left -= chunk.length;
    if (left < 0) throw new FormatError('layer-invalid', `has more than ${sizeWords(total)}`);
    yield chunk;
  }
}
