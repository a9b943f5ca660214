import { type Bytes, once } from '../../../formats/bytes.ts';

/** One HTTP request. */
export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** A list is sent as a header for each of its values. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Body;
  /**
   * Gives memory for the next chunk of the answer, which is given again after a few more: its reader must not hold on
   * to chunks. Where the answer is read in another way, it is not called. For GET alone.
   */
  readonly into?: (() => Uint8Array) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The server that has named the address, if it must lead to no place that only this machine should reach. */
  readonly sentBy?: URL | undefined;
  /**
   * Whether it must lead to no private network either: something is sent there, and the server that has named it is
   * outside.
   */
  readonly outside?: boolean | undefined;
}

/** What a request carries. */
export interface Body {
  /** In bytes. */
  readonly size: number;
  /** Gives the bytes, from the first on. */
  open(): Bytes;
  /** Returns whether `open` gives all of the bytes, so that the request can be sent (again). */
  fresh(): boolean;
}

/** Makes a body of bytes in memory: it can be sent any number of times. */
export function memoryBody(bytes: Uint8Array): Body {
  return { size: bytes.length, open: () => once(bytes), fresh: () => true };
}

/** Makes a body of `size` bytes that can be read once. It is not touched before the connection stands. */
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
