import { FormatError } from '../error.ts';
import type { Layout, MetaSegment, Segment } from '../segments.ts';
import { sizeWords } from '../size-words.ts';
import { SECTOR } from './sector.ts';

/** The most blocks that a volume can have: they are counted in 32 bits (ECMA-119 8.4.8). */
const BLOCK_LIMIT = 2 ** 32 - 1;

/** An image that grows front to back: what is added goes directly after what was added before. */
export interface Assembly {
  /** The logical block at which the next addition starts. */
  readonly block: number;
  /** Adds a structure of `size` bytes, in whole sectors. `bytes` makes its bytes when the image is written. */
  meta(name: string, size: number, bytes: () => Uint8Array, fieldAt?: MetaSegment['fieldAt']): void;
  /** Adds `size` bytes, in whole sectors. `segments` lists them anew each time somebody goes through the layout. */
  run(size: number, segments: () => Iterable<Segment>): void;
  /**
   * Returns the finished layout. Throws `FormatError` `iso9660-unrepresentable` if it is larger than a volume can be.
   */
  finish(): Layout;
}

/** Starts an image that holds nothing yet. */
export function assembly(): Assembly {
  const parts: (() => Iterable<Segment>)[] = [];
  let offset = 0;
  const run: Assembly['run'] = (size, segments) => {
    parts.push(segments);
    offset += size;
  };
  return {
    get block() {
      return offset / SECTOR;
    },
    run,
    meta: (name, size, bytes, fieldAt) => {
      const segment: Segment = { kind: 'meta', offset, size, name, bytes, ...(fieldAt ? { fieldAt } : {}) };
      run(size, () => [segment]);
    },
    finish: () => {
      if (offset / SECTOR > BLOCK_LIMIT) {
        throw new FormatError(
          'iso9660-unrepresentable',
          `an ISO 9660 image of ${sizeWords(offset)} would be more than the 8 TiB a volume can have`,
        );
      }
      const all = function* (): Generator<Segment> {
        for (const part of parts) yield* part();
      };
      return { size: offset, segments: { [Symbol.iterator]: all } };
    },
  };
}
