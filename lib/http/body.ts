import { type Bytes, once } from '../../formats/bytes.ts';

/** What a request carries. */
export interface Body {
  /** In bytes. */
  readonly size: number;
  /** The bytes, from the first on. */
  open(): Bytes;
  /** Whether `open` gives all of the bytes, so that the request can be sent (again). */
  fresh(): boolean;
}

/** A body in memory: it can be sent any number of times. */
export function memoryBody(bytes: Uint8Array): Body {
  return { size: bytes.length, open: () => once(bytes), fresh: () => true };
}

/** A body of `size` bytes that can be read once. It is not touched before the connection stands. */
export function streamBody(bytes: Bytes, size: number): Body {
  let opened = false;
  return {
    size,
    open: () => {
      opened = true;
      return bytes;
    },
    fresh: () => !opened,
  };
}
