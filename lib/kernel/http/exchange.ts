import { once } from 'node:events';
import type { ClientRequest, OutgoingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import { FormatError } from '../../../formats/error.ts';
import { sizePair, sizeWords } from '../../../formats/size-words.ts';
import { codeOf, reasonOf } from '../events/index.ts';
import { type Answer, answerOf } from './answer.ts';
import { type IdleTimer, idleTimer } from './idle-timer.ts';
import { lentExchanges } from './lent-exchange.ts';
import { http, https } from './node.ts';
import { onceConnected } from './once-connected.ts';
import { outsideLookup } from './outside-lookup.ts';
import type { Body, Request } from './request.ts';
import { type ConnectionSettings, createRoutes, type Route } from './routes.ts';
import type { HttpTiming } from './timing.ts';
import type { Transport } from './transport.ts';
import { BodyError, ProxyError, StalledError } from './transport-errors.ts';

/** Makes a transport whose connections are made as `settings` say. */
export function createTransport(usual: HttpTiming, settings: ConnectionSettings = {}): Transport {
  const routes = createRoutes(settings);
  const lent = lentExchanges();
  return {
    send: async (request, timing = usual) => {
      request.signal?.throwIfAborted();
      const { into, method, ...rest } = request;
      const route = await routes.to(request.url);
      if (!into || !route.direct || method !== 'GET') return exchange(request, route, timing);
      return lent.send({ ...rest, method, into }, { ...route.direct, ...lookupFor(request) }, timing, (connection) => {
        const { agent: _, ...options } = route.options;
        return exchange(request, { ...route, options: { ...options, createConnection: () => connection } }, timing);
      });
    },
    close: () => {
      lent.close();
      routes.close();
    },
  };
}

/**
 * Sends one request by `route`, and hands its answer on as soon as the head of it has arrived. Throws the system's
 * errors, `StalledError` where nothing moves for as long as `timing` allows, `ProxyError` where the proxy is not
 * connected to, `BodyError`, and the reason of the request's signal where that is aborted.
 */
function exchange(request: Request, route: Route, timing: HttpTiming): Promise<Answer> {
  const { url, method, signal, body } = request;
  signal?.throwIfAborted();
  return new Promise((settle, reject) => {
    const own = route.direct ? lookupFor(request) : {};
    const options = {
      ...route.options,
      ...own,
      method,
      headers: headersOf(request, route),
      ...(signal ? { signal } : {}),
    };
    const outgoing = (route.secure ? https() : http).request(route.proxy ?? url, options);
    let connected = false;
    const patience = (milliseconds: number): IdleTimer =>
      idleTimer(milliseconds, () => outgoing.destroy(new StalledError(milliseconds, connected)));
    const timers = {
      connecting: patience(timing.connect ?? timing.idle),
      idle: patience(timing.idle),
      answering: patience(timing.answer ?? timing.idle),
    };
    const calm = (): void => {
      for (const timer of Object.values(timers)) timer.pause();
    };
    const fail = (error: unknown): void => {
      calm();
      reject(signal?.aborted ? signal.reason : connected ? error : onTheWay(route, error));
    };
    const begin = (): void => {
      connected = true;
      timers.connecting.pause();
      if (outgoing.destroyed) return;
      timers.idle.restart();
      if (!body) return;
      pump(body, outgoing, timers.idle).then(
        () => {
          if (outgoing.writableEnded && !outgoing.destroyed) timers.answering.restart();
        },
        (error) => {
          fail(new BodyError(error));
          outgoing.destroy();
        },
      );
    };
    timers.connecting.restart();
    outgoing.once('socket', (socket) => onceConnected(socket, route.secure, begin));
    outgoing.on('error', fail);
    outgoing.once('response', (message) => {
      calm();
      // An answer before the end of the body leaves a connection that cannot carry another request.
      message.once('close', () => outgoing.writableFinished || outgoing.destroy());
      settle(answerOf(message, url, timing, route.direct ? message.socket.remoteAddress : undefined));
    });
    outgoing.once('close', calm);
    if (!body) outgoing.end();
  });
}

/** How the name in an address is looked up that a server has named. */
function lookupFor({ sentBy, outside }: Request): { readonly lookup?: LookupFunction } {
  return sentBy === undefined ? {} : { lookup: outsideLookup(sentBy, outside) };
}

function headersOf({ headers, body }: Request, route: Route): OutgoingHttpHeaders {
  const all = { 'accept-encoding': 'identity', ...headers, ...route.headers };
  return { ...all, ...(body ? { 'content-length': String(body.size) } : {}) } as OutgoingHttpHeaders;
}

/** Makes a `ProxyError` of a failure to connect to a proxy; returns other errors as they are. */
function onTheWay({ proxy }: Route, error: unknown): unknown {
  if (!proxy || !(error instanceof Error)) return error;
  return new ProxyError(proxy, `cannot be reached: ${reasonOf(error)}`, codeOf(error) ?? 'ERR_PROXY_FAILED');
}

/** Writes the body, no faster than the server takes it; stops where an answer comes first. */
async function pump(body: Body, outgoing: ClientRequest, idle: IdleTimer): Promise<void> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  outgoing.once('response', stop);
  outgoing.once('close', stop);
  let sent = 0;
  idle.pause();
  for await (const chunk of body.open()) {
    if (stopped.signal.aborted) return;
    sent += chunk.length;
    if (sent > body.size) throw new FormatError('size-mismatch', `more than the ${sizeWords(body.size)} announced`);
    if (outgoing.write(chunk)) continue;
    idle.restart();
    await once(outgoing, 'drain', { signal: stopped.signal }).catch(stop);
    idle.pause();
  }
  if (stopped.signal.aborted) return;
  if (sent !== body.size) {
    const [has, announced] = sizePair(sent, body.size);
    throw new FormatError('size-mismatch', `${has} instead of the ${announced} announced`);
  }
  outgoing.end();
}
