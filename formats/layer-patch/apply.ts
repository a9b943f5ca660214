import { type Bytes, type ReadAt, slice, window } from '../bytes.ts';
import { decompress } from '../decompress.ts';
import { FormatError } from '../error.ts';
import { sizeWords } from '../size-words.ts';
import { PATCH_HEAD, PATCH_MAGIC, patchKinds } from './layout.ts';
import { PartReader } from './part-reader.ts';
import { SourceReader, SourceWindows } from './source-reader.ts';

/** Bytes of the chunks that are handed on. */
const CHUNK = 256 * 1024;

/** Bytes that all instructions of a patch may have at most. */
const CONTROL_LIMIT = 256 * 1024 * 1024;

/**
 * Applies a patch to `sources`, and hands on the `size` bytes that it makes, in chunks that are valid until the next
 * one is asked for. Takes some MiB of memory, whatever the patch says. Throws `FormatError` `patch-invalid` for a
 * damaged patch, and for one that makes more or fewer bytes.
 */
export async function* applyPatch(patch: ReadAt, sources: readonly ReadAt[], size: number): Bytes {
  const [control, diff, extra] = await partsOf(patch, size);
  const windows = new SourceWindows();
  const readers = sources.map((source) => new SourceReader(source, windows));
  const chunk = Buffer.allocUnsafe(CHUNK);
  let filled = 0;
  let made = 0;
  try {
    while (!(await control.atEnd())) {
      const kind = await control.byte();
      const source = kind === patchKinds.extra ? undefined : readers[await control.number()];
      let offset = kind === patchKinds.extra ? 0 : await control.number();
      let left = await control.number();
      if (kind > patchKinds.add || left === 0) throw bad('has an instruction that does nothing');
      if (kind !== patchKinds.extra && source === undefined) throw bad('reads a source that it does not have');
      made += left;
      if (made > size) throw bad(`makes more than ${sizeWords(size)}`);
      while (left > 0) {
        const count = Math.min(left, CHUNK - filled);
        const into = chunk.subarray(filled, filled + count);
        if (source === undefined) await extra.fill(into);
        else {
          if (!source.fillNow(into, offset)) await source.fill(into, offset);
          if (kind === patchKinds.add && !diff.addNow(into)) await diff.add(into);
        }
        offset += count;
        left -= count;
        filled += count;
        if (filled < CHUNK) continue;
        yield chunk;
        filled = 0;
      }
    }
    if (made !== size) throw bad(`makes ${sizeWords(made)} in the place of ${sizeWords(size)}`);
    if (!(await diff.atEnd()) || !(await extra.atEnd())) throw bad('has bytes that no instruction uses');
    if (filled > 0) yield chunk.subarray(0, filled);
  } finally {
    await Promise.all([control, diff, extra].map((part) => part.close()));
  }
}

/** Opens the parts of a patch: instructions, differences and new bytes. */
async function partsOf(patch: ReadAt, size: number): Promise<[PartReader, PartReader, PartReader]> {
  if (patch.size < PATCH_HEAD) throw bad('is too short');
  const head = Buffer.from(await patch.read(0, PATCH_HEAD));
  if (!head.subarray(0, PATCH_MAGIC.length).equals(PATCH_MAGIC)) throw bad('does not begin as one');
  const sizes = [8, 16, 24].map((at) => Number(head.readBigUInt64LE(at)));
  if (sizes.reduce((sum, one) => sum + one, PATCH_HEAD) !== patch.size)
    throw bad('has parts of other sizes than it says');
  let at = PATCH_HEAD;
  const [control, diff, extra] = sizes.map((length, part) => {
    const range = window(patch, at, length);
    at += length;
    const total = part === 0 ? CONTROL_LIMIT : size;
    const how = { algorithm: 'zstd', code: 'patch-invalid', ratio: 1, free: Number.POSITIVE_INFINITY } as const;
    return new PartReader(decompress(slice(range, 0, length), { ...how, budget: { left: total }, total }));
  });
  return [control!, diff!, extra!];
}

function bad(why: string): FormatError {
  return new FormatError('patch-invalid', `the patch of a layer ${why}`);
}
