import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { algorithmOf, type Digest, hexOf } from '../../../formats/digest.ts';
import type { Job, Verdict } from './job.ts';
import { DISK_BLOCK } from './output.ts';

/** Bytes that are read, hashed and written at once: the memory that `readJob` is given. */
export const CHUNK: number = 1024 * 1024;

/** A system call on the target failed. */
export class TargetError extends Error {
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  }
}

/**
 * Takes `count` bytes of memory from `start` on, which are `done` bytes after the beginning of the content. Throws
 * `TargetError`.
 */
export type Take = (start: number, count: number, done: number) => void;

/**
 * Reads and hashes the content of a job, in `memory` of `CHUNK` bytes, and has `take` take each piece. Yields how many
 * bytes each had, and what they came to, below 0, where the file cannot be read to its end. System calls that wait are
 * faster than those that do not; between two pieces whoever asks for the next may see to other things.
 */
export function* readJob(job: Job, memory: Buffer, take?: Take): Generator<number, Verdict> {
  let done = 0;
  let file: number | undefined;
  try {
    // A named pipe would be waited for without end.
    file = job.descriptor ?? openSync(job.from.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const before = fstatSync(file, { bigint: true });
    if (!before.isFile()) return { kind: 'unread' };
    const there = job.from.size ?? Number(before.size) - job.from.offset;
    if (there !== job.size) return { kind: 'size', found: there, changed: false };
    const hash = createHash(algorithmOf(job.digest));
    while (done < job.size) {
      // What is read lies between two blocks as it will in the target.
      const start = ((job.to[0] ?? 0) + done) % DISK_BLOCK;
      const count = readSync(file, memory, start, Math.min(CHUNK - start, job.size - done), job.from.offset + done);
      if (count === 0) return { kind: 'size', found: done, changed: changed(file, before) };
      hash.update(memory.subarray(start, start + count));
      take?.(start, count, done);
      done += count;
      yield count;
    }
    const hex = hash.digest('hex');
    if (hex === hexOf(job.digest)) return { kind: 'done' };
    const found: Digest = `${algorithmOf(job.digest)}:${hex}`;
    return { kind: 'digest', found, changed: changed(file, before) };
  } catch (error) {
    if (error instanceof TargetError) return { kind: 'unwritten', code: error.code, message: error.message };
    if (done > 0) yield -done;
    return { kind: 'unread' };
  } finally {
    if (file !== undefined && job.descriptor === undefined) closeSync(file);
  }
}

function changed(file: number, before: BigIntStats): boolean {
  const { size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
  return size !== before.size || mtimeNs !== before.mtimeNs || ctimeNs !== before.ctimeNs;
}
