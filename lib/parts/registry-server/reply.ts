import type { IncomingMessage, ServerResponse } from 'node:http';
import { encodeJson } from '../../../formats/json.ts';

/** Error codes of the distribution specification ("Error Codes"), and `UNKNOWN` for faults of the server. */
export type RegistryErrorCode =
  | 'BLOB_UNKNOWN'
  | 'BLOB_UPLOAD_INVALID'
  | 'BLOB_UPLOAD_UNKNOWN'
  | 'DENIED'
  | 'DIGEST_INVALID'
  | 'MANIFEST_BLOB_UNKNOWN'
  | 'MANIFEST_INVALID'
  | 'MANIFEST_UNKNOWN'
  | 'NAME_INVALID'
  | 'NAME_UNKNOWN'
  | 'SIZE_INVALID'
  | 'TOOMANYREQUESTS'
  | 'UNAUTHORIZED'
  | 'UNKNOWN'
  | 'UNSUPPORTED';

/** Headers of an answer. */
export type Headers = Readonly<Record<string, string | string[]>>;

/** A request that is refused, with the error that answers it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RegistryErrorCode;
  readonly headers: Headers;

  constructor(status: number, code: RegistryErrorCode, message: string, headers: Headers = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** A request and its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Counts the bytes of bodies that were sent. */
  readonly count: (bytes: number) => void;
}

/** Answers with a small body; to HEAD with its headers alone. */
export function reply(
  { request, response, count }: Exchange,
  status: number,
  bytes: Uint8Array,
  headers: Headers,
): void {
  // RFC 9110, 8.6: an answer that cannot have a body must not state its length.
  response.writeHead(status, status === 204 ? headers : { ...headers, 'content-length': bytes.length });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  count(bytes.length);
  response.end(bytes);
}

/** Answers with an error in the form of the distribution specification. */
export function refuse(exchange: Exchange, { status, code, message, headers }: Refusal): void {
  const body = encodeJson({ errors: [{ code, message, detail: null }] });
  reply(exchange, status, body, { 'content-type': 'application/json', ...headers });
}
