/** Bytes that are written at one offset. */
export interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The difference between a sound file and a damaged one. */
export interface Damage {
  readonly writes: readonly Write[];
  /** Size of the damaged file, which may be shorter than the sound one, or a little longer. */
  readonly size: number;
}

/** How many bytes a damaged file may be longer than the sound one. */
export const SLACK = 4096;

/** A copy of a file that is damaged, read, and repaired, without being copied each time. */
export class Canvas {
  readonly original: Buffer;
  readonly #bytes: Buffer;
  #writes: Write[] = [];
  #size: number;

  constructor(original: Buffer) {
    this.original = original;
    this.#bytes = Buffer.concat([original, Buffer.alloc(SLACK)]);
    this.#size = original.length;
  }

  /** The file as it is now. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** The damage so far. */
  get damage(): Damage {
    return { writes: this.#writes, size: this.#size };
  }

  /** Writes `bytes` at `at`, as far as the file extends. */
  write(at: number, bytes: Uint8Array): void {
    const own = Uint8Array.prototype.slice.call(bytes, 0, Math.max(0, this.original.length - at));
    if (own.length === 0) return;
    this.#bytes.set(own, at);
    this.#writes.push({ at, bytes: own });
  }

  /** Sets the size of the file, to at most `SLACK` bytes more than the sound one's. */
  resize(size: number): void {
    this.#size = Math.min(size, this.#bytes.length);
  }

  /** Applies `damage` to the sound file. */
  apply({ writes, size }: Damage): void {
    this.reset();
    for (const { at, bytes } of writes) this.write(at, bytes);
    this.resize(size);
  }

  /** Repairs the file. */
  reset(): void {
    for (const { at, bytes } of this.#writes) this.original.copy(this.#bytes, at, at, at + bytes.length);
    this.#writes = [];
    this.#size = this.original.length;
  }
}
