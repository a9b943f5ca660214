import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { http, https } from '../../../http/node.ts';
import { StalledError } from '../../../http/stalled.ts';
import type { Access } from './credentials.ts';

/** How long to wait, in milliseconds. */
export interface Timing {
  /** For the connection, with its TLS handshake. */
  readonly connect: number;
  /** For the answer, and for its next bytes. */
  readonly idle: number;
  /** How long a request that fails is repeated. */
  readonly total: number;
  /** The same where the connection is refused, since nobody listens there; as `total` where it is left out. */
  readonly refused?: number;
  /** Before the first repetition; each later one waits twice as long, up to `longest`. */
  readonly pause: number;
  readonly longest: number;
}

/** One HTTP request. */
export interface Request {
  readonly method: 'GET' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Uint8Array | undefined;
  /** Bytes of an answer that are accepted. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** A whole answer. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** An answer of more bytes than its request accepts. */
export class TooLargeError extends Error {
  constructor(limit: number) {
    super(`the answer has more than ${limit} bytes`);
  }
}

/** Sends a request with `access`, and gathers its answer. However long that takes, something has to move. */
export function exchange(request: Request, access: Access, timing: Timing): Promise<Answer> {
  const { url, method, body, signal } = request;
  const isSecure = url.protocol === 'https:';
  const headers = { 'accept-encoding': 'identity', ...request.headers, ...access.headers };
  signal.throwIfAborted();
  return new Promise((settle, reject) => {
    const outgoing = (isSecure ? https() : http).request(url, {
      method,
      headers: body ? { ...headers, 'content-length': body.length } : headers,
      agent: access.agent,
      auth: access.auth ?? null,
      signal,
    });
    let connected = false;
    const stall = (milliseconds: number) => () => outgoing.destroy(new StalledError(milliseconds, connected));
    let timer = setTimeout(stall(timing.connect), timing.connect);
    outgoing.once('socket', (socket) => {
      onceConnected(socket, isSecure, () => {
        clearTimeout(timer);
        connected = true;
        if (!outgoing.destroyed) timer = setTimeout(stall(timing.idle), timing.idle);
      });
    });
    const fail = (error: unknown): void => {
      clearTimeout(timer);
      reject(signal.aborted ? signal.reason : error);
    };
    outgoing.on('error', fail);
    outgoing.once('close', () => clearTimeout(timer));
    outgoing.once('response', (message) => {
      const chunks: Uint8Array[] = [];
      let size = 0;
      message.on('data', (chunk: Uint8Array) => {
        timer.refresh();
        size += chunk.length;
        if (size > request.limit) message.destroy(new TooLargeError(request.limit));
        else chunks.push(chunk);
      });
      message.once('end', () => {
        clearTimeout(timer);
        settle({ status: message.statusCode ?? 0, headers: message.headers, body: Buffer.concat(chunks) });
      });
      message.once('error', fail);
    });
    outgoing.end(body);
  });
}

/** Calls `work` once the socket is ready for a request, which one that was kept, or that a proxy made, is at once. */
function onceConnected(socket: Socket, isSecure: boolean, work: () => void): void {
  const ready = isSecure ? (socket as TLSSocket).getFinished() !== undefined : !socket.connecting;
  if (ready) work();
  else socket.once(isSecure ? 'secureConnect' : 'connect', work);
}
