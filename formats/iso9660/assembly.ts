import { FormatError } from '../error.ts';
import type { Layout, Segment } from '../segments.ts';
import { SECTOR } from './sector.ts';

/** What a volume can hold: blocks are counted in 32 bits (ECMA-119 8.4.8). */
const BLOCK_LIMIT = 2 ** 32 - 1;

/** An image in the making: segments, each directly after the one before. */
export interface Assembly {
  /** The logical block that the next segment starts at. */
  readonly block: number;
  /** Adds a structure of `size` bytes, whole sectors, that `bytes` makes when it is written. */
  meta(name: string, size: number, bytes: () => Uint8Array): void;
  /** Adds the content `key`, and fills its last sector; `path` is how the filling is named. */
  data(key: string, size: number, path: string): void;
  /** The finished layout. Throws `FormatError` `iso9660-unrepresentable` where it is more than a volume can hold. */
  finish(): Layout;
}

/** An image that has nothing yet. */
export function assembly(): Assembly {
  const segments: Segment[] = [];
  let offset = 0;
  const meta: Assembly['meta'] = (name, size, bytes) => {
    if (size === 0) return;
    segments.push({ kind: 'meta', offset, size, name, bytes });
    offset += size;
  };
  return {
    get block() {
      return offset / SECTOR;
    },
    meta,
    data: (key, size, path) => {
      segments.push({ kind: 'data', offset, size, key });
      offset += size;
      const padding = (SECTOR - (size % SECTOR)) % SECTOR;
      meta(`padding after ${path}`, padding, () => new Uint8Array(padding));
    },
    finish: () => {
      if (offset / SECTOR > BLOCK_LIMIT) {
        throw new FormatError(
          'iso9660-unrepresentable',
          `an ISO 9660 image of ${offset} bytes would be more than the 8 TiB a volume can have`,
        );
      }
      return { size: offset, segments };
    },
  };
}
