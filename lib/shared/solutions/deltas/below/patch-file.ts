import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Bytes, join as joined, once, slice } from '../../../../../formats/bytes.ts';
import { encodeStep, patchHead } from '../../../../../formats/layer-patch/control.ts';
import type { PatchStep } from '../../../../../formats/layer-patch/layout.ts';
import { unwritable } from '../../../../kernel/events/index.ts';
import { type OpenFile, openFile, spoolFile } from '../../../../kernel/files/index.ts';

/** How each part is compressed: hard, in some MiB of memory. */
const params = {
  [constants.ZSTD_c_compressionLevel]: 15,
  [constants.ZSTD_c_windowLog]: 22,
  [constants.ZSTD_c_hashLog]: 19,
  [constants.ZSTD_c_chainLog]: 20,
} as const;

/** Bytes that are gathered before they are compressed. */
const GATHERED = 256 * 1024;

/** Writes a patch step by step. Steps that continue each other become one. */
export class PatchFile {
  readonly #folder: string;
  readonly #signal: AbortSignal;
  readonly #parts: readonly Part[];
  #pending: PatchStep | undefined;

  /** Begins a patch in an empty folder for it. */
  constructor(folder: string, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
    this.#parts = ['control', 'diff', 'extra'].map((name) => new Part(join(folder, name)));
  }

  /** Adds new bytes. */
  async extra(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0) return;
    await this.#step({ kind: 'extra', length: bytes.length });
    await this.#parts[2]!.write(bytes);
  }

  /** Copies bytes of a source. */
  async copy(source: number, offset: number, length: number): Promise<void> {
    if (length > 0) await this.#step({ kind: 'copy', source, offset, length });
  }

  /** Adds differences to bytes of a source. */
  async add(source: number, offset: number, diff: Uint8Array): Promise<void> {
    if (diff.length === 0) return;
    await this.#step({ kind: 'add', source, offset, length: diff.length });
    await this.#parts[1]!.write(diff);
  }

  /** Ends the patch, and opens it. */
  async finish(): Promise<OpenFile> {
    await this.#flush();
    const sizes: number[] = [];
    for (const part of this.#parts) sizes.push(await part.end());
    const files = await Promise.all(this.#parts.map(({ path }) => openFile(path)));
    try {
      const bodies = files.map((file): Bytes => slice(file, 0, file.size));
      const bytes = joined([once(patchHead(sizes)), ...bodies]);
      return await spoolFile(join(this.#folder, 'patch'), bytes, this.#signal);
    } finally {
      await Promise.all(files.map((file) => file.close()));
    }
  }

  async #step(step: PatchStep): Promise<void> {
    const before = this.#pending;
    if (before?.kind === 'extra' && step.kind === 'extra') {
      this.#pending = { ...before, length: before.length + step.length };
      return;
    }
    if (before && before.kind !== 'extra' && step.kind === before.kind) {
      const continues = step.source === before.source && step.offset === before.offset + before.length;
      if (continues) {
        this.#pending = { ...before, length: before.length + step.length };
        return;
      }
    }
    await this.#flush();
    this.#pending = step;
  }

  async #flush(): Promise<void> {
    if (this.#pending) await this.#parts[0]!.write(encodeStep(this.#pending));
    this.#pending = undefined;
  }
}

/** A part of a patch, compressed into a file. */
class Part {
  readonly path: string;
  readonly #zstd = createZstdCompress({ params });
  readonly #done: Promise<void>;
  readonly #gathered = Buffer.allocUnsafe(GATHERED);
  #size = 0;
  #failed: { error: unknown } | undefined;

  constructor(path: string) {
    this.path = path;
    this.#done = pipeline(this.#zstd, createWriteStream(path, { flags: 'wx', mode: 0o600 })).catch((error) => {
      this.#failed = { error: unwritable(path, error) };
    });
  }

  /** Takes bytes, which may change afterwards. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, GATHERED - this.#size);
      this.#gathered.set(bytes.subarray(at, at + count), this.#size);
      at += count;
      this.#size += count;
      if (this.#size === GATHERED) await this.#compress();
    }
  }

  /** Returns its size in bytes. */
  async end(): Promise<number> {
    await this.#compress();
    this.#zstd.end();
    await this.#done;
    this.#requireWritable();
    return (await stat(this.path)).size;
  }

  async #compress(): Promise<void> {
    this.#requireWritable();
    const bytes = this.#gathered.subarray(0, this.#size);
    this.#size = 0;
    await Promise.race([new Promise<void>((done) => this.#zstd.write(bytes, () => done())), this.#done]);
    this.#requireWritable();
  }

  #requireWritable(): void {
    if (this.#failed) throw this.#failed.error;
  }
}
