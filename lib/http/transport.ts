import { once } from 'node:events';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Bytes, collect } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { codeOf, reasonOf } from '../system-errors.ts';
import type { Body } from './body.ts';
import { type Watch, watch } from './idle-timer.ts';
import { http, https } from './node.ts';
import { ProxyError } from './proxy.ts';
import { type Connections, createRoutes, type Route } from './routes.ts';
import { StalledError } from './stalled.ts';

/** How long to wait, in milliseconds. */
export interface Timing {
  /** For the connection, and for the next bytes of a transfer. */
  readonly idle: number;
  /** For the answer to a body that was sent whole: registries hash and store it first. */
  readonly answer: number;
  /** Before the first repetition; each later one waits twice as long. */
  readonly pause: number;
  /** Waits that many milliseconds before a repetition; left out, time passes by itself. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** How long is waited where nobody says otherwise. */
export const usualTiming: Timing = { idle: 60_000, answer: 300_000, pause: 500 };

/** One HTTP request. */
export interface Request {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Body;
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose head has arrived; its body waits to be read or discarded. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Where it came from, after redirects. */
  readonly url: URL;
  /** Streams the body; leaving early ends the connection. */
  read(): Bytes;
  /** Gathers at most `limit` bytes of the body; throws `FormatError` `size-mismatch` where there are more. */
  gather(limit: number): Promise<Uint8Array>;
  /** Lets go of the body. */
  discard(): void;
}

/** Sends single requests over kept connections. */
export interface Transport {
  send(request: Request): Promise<Answer>;
  close(): void;
}

/** The body that was to be sent could not be read; `cause` is why. */
export class BodyError extends Error {
  constructor(cause: unknown) {
    super('the body of a request cannot be read', { cause });
  }
}

/** How much has to come in the time for the next bytes, in bytes: a byte now and then is as good as nothing. */
const LEAST = 1024;

/** How much of a body nobody wants is read, so that its connection can be used again. */
const DISCARD = 64 * 1024;

/** Makes a transport whose connections are made as `connections` says. */
export function createTransport(timing: Timing, connections: Connections = {}): Transport {
  const routes = createRoutes(connections);
  return {
    send: async (request) => {
      request.signal?.throwIfAborted();
      return exchange(request, await routes.to(request.url), timing);
    },
    close: () => routes.close(),
  };
}

function exchange(request: Request, route: Route, timing: Timing): Promise<Answer> {
  const { url, method, signal } = request;
  signal?.throwIfAborted();
  return new Promise((settle, reject) => {
    const headers: Record<string, string> = { 'accept-encoding': 'identity', ...request.headers, ...route.headers };
    if (request.body) headers['content-length'] = String(request.body.size);
    const options = { ...route.options, method, headers, ...(signal ? { signal } : {}) };
    const outgoing = (route.secure ? https() : http).request(route.proxy ?? url, options);
    let connected = false;
    const idle = watch(timing.idle, () => outgoing.destroy(new StalledError(timing.idle, connected)));
    const answering = watch(timing.answer, () => outgoing.destroy(new StalledError(timing.answer, true)));
    idle.restart();
    const fail = (error: unknown): void => {
      idle.pause();
      answering.pause();
      reject(signal?.aborted ? signal.reason : connected ? error : onTheWay(route, error));
    };
    const begin = (): void => {
      connected = true;
      idle.restart();
      if (!request.body) return;
      pump(request.body, outgoing, idle).then(
        () => {
          if (outgoing.writableEnded && !outgoing.destroyed) answering.restart();
        },
        (error) => {
          fail(new BodyError(error));
          outgoing.destroy();
        },
      );
    };
    outgoing.once('socket', (socket) => {
      if (outgoing.reusedSocket) begin();
      else socket.once(route.secure ? 'secureConnect' : 'connect', begin);
    });
    outgoing.on('error', fail);
    outgoing.once('response', (message) => {
      idle.pause();
      answering.pause();
      // An answer before the end of the body leaves a connection that cannot carry another request.
      message.once('close', () => outgoing.writableFinished || outgoing.destroy());
      settle(answerOf(message, url, timing));
    });
    outgoing.once('close', () => {
      idle.pause();
      answering.pause();
    });
    if (!request.body) outgoing.end();
  });
}

/** A failure to connect, as the proxy's where one was connected to. */
function onTheWay({ proxy }: Route, error: unknown): unknown {
  if (!proxy || !(error instanceof Error)) return error;
  return new ProxyError(proxy, `cannot be reached: ${reasonOf(error)}`, codeOf(error) ?? 'ERR_PROXY_FAILED');
}

/** Writes the body, no faster than the server takes it; stops where an answer comes first. */
async function pump(body: Body, outgoing: ClientRequest, idle: Watch): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  outgoing.once('response', stop);
  outgoing.once('close', stop);
  let sent = 0;
  idle.pause();
  for await (const chunk of body.open()) {
    if (stopped.signal.aborted) return;
    sent += chunk.length;
    if (sent > body.size) throw new FormatError('size-mismatch', `more than the ${body.size} bytes announced`);
    if (outgoing.write(chunk)) continue;
    idle.restart();
    await once(outgoing, 'drain', { signal: stopped.signal }).catch(stop);
    idle.pause();
  }
  if (stopped.signal.aborted) return;
  if (sent !== body.size) throw new FormatError('size-mismatch', `${sent} bytes instead of the ${body.size} announced`);
  outgoing.end();
}

function answerOf(message: IncomingMessage, url: URL, timing: Timing): Answer {
  const read = async function* (): Bytes {
    const chunks = message[Symbol.asyncIterator]();
    const idle = watch(timing.idle, () => message.destroy(new StalledError(timing.idle, true)));
    let moved = LEAST;
    try {
      for (;;) {
        if (moved < LEAST) idle.resume();
        else idle.restart();
        moved = moved < LEAST ? moved : 0;
        const next: IteratorResult<Uint8Array> = await chunks.next();
        idle.pause();
        if (next.done) return;
        moved += next.value.length;
        yield next.value;
      }
    } finally {
      idle.pause();
      message.destroy();
    }
  };
  return {
    status: message.statusCode ?? 0,
    headers: message.headers,
    url,
    read,
    gather: (limit) => collect(read(), limit),
    discard: () => {
      message.on('error', () => undefined);
      if (Number(message.headers['content-length'] ?? 0) > DISCARD) return void message.destroy();
      let left = DISCARD;
      // Where no length is announced, only what comes tells.
      message.on('data', (chunk: Uint8Array) => {
        left -= chunk.length;
        if (left < 0) message.destroy();
      });
    },
  };
}
