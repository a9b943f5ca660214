import type { IncomingHttpHeaders } from 'node:http';

/** The head of an answer whose body is as long as its head says (RFC 9112, 6.3). */
export interface AnswerHead {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Bytes that the head has itself, with the empty line at its end. */
  readonly size: number;
  /** Bytes of the body. */
  readonly length: number;
  /** Whether the connection can carry another request afterwards. */
  readonly keeps: boolean;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const fieldText = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Reads the head of an answer to a GET; undefined where its end does not exist yet, `other` where it is not of the
 * plainest form: a final status, a `Content-Length`, no coding, no line that continues in the next. What is `other` is
 * not wrong: a full client has to judge it.
 */
export function parseHead(bytes: Uint8Array): AnswerHead | 'other' | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 ([2-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(first)?.[1];
  const headers = headersOf(lines);
  if (status === undefined || !headers) return 'other';
  const { 'content-length': length, 'transfer-encoding': coding, connection = '' } = headers;
  if (coding !== undefined || length === undefined || !/^\d{1,15}$/.test(length)) return 'other';
  if (status === '204' || status === '304') return 'other';
  const keeps = !/\bclose\b/i.test(connection);
  return { status: Number(status), headers, size: end + 4, length: Number(length), keeps };
}

/** Returns headers by their names. Those that come several times are joined, as far as they may (RFC 9110, 5.3). */
function headersOf(lines: readonly string[]): (IncomingHttpHeaders & Record<string, string>) | undefined {
  const headers = Object.create(null) as IncomingHttpHeaders & Record<string, string>;
  for (const text of lines) {
    const colon = text.indexOf(':');
    const [name, value] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1).replace(/^[ \t]+/, '')];
    if (!token.test(name) || !fieldText.test(value)) return undefined;
    const key = name.toLowerCase();
    const before = headers[key];
    if (before !== undefined && (key === 'content-length' || key === 'location' || key === 'etag')) return undefined;
    headers[key] = before === undefined ? value.trimEnd() : `${before}, ${value.trimEnd()}`;
  }
  return headers;
}
