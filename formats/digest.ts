import { createHash } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import { FormatError } from './error.ts';

/** A content address, `algorithm:hex` (image-spec "Digests"). */
export type Digest = `sha256:${string}` | `sha512:${string}`;

const grammar = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** Whether `value` is a digest of an algorithm on the allow-list, spelled canonically. */
export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && grammar.test(value);
}

/** Returns `value` as a digest; throws `FormatError` `digest-invalid`. */
export function parseDigest(value: string): Digest {
  if (!isDigest(value)) throw new FormatError('digest-invalid', `${JSON.stringify(value)} is not a digest`);
  return value;
}

/** The algorithm of a digest, as `node:crypto` and an OCI layout's folders name it. */
export function algorithmOf(digest: Digest): 'sha256' | 'sha512' {
  return digest.startsWith('sha256:') ? 'sha256' : 'sha512';
}

/** The hexadecimal part of a digest. */
export function hexOf(digest: Digest): string {
  return digest.slice(digest.indexOf(':') + 1);
}

/** The SHA-256 digest of bytes in memory. */
export function sha256(bytes: Uint8Array | string): Digest {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** Reads a stream to its end, and tells its SHA-256 digest and its size in bytes. */
export async function measure(bytes: Bytes): Promise<{ digest: Digest; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { digest: `sha256:${hash.digest('hex')}`, size };
}

/**
 * Hands on `bytes` and makes sure that they are the ones that `expected` names. Size is checked before digest,
 * trailing data is an error, and the last chunk is held back until both hold: a consumer that reached the end
 * has the right bytes. Throws `FormatError` `size-mismatch` or `digest-mismatch`.
 */
export async function* verified(bytes: Bytes, expected: { digest: Digest; size: number }): Bytes {
  const hash = createHash(algorithmOf(expected.digest));
  let size = 0;
  let held: Uint8Array | undefined;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > expected.size) {
      throw new FormatError(
        'size-mismatch',
        `${expected.digest} should have ${expected.size} bytes, but there are more`,
      );
    }
    hash.update(chunk);
    if (held) yield held;
    held = chunk;
  }
  if (size !== expected.size) {
    throw new FormatError('size-mismatch', `${expected.digest} should have ${expected.size} bytes, but has ${size}`);
  }
  const found = hash.digest('hex');
  if (found !== hexOf(expected.digest)) {
    throw new FormatError(
      'digest-mismatch',
      `expected ${expected.digest}, found ${algorithmOf(expected.digest)}:${found}`,
    );
  }
  if (held) yield held;
}
