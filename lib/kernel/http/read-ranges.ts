import type { ReadAt } from '../../../formats/bytes.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import { SolpackError } from '../events/index.ts';
import type { Answer } from './answer.ts';
import type { ContentRange } from './content-range.ts';
import { type Asked, acceptRange, type Pin, rangeHeaders } from './file-version.ts';
import { remoteFailure, unlawful } from './remote-failure.ts';
import { backOff, isTransient } from './retry.ts';
import type { HttpTiming } from './timing.ts';
import { CutError } from './transport-errors.ts';

/** Asks for one file at its address, wherever that leads. */
export interface FileAddress {
  /** The address without user, password and query, for messages. */
  readonly name: string;
  /** Where the last answer came from. */
  readonly url: URL;
  /** Sends a GET with these headers, redirected and repeated as needed; the answer may have any status. */
  get(headers: Readonly<Record<string, string>>): Promise<Answer>;
  close(): void;
}

/** How often an answer that broke off is taken up again without getting much further. */
const RESUMES = 3;
/** What counts as getting further, in bytes. */
const PROGRESS = 16 * 1024;

/** A range that the server has begun to send. */
export interface OpenRange extends ContentRange {
  readonly answer: Answer;
}

/** Asks for a range, of the version that `pin` is where one is known; its bytes wait to be read. */
export async function openRange(address: FileAddress, asked: Asked, pin?: Pin): Promise<OpenRange> {
  let answer: Answer;
  try {
    answer = await address.get(rangeHeaders(asked, pin));
  } catch (error) {
    throw remoteFailure(address.name, address.url, error);
  }
  try {
    return { ...acceptRange(address.name, answer, asked, pin), answer };
  } catch (error) {
    answer.discard();
    throw error;
  }
}

/**
 * Makes a reader of the pinned version of a file, by range requests; one that breaks off is taken up where it broke.
 */
export function rangeReader(address: FileAddress, pin: Pin, timing: HttpTiming, signal?: AbortSignal): ReadAt {
  return {
    size: pin.size,
    read: async (offset, length) => {
      const buffer = Buffer.allocUnsafe(length);
      let failures = 0;
      for (let filled = 0; filled < length; ) {
        const range = await openRange(address, { first: offset + filled, last: offset + length - 1 }, pin);
        const { count, error } = await readRange(address.name, range, buffer.subarray(filled));
        filled += count;
        failures = count < PROGRESS ? failures + 1 : 0;
        if (filled === length) break;
        signal?.throwIfAborted();
        if (failures > RESUMES || !isTransient(error ?? new CutError())) {
          throw remoteFailure(address.name, address.url, error ?? new CutError());
        }
        if (error !== undefined) await backOff(failures + 1, timing, signal);
      }
      return buffer;
    },
  };
}

/**
 * Reads what a range brings into `buffer`; says how much came, and what broke it off where that is not all. Throws
 * `remote-error` where the server sends more than it announced.
 */
export async function readRange(
  name: string,
  { first, last, answer }: OpenRange,
  buffer: Uint8Array,
): Promise<{ count: number; error?: unknown }> {
  const size = last - first + 1;
  let count = 0;
  try {
    for await (const chunk of answer.read()) {
      if (count + chunk.length > size)
        throw unlawful(name, `the server sends more than the ${sizeWords(size)} it announced`);
      buffer.set(chunk, count);
      count += chunk.length;
    }
    return count === size ? { count } : { count, error: new CutError() };
  } catch (error) {
    if (error instanceof SolpackError) throw error;
    return { count, error };
  }
}
