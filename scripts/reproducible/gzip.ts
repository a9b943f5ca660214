import { gzipSync } from 'fflate';

/**
 * Compresses `bytes` (RFC 1952), without a name and a time. fflate is locked, whereas each Node.js brings a zlib of its own: so the
 * same bytes come out wherever this runs.
 */
export function gzip(bytes: Uint8Array): Uint8Array {
  return gzipSync(bytes, { level: 6, mtime: 0 });
}
