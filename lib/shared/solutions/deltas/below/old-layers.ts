import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Bytes, fleeting, type ReadAt, ring, STREAM_CHUNK } from '../../../../../formats/bytes.ts';
import { FormatError } from '../../../../../formats/error.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import { plainLayer } from '../../../../../formats/plain-layer.ts';
import { scanTar } from '../../../../../formats/tar/scan.ts';
import { type OpenFile, spoolFile } from '../../../../kernel/files/index.ts';

/** A layer of an older release, with the tar archive in it in a temporary file. */
export interface OldLayer {
  readonly descriptor: Descriptor;
  /** Which of the bases has it. */
  readonly base: number;
  readonly tar: OpenFile;
}

/** An entry of a tar archive: its headers, then its bytes up to the next entry. */
export interface TarPiece {
  readonly name: string;
  /** Where its headers begin, and where they end. */
  readonly start: number;
  readonly data: number;
  /** Where the next entry begins. */
  readonly end: number;
}

/** An entry of a layer of an older release. */
export interface OldPiece extends TarPiece {
  readonly layer: OldLayer;
}

const BLOCK = 512;

/** How many entries of one name are remembered: those of more layers are mostly alike. */
const ALIKE = 4;

/** How many entries of all layers are remembered. */
const PIECES = 1_000_000;

/** Lists the entries of a tar archive, as far as it can be read; what is behind them belongs to none. */
export async function* tarPieces(tar: ReadAt): AsyncGenerator<TarPiece> {
  let start = 0;
  try {
    for await (const { name, size, data } of scanTar(tar)) {
      const end = Math.min(tar.size, data + Math.ceil(size / BLOCK) * BLOCK);
      yield { name, start, data, end };
      start = end;
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
  }
}

/** Memory for what is hashed: only one entry is at a time. */
const hashed = ring(STREAM_CHUNK, 1);

/** Hashes the bytes of an entry, with what fills its last block. */
export async function hashPiece(tar: ReadAt, { data, end }: TarPiece): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fleeting(tar, data, end - data, hashed)) hash.update(chunk);
  return hash.digest('base64').slice(0, 22);
}

/** The entries of older layers, by what they are found by. */
export class OldLayers {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #layers: OldLayer[] = [];
  readonly #byPath = new Map<string, OldPiece[]>();
  readonly #byLikeness = new Map<string, OldPiece[]>();
  readonly #byHash = new Map<string, OldPiece>();
  #count = 0;

  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
  }

  /** Adds a layer. One that cannot be read adds nothing. */
  async add(descriptor: Descriptor, base: number, bytes: Bytes): Promise<void> {
    const path = join(this.#folder, `old-${this.#layers.length}`);
    const layer = { descriptor, base, tar: await spoolFile(path, plainLayer(bytes, descriptor.size), this.#signal) };
    this.#layers.push(layer);
    for await (const piece of tarPieces(layer.tar)) {
      this.#signal.throwIfAborted();
      if (this.#count >= PIECES) return;
      this.#count += 1;
      const old = { ...piece, layer };
      remember(this.#byPath, piece.name, old);
      if (piece.end === piece.data) continue;
      remember(this.#byLikeness, likenessOf(piece.name), old);
      const hash = await hashPiece(layer.tar, piece);
      if (!this.#byHash.has(hash)) this.#byHash.set(hash, old);
    }
  }

  /** Returns the entry whose headers are likely the same. */
  named(name: string): OldPiece | undefined {
    return this.#byPath.get(name)?.[0];
  }

  /** Returns an entry with the same bytes. */
  same(hash: string, name: string): OldPiece | undefined {
    const found = this.#byHash.get(hash);
    // The entry of the same name has its headers beside it, so that both are copied at once.
    const named = this.#byPath.get(name)?.find((one) => one.end - one.data === (found ? found.end - found.data : -1));
    return found && named?.layer === found.layer ? named : found;
  }

  /**
   * Returns the entry that resembles one with other bytes: one of the same name, or of nearly the same; of these, of
   * the closest size.
   */
  alike({ name, data, end }: TarPiece): OldPiece | undefined {
    const candidates = this.#byPath.get(name)?.filter((one) => one.end > one.data) ?? [];
    const all = candidates.length > 0 ? candidates : (this.#byLikeness.get(likenessOf(name)) ?? []);
    const difference = (one: TarPiece): number => Math.abs(one.end - one.data - (end - data));
    return [...all].sort((a, b) => difference(a) - difference(b))[0];
  }

  async close(): Promise<void> {
    await Promise.all(this.#layers.map(({ tar }) => tar.close()));
  }
}

function remember(map: Map<string, OldPiece[]>, key: string, piece: OldPiece): void {
  const known = map.get(key);
  if (!known) map.set(key, [piece]);
  else if (known.length < ALIKE) known.push(piece);
}

/** Returns the last part of a name, without what a version changes: digits, and hashes. */
function likenessOf(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.replaceAll(/[0-9a-f]{8,}/g, '#').replaceAll(/[0-9]+/g, '#');
}
