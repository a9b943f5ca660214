import { createHash, hash } from 'node:crypto';
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
  return digestOf(bytes, 'sha256');
}

/** The digest of bytes in memory, by one of the algorithms that `algorithmOf` knows. */
export function digestOf(bytes: Uint8Array | string, algorithm: ReturnType<typeof algorithmOf>): Digest {
  return `${algorithm}:${hash(algorithm, bytes)}` as Digest;
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
export function verified(bytes: Bytes, expected: { digest: Digest; size: number }): Bytes {
  return rereadable(() => bytes, expected, false)(0);
}

/** How often the state of a hash is kept, in bytes. */
const STEP = 4 * 1024 * 1024;
/** How many of those states are kept, beside the one at the start. */
const KEPT = 8;

/**
 * The same for content that can be opened more than once: gives a function that hands on the bytes from any offset on,
 * which are checked as a whole all the same. `open` is asked for the bytes from an offset on, which is always 0 unless
 * it `seeks`; what was hashed before is mostly not read again. Only the stream that was asked for last may be read.
 */
export function rereadable(
  open: (offset: number) => Bytes,
  expected: { digest: Digest; size: number },
  seeks: boolean,
): (offset: number) => Bytes {
  const algorithm = algorithmOf(expected.digest);
  const marks = [{ at: 0, hash: createHash(algorithm) }];
  return async function* (offset) {
    while (marks.length > 1 && marks.at(-1)!.at > (seeks ? offset : 0)) marks.pop();
    const mark = marks.at(-1)!;
    const hash = mark.hash.copy();
    let at = mark.at;
    let held: Uint8Array | undefined;
    for await (const chunk of open(at)) {
      hash.update(chunk);
      const known = Math.min(chunk.length, Math.max(0, offset - at));
      at += chunk.length;
      if (at > expected.size) throw mismatch(expected, 'but there are more');
      if (seeks && at - marks.at(-1)!.at >= STEP) {
        marks.push({ at, hash: hash.copy() });
        if (marks.length > KEPT) marks.splice(1, 1);
      }
      if (held) yield held;
      held = known === chunk.length ? undefined : chunk.subarray(known);
    }
    if (at !== expected.size) throw mismatch(expected, `but has ${at}`);
    const found = hash.digest('hex');
    if (found !== hexOf(expected.digest)) {
      throw new FormatError('digest-mismatch', `expected ${expected.digest}, found ${algorithm}:${found}`);
    }
    if (held) yield held;
  };
}

function mismatch({ digest, size }: { digest: Digest; size: number }, found: string): FormatError {
  return new FormatError('size-mismatch', `${digest} should have ${size} bytes, ${found}`);
}
