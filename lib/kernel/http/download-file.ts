import type { Bytes } from '../../../formats/bytes.ts';
import { redact } from '../events/index.ts';
import type { Answer } from './answer.ts';
import { parseContentRange } from './content-range.ts';
import { changed, remoteFailure, statusFailure } from './remote-failure.ts';
import { backOff, isTransient } from './retry.ts';
import { sendRequest } from './send-request.ts';
import type { HttpTiming } from './timing.ts';
import type { Transport } from './transport.ts';
import { CutError } from './transport-errors.ts';

/** How often a broken download is taken up again without progress, and what counts as such, in bytes. */
const RESUMES = 3;
const PROGRESS = 16 * 1024;

/** How a file is downloaded. */
export interface DownloadOptions {
  readonly transport: Transport;
  readonly timing: HttpTiming;
  /** What goes into `Authorization`, for the address itself and never for where it redirects to. */
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
  /** The server that has named the address; absent where the user has. */
  readonly sentBy?: URL | undefined;
}

/**
 * Streams the file at `url` from its first byte to its last; what it holds is not checked. A connection that breaks is
 * taken up where it broke (RFC 9110, 14.2), if the file there is still the same. Throws `file-missing`,
 * `remote-denied`, `remote-error`, `remote-unreachable`, `remote-changed`.
 */
export async function* downloadFile(url: URL, options: DownloadOptions): Bytes {
  const { transport, timing, authorization, signal, sentBy } = options;
  const name = redact(url.href);
  const usual = { 'user-agent': 'solpack', ...(authorization === undefined ? {} : { authorization }) };
  let at = 0;
  let version: string | undefined;
  for (let failures = 0; ; ) {
    const start = at;
    try {
      const headers = { ...usual, ...(at > 0 ? { range: `bytes=${at}-` } : {}) };
      const answer = await sendRequest(transport, { method: 'GET', url, headers, signal, sentBy }, timing);
      let skip = startOf(name, answer, at, version);
      version ??= versionOf(answer);
      for await (const chunk of whole(answer)) {
        const fresh = chunk.subarray(Math.min(skip, chunk.length));
        skip -= chunk.length - fresh.length;
        if (fresh.length === 0) continue;
        at += fresh.length;
        yield fresh;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      failures = at - start < PROGRESS ? failures + 1 : 1;
      if (!isTransient(error) || at === 0 || failures > RESUMES) throw remoteFailure(name, url, error);
      await backOff(failures, timing, signal);
    }
  }
}

/** What tells one version of a file from another. */
function versionOf({ headers }: Answer): string {
  const size = parseContentRange(headers['content-range'])?.size ?? headers['content-length'];
  return JSON.stringify([headers.etag, headers['last-modified'], size === undefined ? undefined : String(size)]);
}

/** Returns how many bytes of the answer are known already. Throws where it is not the file from `at` on. */
function startOf(name: string, answer: Answer, at: number, version: string | undefined): number {
  const range = parseContentRange(answer.headers['content-range']);
  const partial = at > 0 && answer.status === 206 && range?.first === at;
  if (answer.status !== 200 && !partial) {
    answer.discard();
    throw at > 0 && (answer.status === 206 || answer.status === 416)
      ? changed(name)
      : statusFailure(name, answer.status);
  }
  if (version !== undefined && version !== versionOf(answer)) {
    answer.discard();
    throw changed(name);
  }
  return partial ? 0 : at;
}

async function* whole(answer: Answer): Bytes {
  const announced = answer.headers['content-length'];
  let left = announced === undefined ? 0 : Number(announced);
  for await (const chunk of answer.read()) {
    left -= chunk.length;
    yield chunk;
  }
  if (left > 0) throw new CutError();
}
