import { createHash, hash } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import { FormatError } from './error.ts';
import { sizePair, sizeWords } from './size-words.ts';

/** A content address, `algorithm:hex` (image-spec "Digests"). */
export type Digest = `sha256:${string}` | `sha512:${string}`;

const grammar = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

/** Returns whether `value` is a digest in its canonical spelling, of an algorithm that is allowed here. */
export function isDigest(value: unknown): value is Digest {
  return typeof value === 'string' && grammar.test(value);
}

/** Returns the algorithm of a digest, as `node:crypto` and the folders of an OCI layout call it. */
export function algorithmOf(digest: Digest): 'sha256' | 'sha512' {
  return digest.startsWith('sha256:') ? 'sha256' : 'sha512';
}

/** Returns the hexadecimal part of a digest. */
export function hexOf(digest: Digest): string {
  return digest.slice(digest.indexOf(':') + 1);
}

/** Hashes bytes in memory by SHA-256. */
export function sha256(bytes: Uint8Array | string): Digest {
  return digestOf(bytes, 'sha256');
}

/** Hashes bytes in memory by `algorithm`. */
export function digestOf(bytes: Uint8Array | string, algorithm: ReturnType<typeof algorithmOf>): Digest {
  return `${algorithm}:${hash(algorithm, bytes)}` as Digest;
}

/** Reads a stream to its end. Returns its SHA-256 digest and its size in bytes. */
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
 * Hands on `bytes` and checks that they are those that `expected` names, neither more nor fewer. The last chunk is held
 * back until size and digest are known to be right. So a consumer that reaches the end has the right bytes. Throws
 * `FormatError` `size-mismatch` (which is checked first) or `digest-mismatch`.
 */
export function verified(bytes: Bytes, expected: { digest: Digest; size: number }): Bytes {
  return rereadable(() => bytes, expected, false)(0);
}

/** After how many bytes the state of a hash is kept again. */
const STEP = 4 * 1024 * 1024;
/** How many of these states are kept, beside the one at the start. */
const KEPT = 8;

/**
 * Does the same for content that can be opened more than once. Returns a function that hands on the bytes from any
 * offset on; the content is checked as a whole nevertheless.
 * `open` streams the bytes from an offset on. That offset is always 0 unless `seeks`. With `seeks`, what was hashed
 * before is mostly not read again. Only the stream that was asked for last may be read.
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
      if (at > expected.size)
        throw mismatch(`${expected.digest} should have ${sizeWords(expected.size)}, but there are more`);
      if (seeks && at - marks.at(-1)!.at >= STEP) {
        marks.push({ at, hash: hash.copy() });
        if (marks.length > KEPT) marks.splice(1, 1);
      }
      if (held) yield held;
      held = known === chunk.length ? undefined : chunk.subarray(known);
    }
    if (at !== expected.size) {
      const [wanted, has] = sizePair(expected.size, at);
      throw mismatch(`${expected.digest} should have ${wanted}, but has ${has}`);
    }
    const found = hash.digest('hex');
    if (found !== hexOf(expected.digest)) {
      throw new FormatError('digest-mismatch', `expected ${expected.digest}, found ${algorithm}:${found}`);
    }
    if (held) yield held;
  };
}

function mismatch(message: string): FormatError {
  return new FormatError('size-mismatch', message);
}
