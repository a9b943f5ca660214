import { gzipSync } from 'fflate';

/**
 * Compresses `bytes` (RFC 1952), without a name and a time. fflate is locked, whereas each Node.js brings a zlib of its
 * own: so the same bytes come out wherever this runs. Level 9 is asked for where somebody looks whether it was.
 */
export function gzip(bytes: Uint8Array, level: 6 | 9 = 6): Uint8Array {
  return gzipSync(bytes, { level, mtime: 0 });
}
