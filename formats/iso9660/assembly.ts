import { FormatError } from '../error.ts';
import type { Layout, MetaSegment, Segment } from '../segments.ts';
import { SECTOR } from './sector.ts';

/** What a volume can hold: blocks are counted in 32 bits (ECMA-119 8.4.8). */
const BLOCK_LIMIT = 2 ** 32 - 1;

/** An image in the making: parts, each directly after the one before. */
export interface Assembly {
  /** The logical block that the next part starts at. */
  readonly block: number;
  /** Adds a structure of `size` bytes, whole sectors, that `bytes` makes when it is written. */
  meta(name: string, size: number, bytes: () => Uint8Array, part?: MetaSegment['part']): void;
  /** Adds `size` bytes, whole sectors, whose segments are made each time the layout is gone through. */
  run(size: number, segments: () => Iterable<Segment>): void;
  /** The finished layout. Throws `FormatError` `iso9660-unrepresentable` where it is more than a volume can hold. */
  finish(): Layout;
}

/** An image that has nothing yet. */
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
    meta: (name, size, bytes, part) => {
      const segment: Segment = { kind: 'meta', offset, size, name, bytes, ...(part ? { part } : {}) };
      run(size, () => [segment]);
    },
    finish: () => {
      if (offset / SECTOR > BLOCK_LIMIT) {
        throw new FormatError(
          'iso9660-unrepresentable',
          `an ISO 9660 image of ${offset} bytes would be more than the 8 TiB a volume can have`,
        );
      }
      const all = function* (): Generator<Segment> {
        for (const part of parts) yield* part();
      };
      return { size: offset, segments: { [Symbol.iterator]: all } };
    },
  };
}
