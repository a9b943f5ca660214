import { type ReadAt, slice } from '../../../../../formats/bytes.ts';
import { differences } from '../../../../../formats/layer-patch/difference.ts';
import { hashPiece, type OldLayer, type OldLayers, type OldPiece, type TarPiece, tarPieces } from './old-layers.ts';
import type { PatchFile } from './patch-file.ts';

/**
 * Bytes of a file that are compared at once, and of the older file around the same place: they bound the memory that it
 * takes.
 */
const WINDOW = { fresh: 12 * 1024 * 1024, old: 16 * 1024 * 1024 } as const;

/**
 * Writes the tar archive of a layer as copies of, and differences to, files of older layers. Returns the layers that it
 * reads, in the order of their numbers.
 */
export async function writeTarPatch(
  tar: ReadAt,
  old: OldLayers,
  patch: PatchFile,
  signal: AbortSignal,
): Promise<readonly OldLayer[]> {
  const used: OldLayer[] = [];
  const numberOf = (layer: OldLayer): number => {
    if (!used.includes(layer)) used.push(layer);
    return used.indexOf(layer);
  };
  let end = 0;
  for await (const piece of tarPieces(tar)) {
    signal.throwIfAborted();
    await writePiece(tar, piece, old, patch, numberOf);
    end = piece.end;
  }
  for await (const bytes of slice(tar, end, tar.size - end)) await patch.extra(bytes);
  return used;
}

async function writePiece(
  tar: ReadAt,
  piece: TarPiece,
  old: OldLayers,
  patch: PatchFile,
  numberOf: (layer: OldLayer) => number,
): Promise<void> {
  const { name, start, data, end } = piece;
  const same = end > data ? old.same(await hashPiece(tar, piece), name) : undefined;
  await writeHead(await tar.read(start, data - start), same ?? old.named(name), patch, numberOf);
  if (end === data) return;
  if (same) {
    await patch.copy(numberOf(same.layer), same.data, end - data);
    return;
  }
  const alike = old.alike(piece);
  if (alike) await writeDifferences(tar, piece, alike, patch, numberOf);
  else for await (const bytes of slice(tar, data, end - data)) await patch.extra(bytes);
}

/** Writes the headers of an entry: mostly they are those of the older entry, with another time. */
async function writeHead(
  head: Uint8Array,
  old: OldPiece | undefined,
  patch: PatchFile,
  numberOf: (layer: OldLayer) => number,
): Promise<void> {
  if (!old || old.data - old.start !== head.length) {
    await patch.extra(head);
    return;
  }
  const before = await old.layer.tar.read(old.start, head.length);
  if (Buffer.compare(before, head) === 0) await patch.copy(numberOf(old.layer), old.start, head.length);
  else await patch.add(numberOf(old.layer), old.start, differing(before, head, 0, 0, head.length));
}

async function writeDifferences(
  tar: ReadAt,
  { data, end }: TarPiece,
  old: OldPiece,
  patch: PatchFile,
  numberOf: (layer: OldLayer) => number,
): Promise<void> {
  const [size, oldSize] = [end - data, old.end - old.data];
  for (let at = 0; at < size; at += WINDOW.fresh) {
    const length = Math.min(WINDOW.fresh, size - at);
    const oldLength = Math.min(WINDOW.old, oldSize);
    // The window of the older file lies around the same share of it.
    const middle = Math.round(((at + length / 2) / size) * oldSize);
    const oldAt = Math.max(0, Math.min(oldSize - oldLength, middle - Math.floor(oldLength / 2)));
    const fresh = await tar.read(data + at, length);
    const before = await old.layer.tar.read(old.data + oldAt, oldLength);
    let from = 0;
    for (const run of differences(before, fresh)) {
      if (run.kind === 'new') await patch.extra(fresh.subarray(from, from + run.length));
      else {
        const diff = differing(before, fresh, run.offset, from, run.length);
        await patch.add(numberOf(old.layer), old.data + oldAt + run.offset, diff);
      }
      from += run.length;
    }
  }
}

/** Subtracts old bytes from new ones, modulo 256. */
function differing(before: Uint8Array, fresh: Uint8Array, offset: number, from: number, length: number): Uint8Array {
  const diff = Buffer.allocUnsafe(length);
  for (let at = 0; at < length; at += 1) diff[at] = fresh[from + at]! - before[offset + at]!;
  return diff;
}
