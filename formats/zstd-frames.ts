import type { Bytes } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';

/** The fields of a frame, and how many bytes of each are read. */
const fields = { magic: 4, size: 4, descriptor: 1, block: 3 } as const;

/**
 * The limit on tiny frames: a stream may have `few` frames of any size; if it has more, they need `least` bytes each on
 * average. Every frame takes an engine of its own, and with it as much time as some thousand bytes.
 */
const FRAMES = { few: 1000, least: 64 } as const;

/**
 * Hands on a stream of zstd frames and checks three things: that it begins with a frame, that the last frame is whole
 * (some releases of Node.js do not notice), and that there are not too many tiny ones (RFC 8878, 3.1: frames, skippable
 * frames and blocks). Throws `FormatError` of `code`.
 */
export async function* wholeFrames(bytes: Bytes, code: FormatCode): Bytes {
  const walk = new Walk(code);
  for await (const chunk of bytes) {
    walk.over(chunk);
    yield chunk;
  }
  if (!walk.isBetween) throw new FormatError(code, 'not zstd, or damaged: unexpected end of file');
}

/** Follows a stream of frames field by field. */
class Walk {
  readonly #code: FormatCode;
  #field: keyof typeof fields = 'magic';
  /** The bytes of the current field so far, as a little-endian number. */
  #value = 0;
  #filled = 0;
  /** How many bytes to skip before the field. */
  #skip = 0;
  #hasChecksum = false;
  /** How many frames have begun, and how many bytes were read. */
  #frames = 0;
  #at = 0;

  constructor(code: FormatCode) {
    this.#code = code;
  }

  /** Returns whether the stream lies between two frames. */
  get isBetween(): boolean {
    return this.#field === 'magic' && this.#filled === 0 && this.#skip === 0;
  }

  over(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#skip, chunk.length - at);
      this.#skip -= skipped;
      this.#at += skipped;
      at += skipped;
      if (at === chunk.length) return;
      this.#value += chunk[at]! * 2 ** (8 * this.#filled);
      this.#filled += 1;
      this.#at += 1;
      at += 1;
      if (this.#filled === fields[this.#field]) this.#enter(this.#value);
    }
  }

  #enter(value: number): void {
    this.#value = 0;
    this.#filled = 0;
    if (this.#field === 'magic') {
      this.#countFrame();
      const skippable = value >= 0x184d2a50 && value <= 0x184d2a5f;
      if (!skippable && value !== 0xfd2fb528) throw new FormatError(this.#code, 'not zstd, or damaged: no frame');
      this.#field = skippable ? 'size' : 'descriptor';
    } else if (this.#field === 'size') {
      this.#skip = value;
      this.#field = 'magic';
    } else if (this.#field === 'descriptor') {
      const single = (value & 0x20) !== 0;
      const content = [single ? 1 : 0, 2, 4, 8][value >> 6]!;
      this.#hasChecksum = (value & 4) !== 0;
      this.#skip = (single ? 0 : 1) + [0, 1, 2, 4][value & 3]! + content;
      this.#field = 'block';
    } else {
      const [isLast, type, size] = [(value & 1) === 1, (value >> 1) & 3, value >> 3];
      // A block of type 1 repeats one byte, and stores only that byte.
      this.#skip = (type === 1 ? 1 : size) + (isLast && this.#hasChecksum ? 4 : 0);
      this.#field = isLast ? 'magic' : 'block';
    }
  }
  #countFrame(): void {
    this.#frames += 1;
    if (this.#frames <= FRAMES.few || this.#at >= this.#frames * FRAMES.least) return;
    throw new FormatError(
      this.#code,
      `more than ${FRAMES.few} frames of zstd with fewer than ${FRAMES.least} bytes each`,
    );
  }
}
