import type { Bytes } from './bytes.ts';
import { type FormatCode, FormatError } from './error.ts';

/** The fields of a frame, and how many bytes of each are read; of `content`, as many as the descriptor says. */
const fields = { magic: 4, size: 4, descriptor: 1, content: 8, block: 3 } as const;

/**
 * The limit on tiny frames: a stream may have `few` frames of any size; if it has more, they need `least` bytes each on
 * average. Every frame takes an engine of its own, and with it as much time as some thousand bytes.
 */
const FRAMES = { few: 1000, least: 64 } as const;

/** A stream of zstd frames. */
export interface ZstdFrames {
  /** Its bytes, unchanged. */
  readonly bytes: Bytes;
  /** Returns whether a frame of which `requireSize` was not asked yet ends at `position` of the stream. */
  isEnd(position: number): boolean;
  /**
   * Makes sure that the frames that end at `position` of the stream or before, and were not asked for yet, have become
   * `size` bytes together, if their headers say how many: libzstd does not look at that if the last block is empty and
   * the frame came in pieces.
   */
  requireSize(position: number, size: number): void;
}

/**
 * Hands on a stream of zstd frames and checks three things: that it begins with a frame, that the last frame is whole
 * (some releases of Node.js do not notice), and that there are not too many tiny ones (RFC 8878, 3.1: frames, skippable
 * frames and blocks). Throws `FormatError` of `code`.
 */
export function wholeFrames(bytes: Bytes, code: FormatCode): ZstdFrames {
  const walk = new Walk(code);
  return {
    bytes: walked(bytes, walk, code),
    isEnd: (position) => walk.isEnd(position),
    requireSize: (position, size) => walk.requireSize(position, size),
  };
}

async function* walked(bytes: Bytes, walk: Walk, code: FormatCode): Bytes {
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
  /** How many bytes the header of this frame announces, and how long that field is. */
  #announced: number | undefined;
  #announcedLength: number = fields.content;
  /** The frames whose end is known: where it is, and how many bytes they announce. */
  #ended: { readonly at: number; readonly size: number | undefined }[] = [];
  /** The first of them that `requireSize` was not asked for. */
  #next = 0;
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

  isEnd(position: number): boolean {
    return this.#ended[this.#next]?.at === position;
  }

  requireSize(position: number, size: number): void {
    let announced: number | undefined = 0;
    for (let frame = this.#ended[this.#next]; frame !== undefined && frame.at <= position; ) {
      announced = frame.size === undefined || announced === undefined ? undefined : announced + frame.size;
      this.#next += 1;
      frame = this.#ended[this.#next];
    }
    if (this.#next === this.#ended.length) [this.#ended, this.#next] = [[], 0];
    if (announced === undefined) return;
    if (announced === size) return;
    throw new FormatError(this.#code, `not zstd, or damaged: a frame announces ${announced} bytes, and holds ${size}`);
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
      if (this.#filled === this.#length) this.#enter(this.#value);
    }
  }

  get #length(): number {
    return this.#field === 'content' ? this.#announcedLength : fields[this.#field];
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
      this.#ended.push({ at: this.#at + value, size: 0 });
      this.#field = 'magic';
    } else if (this.#field === 'descriptor') {
      const single = (value & 0x20) !== 0;
      const content = [single ? 1 : 0, 2, 4, 8][value >> 6]!;
      this.#hasChecksum = (value & 4) !== 0;
      this.#skip = (single ? 0 : 1) + [0, 1, 2, 4][value & 3]!;
      this.#announced = undefined;
      this.#announcedLength = content;
      this.#field = content === 0 ? 'block' : 'content';
    } else if (this.#field === 'content') {
      // Two bytes hold 256 less than what they stand for.
      this.#announced = value + (this.#announcedLength === 2 ? 256 : 0);
      this.#field = 'block';
    } else {
      const [isLast, type, size] = [(value & 1) === 1, (value >> 1) & 3, value >> 3];
      // A block of type 1 repeats one byte, and stores only that byte.
      this.#skip = (type === 1 ? 1 : size) + (isLast && this.#hasChecksum ? 4 : 0);
      if (isLast) this.#ended.push({ at: this.#at + this.#skip, size: this.#announced });
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
