import type { SolpackError } from '../events/index.ts';
import type { Answer } from './answer.ts';
import { type ContentRange, parseContentRange } from './content-range.ts';
import { changed, empty, statusFailure, unlawful, unranged } from './remote-failure.ts';

/** Which version of a file is read: what the first answer said of it. */
export interface Pin {
  readonly size: number;
  readonly etag: string | undefined;
  readonly modified: string | undefined;
}

/** What a server answers that has the pinned version no more. */
const gone = new Set([404, 410, 412, 416]);

/** Which bytes are asked for, both ends included. */
export interface Asked {
  readonly first: number;
  readonly last: number;
}

/**
 * Returns the version that the answer with `range` is of. Throws `remote-error` where the server does not tell the
 * size.
 */
export function pinOf(name: string, { headers }: Answer, { size }: ContentRange): Pin {
  if (size === undefined) throw unlawful(name, 'the server does not report the size of the file');
  return { size, etag: headers.etag, modified: headers['last-modified'] };
}

/**
 * Returns headers that ask for a range of the pinned version alone (RFC 9110, 13.1.1 and 13.1.4). A weak ETag never
 * matches there, and is compared by `acceptRange` only.
 */
export function rangeHeaders({ first, last }: Asked, pin?: Pin): Record<string, string> {
  const range = { range: `bytes=${first}-${last}` };
  if (pin?.etag?.startsWith('"')) return { ...range, 'if-match': pin.etag };
  return pin?.modified === undefined ? range : { ...range, 'if-unmodified-since': pin.modified };
}

/**
 * Returns the range that an answer brings: it begins where it was asked to, and may end earlier. Throws
 * `remote-changed` where it is of another version than `pin`, `remote-unranged` where it is the whole, and what
 * `statusFailure` makes.
 */
export function acceptRange(name: string, answer: Answer, asked: Asked, pin?: Pin): ContentRange {
  const refusal = refusalOf(name, answer, pin);
  if (refusal) throw refusal;
  const header = answer.headers['content-range'];
  const range = parseContentRange(header);
  const wanted = `bytes ${asked.first}-${asked.last}`;
  if (!range || range.first !== asked.first || range.last > asked.last) {
    throw unlawful(
      name,
      `${wanted} were requested, but the server sent ${JSON.stringify(header ?? 'no Content-Range')}`,
    );
  }
  if (pin && range.size !== undefined && range.size !== pin.size) throw changed(name);
  return range;
}

function refusalOf(name: string, answer: Answer, pin: Pin | undefined): SolpackError | undefined {
  const { status, headers } = answer;
  if (pin && gone.has(status)) return changed(name);
  if (status === 416 || (status === 200 && headers['content-length'] === '0')) return empty(name);
  if (status !== 200 && status !== 206) return statusFailure(name, status);
  if (pin && !isOf(pin, headers)) return changed(name);
  if (status === 200) return unranged(name);
  const coding = headers['content-encoding'] ?? 'identity';
  return coding === 'identity' ? undefined : unlawful(name, `the server sent it compressed (${coding})`);
}

/** Returns whether an answer is of the pinned version. With equal ETags, a date that is left out says nothing. */
function isOf({ etag, modified }: Pin, headers: Answer['headers']): boolean {
  const date = headers['last-modified'];
  return headers.etag === etag && (date === modified || (etag !== undefined && date === undefined));
}
