import { cached, type OpenFile } from '../files/index.ts';
import { addressOf } from './file-address.ts';
import { type Asked, pinOf } from './file-version.ts';
import type { FindProxy } from './proxy.ts';
import { openRange, rangeReader, readRange } from './read-ranges.ts';
import { type HttpTiming, usualTiming } from './timing.ts';

/** How to reach a file by HTTP. */
export interface RemoteOptions {
  /** PEM text of certificate authorities to trust beside those of the system. */
  readonly ca?: string | undefined;
  /** Finds the proxy of an address; absent where there is none. */
  readonly proxy?: FindProxy | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Waiting times other than the usual ones (idle 60 s, pause 0.5 s). */
  readonly timing?: Partial<HttpTiming> | undefined;
}

/** What is asked for first; where a file is smaller, the server sends less. */
const HEAD: Asked = { first: 0, last: 64 * 1024 - 1 };

/**
 * Opens the file at `url` (http or https) for reading at any offset, by range requests (RFC 9110, 14). The first one
 * brings its beginning, its size and its version; another version later is an error. Pieces that were read are kept in
 * memory, up to a limit. Throws `file-missing`, `file-unreadable`, `remote-unreachable`, `remote-denied`,
 * `remote-error` and `remote-unranged`; reading also throws `remote-changed`.
 */
export async function openRemote(url: URL, { ca, proxy, signal, timing }: RemoteOptions = {}): Promise<OpenFile> {
  const times = { ...usualTiming, ...timing };
  const closing = new AbortController();
  const ended = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
  const address = addressOf(url, times, { ca, proxy }, ended);
  const close = async (): Promise<void> => {
    // What is being read ahead is wanted by nobody, and must not be tried again.
    closing.abort();
    address.close();
  };
  try {
    const range = await openRange(address, HEAD);
    const pin = pinOf(address.name, range.answer, range);
    const head = Buffer.alloc(range.last + 1);
    // If it breaks off, the rest is asked for again once it is read.
    const { count } = await readRange(address.name, range, head);
    const { size, read, prefetch } = cached(rangeReader(address, pin, times, ended), head.subarray(0, count));
    return { path: address.name, size, read, prefetch, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    address.close();
    throw error;
  }
}
