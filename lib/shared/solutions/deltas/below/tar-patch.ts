import { fleeting, type ReadAt } from '../../../../../formats/bytes.ts';
import { differences } from '../../../../../formats/layer-patch/difference.ts';
import { hashPiece, type OldLayer, type OldLayers, type OldPiece, type TarPiece, tarPieces } from './old-layers.ts';
import type { PatchFile } from './patch-file.ts';

/**
 * Bytes of a file that are compared at once, and of the older file around the same place: they bound the memory that it
 * takes.
 */
const WINDOW = { fresh: 4 * 1024 * 1024, old: 8 * 1024 * 1024 } as const;

/** Bytes that are handed on at once. */
const CHUNK = 256 * 1024;

/** Memory for comparing files, which is used again for each. */
class Memory {
  readonly fresh: Uint8Array = Buffer.allocUnsafe(WINDOW.fresh);
  readonly old: Uint8Array = Buffer.allocUnsafe(WINDOW.old);
  readonly diff: Uint8Array = Buffer.allocUnsafe(CHUNK);
  readonly chunk: Uint8Array = Buffer.allocUnsafe(CHUNK);
  readonly places: Int32Array = new Int32Array(WINDOW.old / 2);
}

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
  const writer = new PieceWriter(tar, patch, numberOf);
  let end = 0;
  for await (const piece of tarPieces(tar)) {
    signal.throwIfAborted();
    await writer.write(piece, old);
    end = piece.end;
  }
  await writer.extra(end, tar.size);
  return used;
}

/** Writes the entries of a tar archive into a patch. */
class PieceWriter {
  readonly #tar: ReadAt;
  readonly #patch: PatchFile;
  readonly #numberOf: (layer: OldLayer) => number;
  readonly #memory = new Memory();

  constructor(tar: ReadAt, patch: PatchFile, numberOf: (layer: OldLayer) => number) {
    this.#tar = tar;
    this.#patch = patch;
    this.#numberOf = numberOf;
  }

  async write(piece: TarPiece, old: OldLayers): Promise<void> {
    const { name, start, data, end } = piece;
    const same = end > data ? old.same(await hashPiece(this.#tar, piece), name) : undefined;
    await this.#writeHead(await this.#tar.read(start, data - start), same ?? old.named(name));
    if (end === data) return;
    if (same) {
      await this.#patch.copy(this.#numberOf(same.layer), same.data, end - data);
      return;
    }
    const alike = old.alike(piece);
    if (alike) await this.#writeDifferences(piece, alike);
    else await this.extra(data, end);
  }

  /** Writes bytes that resemble none. */
  async extra(start: number, end: number): Promise<void> {
    const next = (): Uint8Array => this.#memory.chunk;
    for await (const bytes of fleeting(this.#tar, start, end - start, next)) await this.#patch.extra(bytes);
  }

  /** Writes the headers of an entry: mostly they are those of the older entry, with another time. */
  async #writeHead(head: Uint8Array, old: OldPiece | undefined): Promise<void> {
    if (!old || old.data - old.start !== head.length) {
      await this.#patch.extra(head);
      return;
    }
    const before = await old.layer.tar.read(old.start, head.length);
    if (Buffer.compare(before, head) === 0) {
      await this.#patch.copy(this.#numberOf(old.layer), old.start, head.length);
    } else await this.#add(old.layer, old.start, before, head);
  }

  async #writeDifferences({ data, end }: TarPiece, old: OldPiece): Promise<void> {
    const [size, oldSize] = [end - data, old.end - old.data];
    for (let at = 0; at < size; at += WINDOW.fresh) {
      const length = Math.min(WINDOW.fresh, size - at);
      const oldLength = Math.min(WINDOW.old, oldSize);
      // The window of the older file lies around the same share of it.
      const middle = Math.round(((at + length / 2) / size) * oldSize);
      const oldAt = Math.max(0, Math.min(oldSize - oldLength, middle - Math.floor(oldLength / 2)));
      const fresh = await this.#tar.read(data + at, length, this.#memory.fresh);
      const before = await old.layer.tar.read(old.data + oldAt, oldLength, this.#memory.old);
      let from = 0;
      for (const run of differences(before, fresh, this.#memory.places)) {
        const bytes = fresh.subarray(from, from + run.length);
        if (run.kind === 'new') await this.#patch.extra(bytes);
        else {
          const same = before.subarray(run.offset, run.offset + run.length);
          await this.#add(old.layer, old.data + oldAt + run.offset, same, bytes);
        }
        from += run.length;
      }
    }
  }

  /** Adds the differences of `fresh` to `before`, which are the bytes of an older layer at `offset`: modulo 256. */
  async #add(layer: OldLayer, offset: number, before: Uint8Array, fresh: Uint8Array): Promise<void> {
    const { diff } = this.#memory;
    for (let at = 0; at < fresh.length; at += diff.length) {
      const length = Math.min(diff.length, fresh.length - at);
      for (let byte = 0; byte < length; byte += 1) diff[byte] = fresh[at + byte]! - before[at + byte]!;
      await this.#patch.add(this.#numberOf(layer), offset + at, diff.subarray(0, length));
    }
  }
}
