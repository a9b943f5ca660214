/** Bytes that are written at one place. */
export interface Write {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** What makes a damaged file of a sound one. */
export interface Damage {
  readonly writes: readonly Write[];
  /** Bytes of the damaged file: it may end early, or go on for a little. */
  readonly size: number;
}

/** How many bytes a damaged file may be longer than the sound one. */
export const SLACK = 4096;

/** A copy of a file that is damaged, read, and sound again, without being copied each time. */
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

  /** What was done to it. */
  get damage(): Damage {
    return { writes: this.#writes, size: this.#size };
  }

  /** Writes as much of `bytes` at `at` as there is room for. */
  write(at: number, bytes: Uint8Array): void {
    const own = Uint8Array.prototype.slice.call(bytes, 0, Math.max(0, this.original.length - at));
    if (own.length === 0) return;
    this.#bytes.set(own, at);
    this.#writes.push({ at, bytes: own });
  }

  /** Lets the file end at `size`, or at most `SLACK` bytes after its end. */
  resize(size: number): void {
    this.#size = Math.min(size, this.#bytes.length);
  }

  /** Does `damage` to the sound file. */
  apply({ writes, size }: Damage): void {
    this.reset();
    for (const { at, bytes } of writes) this.write(at, bytes);
    this.resize(size);
  }

  /** Makes the file sound again. */
  reset(): void {
    for (const { at, bytes } of this.#writes) this.original.copy(this.#bytes, at, at, at + bytes.length);
    this.#writes = [];
    this.#size = this.original.length;
  }
}
