import { type ReadAt, requireRange } from '../../../formats/bytes.ts';
import type { Extent } from '../../../formats/tree.ts';
import { pool } from '../events/index.ts';
import { readAhead } from './read-ahead.ts';

/** Random access that keeps what it has read, for sources where each read is a round trip. */
export interface CachedRead extends ReadAt {
  /** Fetches ranges that will be read next. Ranges close to each other are fetched with one read. */
  prefetch(extents: readonly Extent[]): Promise<void>;
}

/** Bytes of a block, the unit that is fetched and kept. */
const BLOCK = 32 * 1024;
/** Most bytes that are kept. */
const KEPT = 32 * 1024 * 1024;
/** Most blocks that one prefetch fetches: 8 MiB. */
const PREFETCHED = 256;
/** The widest gap between wanted blocks that is fetched with them, in blocks. */
const HOLE = 2;

/** A run of blocks, from the first to the last one. */
interface Run {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads `source` in aligned blocks, adjacent ones with one read, and keeps the most recently used. A block is read
 * once, even if it is asked for twice at the same time. A reader that continues where its last read ended gets ever
 * more blocks ahead; after a while these are fetched in the background, and blocks that it has passed are not kept.
 * `head` is the beginning of the source, where that is known already.
 */
export function cached(source: ReadAt, head: Uint8Array = new Uint8Array()): CachedRead {
  const { size } = source;
  const blocks = new Blocks(source, head);
  const outlook = readAhead();
  return {
    size,
    read: async (offset, length) => {
      requireRange(size, offset, length);
      if (length === 0) return new Uint8Array();
      const run = { first: Math.floor(offset / BLOCK), last: Math.floor((offset + length - 1) / BLOCK) };
      const { ahead, through } = outlook(offset, length);
      const taken = blocks.take(run, Math.ceil(ahead / BLOCK));
      if (through) {
        blocks.drop({ ...run, last: (offset + length) % BLOCK === 0 ? run.last : run.last - 1 });
        blocks.prepare(run.last, Math.ceil(ahead / BLOCK));
      }
      const from = offset - run.first * BLOCK;
      return together(await Promise.all(taken)).subarray(from, from + length);
    },
    prefetch: (extents) =>
      pool(runsOf(extents, size), {}, async (run) => {
        await Promise.all(blocks.take(run, 0));
      }),
  };
}

/** Returns the blocks of `extents` as runs that include small gaps. Ignores what lies outside of the source. */
function runsOf(extents: readonly Extent[], size: number): Run[] {
  const runs: { first: number; last: number }[] = [];
  const inside = extents.filter((extent) => extent.size > 0 && extent.offset + extent.size <= size);
  let count = 0;
  for (const { offset, size: length } of inside.sort((a, b) => a.offset - b.offset)) {
    const first = Math.floor(offset / BLOCK);
    const last = Math.floor((offset + length - 1) / BLOCK);
    const before = runs.at(-1);
    const joined = before && first - before.last - 1 <= HOLE ? before : undefined;
    count += Math.max(0, last - (joined?.last ?? first - 1));
    if (count > PREFETCHED) return runs;
    if (joined) joined.last = Math.max(joined.last, last);
    else runs.push({ first, last });
  }
  return runs;
}

/** The result of one read. Its blocks are views of it, so it stays in memory as long as one of them is kept. */
interface Span {
  readonly size: number;
  /** How many of its blocks are kept. */
  blocks: number;
}

/** Blocks by number, the most recently used last. */
class Blocks {
  readonly #source: ReadAt;
  readonly #kept = new Map<number, { readonly bytes: Promise<Uint8Array>; readonly span: Span }>();
  /** Bytes of all spans in memory. */
  #held = 0;

  constructor(source: ReadAt, head: Uint8Array) {
    this.#source = source;
    const whole = head.length === source.size ? Math.ceil(head.length / BLOCK) : Math.floor(head.length / BLOCK);
    if (whole > 0) this.#put({ first: 0, last: whole - 1 }, head.length, Promise.resolve(head));
  }

  /**
   * Returns the blocks of a run, and fetches those that are absent. Where the last one is absent, fetches up to `ahead`
   * blocks after it too.
   */
  take({ first, last }: Run, ahead: number): Promise<Uint8Array>[] {
    for (let block = first; block <= last; block += 1) {
      if (this.#kept.has(block)) continue;
      const from = block;
      while (block < last && !this.#kept.has(block + 1)) block += 1;
      this.#fetch({ first: from, last: block === last ? this.#reach(last, ahead) : block });
    }
    const taken: Promise<Uint8Array>[] = [];
    for (let block = first; block <= last; block += 1) {
      const one = this.#kept.get(block)!;
      taken.push(one.bytes);
      this.#kept.delete(block);
      this.#kept.set(block, one);
    }
    for (const block of this.#kept.keys()) {
      if (this.#held <= KEPT) break;
      this.#delete(block);
    }
    return taken;
  }

  /** Fetches the absent ones among the `ahead` blocks after `last`, unless half of them follow it already. */
  prepare(last: number, ahead: number): void {
    const there = this.#kept.has(last + 1) ? this.#present(last + 1) : last;
    if (there - last >= ahead / 2 || (there + 1) * BLOCK >= this.#source.size) return;
    this.#fetch({ first: there + 1, last: this.#reach(there + 1, last + ahead - there - 1) });
  }

  drop({ first, last }: Run): void {
    for (let block = first; block <= last; block += 1) this.#delete(block);
  }

  /** Returns the last block of the present ones that follow `block` without a gap. */
  #present(block: number): number {
    let reached = block;
    while (this.#kept.has(reached + 1)) reached += 1;
    return reached;
  }

  /** Returns the last block of up to `ahead` absent ones that follow `block`. */
  #reach(block: number, ahead: number): number {
    const end = Math.min(block + ahead, Math.ceil(this.#source.size / BLOCK) - 1);
    let reached = block;
    while (reached < end && !this.#kept.has(reached + 1)) reached += 1;
    return reached;
  }

  #fetch(run: Run): void {
    const from = run.first * BLOCK;
    const size = Math.min((run.last + 1) * BLOCK, this.#source.size) - from;
    this.#put(run, size, this.#source.read(from, size));
  }

  #put({ first, last }: Run, size: number, fetched: Promise<Uint8Array>): void {
    const span = { size, blocks: 0 };
    this.#held += size;
    for (let block = first; block <= last; block += 1) {
      const at = (block - first) * BLOCK;
      const one = { bytes: fetched.then((all) => all.subarray(at, at + BLOCK)), span };
      span.blocks += 1;
      this.#kept.set(block, one);
      one.bytes.catch(() => {
        if (this.#kept.get(block) === one) this.#delete(block);
      });
    }
  }

  #delete(block: number): void {
    const one = this.#kept.get(block);
    if (!one) return;
    this.#kept.delete(block);
    one.span.blocks -= 1;
    if (one.span.blocks === 0) this.#held -= one.span.size;
  }
}

/** Joins parts; without a copy where they are adjacent in memory. */
function together(parts: readonly Uint8Array[]): Uint8Array {
  const [head] = parts;
  let end = head!.byteOffset;
  for (const { buffer, byteOffset, length } of parts) {
    if (buffer !== head!.buffer || byteOffset !== end) return Buffer.concat(parts);
    end += length;
  }
  return new Uint8Array(head!.buffer, head!.byteOffset, end - head!.byteOffset);
}
