import type { AgentOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { type Bytes, collect } from '../../../formats/bytes.ts';
import type { Answer } from './answer.ts';
import type { AnswerHead } from './answer-head.ts';
import { type IdleTimer, idleTimer } from './idle-timer.ts';
import { type LentConnection, openLent } from './lent-connection.ts';
import { http } from './node.ts';
import { onceConnected } from './once-connected.ts';
import type { Request } from './request.ts';
import type { HttpTiming } from './timing.ts';
import { StalledError } from './transport-errors.ts';

/** A request for what is read into lent memory. */
export interface LentRequest extends Request {
  readonly method: 'GET';
  readonly into: () => Uint8Array;
}

/** Reads the answer to a request that was sent on a connection. */
export type FullClient = (connection: Duplex) => Promise<Answer>;

/** Exchanges whose answers are read into the memory of who asks for them, over connections that are kept. */
export interface LentExchanges {
  /**
   * Sends a request straight to its server. Where the answer is of a form that a full client has to read, `full` reads
   * it on the connection that it is given. Throws the system's errors, `StalledError`, and the reason of the request's
   * signal.
   */
  send(request: LentRequest, options: AgentOptions, timing: HttpTiming, full: FullClient): Promise<Answer>;
  close(): void;
}

/** Connections to one server that are kept while they rest. */
const KEPT = 8;

/** How much of a body nobody wants is read, so that its connection can be used again. */
const DISCARD = 64 * 1024;

/** How much has to come in the time for the next bytes, in bytes: a byte now and then is as good as nothing. */
const LEAST = 1024;

/** Makes such exchanges. Nothing is connected to yet. */
export function lentExchanges(): LentExchanges {
  const resting = new Map<string, LentConnection[]>();
  const open = new Set<LentConnection>();
  const connect = (url: URL, options: AgentOptions): LentConnection => {
    const connection = openLent(url, options);
    open.add(connection);
    connection.socket.once('close', () => open.delete(connection));
    return connection;
  };
  const kept = (origin: string): LentConnection | undefined => {
    const connection = resting.get(origin)?.pop();
    return connection && !connection.resting ? kept(origin) : connection;
  };
  const keep = (origin: string, connection: LentConnection): void => {
    const list = resting.get(origin) ?? [];
    resting.set(origin, list);
    if (list.length >= KEPT || !connection.resting) return void connection.socket.destroy();
    connection.socket.setKeepAlive(true, 1000).unref();
    list.push(connection);
  };
  return {
    send: async (request, options, timing, full) => {
      const { origin } = request.url;
      const over: Over = { release: (connection) => keep(origin, connection), full };
      const used = kept(origin);
      try {
        const connection = used ?? connect(request.url, options);
        connection.socket.ref();
        return await exchange(connection, request, timing, over);
      } catch (error) {
        // The server may have ended a connection that rested, just when it was asked something.
        if (!used || request.signal?.aborted || error instanceof StalledError) throw error;
        return exchange(connect(request.url, options), request, timing, over);
      }
    },
    close: () => {
      for (const { socket } of open) socket.destroy();
    },
  };
}

/** What becomes of a connection. */
interface Over {
  release(connection: LentConnection): void;
  readonly full: FullClient;
}

async function exchange(
  connection: LentConnection,
  request: LentRequest,
  timing: HttpTiming,
  { release, full }: Over,
): Promise<Answer> {
  const { url, signal } = request;
  const { socket } = connection;
  let isConnected = false;
  const patience = (milliseconds: number): IdleTimer =>
    idleTimer(milliseconds, () => socket.destroy(new StalledError(milliseconds, isConnected)));
  const connecting = patience(timing.connect ?? timing.idle);
  const idle = patience(timing.idle);
  const abort = (): void => void socket.destroy();
  signal?.addEventListener('abort', abort);
  const settled = (): void => {
    signal?.removeEventListener('abort', abort);
    connecting.pause();
    idle.pause();
    connection.onBytes = () => undefined;
  };
  const end = (): void => {
    settled();
    socket.destroy();
  };
  connecting.restart();
  onceConnected(socket, url.protocol === 'https:', () => {
    isConnected = true;
    connecting.pause();
    if (!socket.destroyed) idle.restart();
  });
  try {
    const memoryFor = ({ status }: AnswerHead) => (status < 300 ? request.into : () => new Uint8Array(DISCARD));
    const head = await connection.ask(headOf(request), memoryFor);
    connecting.pause();
    idle.pause();
    if (head === 'other') {
      settled();
      return await full(connection.handOver());
    }
    const done = (): void => {
      settled();
      if (head.keeps) release(connection);
      else socket.destroy();
    };
    return answerFrom(connection, head, { request, timing, idle, done, end });
  } catch (error) {
    end();
    throw signal?.aborted ? signal.reason : error;
  }
}

interface Reading {
  readonly request: LentRequest;
  readonly timing: HttpTiming;
  readonly idle: IdleTimer;
  /** Lets the connection rest. */
  done(): void;
  /** Ends the connection. */
  end(): void;
}

function answerFrom(connection: LentConnection, { status, headers, length }: AnswerHead, reading: Reading): Answer {
  const read = (): Bytes => bytesOf(connection, reading);
  return {
    status,
    headers,
    url: reading.request.url,
    peer: connection.socket.remoteAddress,
    read,
    gather: (limit) => collect(read(), limit),
    discard: () => {
      if (length > DISCARD) reading.end();
      else collect(read(), DISCARD).catch(() => undefined);
    },
  };
}

async function* bytesOf(connection: LentConnection, { request: { signal }, timing, idle, done, end }: Reading): Bytes {
  const { least = LEAST } = timing;
  let isWaiting = false;
  let isDone = false;
  let moved = 0;
  connection.onBytes = (count) => {
    moved += count;
    if (moved < least) return;
    moved = 0;
    if (isWaiting) idle.restart();
  };
  idle.restart();
  try {
    for (;;) {
      signal?.throwIfAborted();
      idle.resume();
      isWaiting = true;
      const chunk = await connection.receive();
      isWaiting = false;
      idle.pause();
      if (connection.resting) {
        // What arrives from now on is of another answer. The reader of the last chunk may not ask for the end.
        isDone = true;
        done();
      }
      if (chunk) yield chunk;
      if (isDone || !chunk) return;
    }
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  } finally {
    if (!isDone) end();
  }
}

/** Returns the head of a request (RFC 9112, 3). Throws where a header has characters that none may have. */
function headOf({ method, url, headers }: LentRequest): string {
  const lines = [`${method} ${url.pathname}${url.search} HTTP/1.1`, `Host: ${url.host}`];
  for (const [name, values] of Object.entries({ 'accept-encoding': 'identity', ...headers })) {
    for (const value of [values].flat()) {
      http.validateHeaderName(name);
      http.validateHeaderValue(name, value);
      lines.push(`${name}: ${value}`);
    }
  }
  return `${lines.join('\r\n')}\r\n\r\n`;
}
