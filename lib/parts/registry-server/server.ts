import type { Server } from 'node:http';
import { codeOf, reasonOf } from '../../kernel/events/index.ts';
import type { Admit } from './access.ts';
import { type ConnectionLimit, limitConnections } from './connections.ts';
import type { ServedContent } from './content.ts';
import { createEditions, type Edition } from './edition.ts';
import { createIntegrity } from './integrity.ts';
import { createListener, type ListenAddress, listen, renewListener, type TlsFiles } from './listen.ts';
import { type Counters, countAnswer, metricsText, newCounters } from './metrics.ts';
import { contradictions } from './precedence.ts';
import { answerProbe, type Health, isExempt, isProbe } from './probes.ts';
import { createReferrers } from './referrers.ts';
import { type Exchange, Refusal, refuse } from './reply.ts';
import type { Shelf } from './repository.ts';
import { parseRequestUrl } from './request.ts';
import { answer } from './routes.ts';
import { shareMemory } from './shared-memory.ts';
import { keepHeapSmall } from './small-heap.ts';
import { isFull, type Store } from './store/index.ts';
import { sendWebPage, type WebPage, wantsWebPage } from './web-page.ts';

/** Most connections, unless the settings say otherwise. */
const CONNECTIONS = 3000;

/** How to serve. */
export interface RegistrySettings extends ListenAddress {
  /** Ends the registry. */
  readonly signal?: AbortSignal;
  /** The store that pushes write to; read-only where absent. The registry does not close it. */
  readonly store?: Store | undefined;
  /** Decides who may ask for anything but `/healthz` and `/readyz`; everybody where absent. */
  readonly admit?: Admit | undefined;
  /** Decides who of these may push and delete; all of them where absent. */
  readonly admitPush?: Admit | undefined;
  /** Most connections, and most requests under way; 3000 where absent. */
  readonly maxConnections?: number | undefined;
  /** Returns why not everything that was asked for is served, for `/readyz`; undefined where it is. */
  readonly unready?: () => string | undefined;
  /** What a browser is shown that asks for `/`; where absent, that is answered as any other path. */
  readonly page?: WebPage | undefined;
  /** Receives faults of this side, such as damaged content. Clients get no details of them. */
  readonly onProblem?: (problem: unknown) => void;
}

/** A registry that is running. */
export interface RunningRegistry {
  /** `http://host:port`, or with https; `port` is the one that was taken. */
  readonly url: string;
  /** Returns the requests so far, and the bytes of bodies that were sent. */
  stats(): { readonly requests: number; readonly bytes: number };
  /**
   * Serves other archives from now on. `drained` resolves once the requests that began before have ended, so that the
   * old archives can be closed. Throws `image-conflict` at once, and then changes nothing.
   */
  replace(contents: readonly ServedContent[]): { readonly drained: Promise<void> };
  /** Gives TLS another certificate for the connections to come. Throws `tls-invalid`. */
  renew(tls: TlsFiles): void;
  /** Cuts every connection and frees the port. */
  close(): Promise<void>;
}

/**
 * Serves archives as an OCI registry (distribution-spec 1.1): pull and content discovery, and with a store push and
 * content management too. Archives are read in place; without a store nothing is written. Throws `image-conflict`,
 * `tls-invalid` and `listen-failed`.
 */
export async function startRegistry(
  contents: readonly ServedContent[],
  settings: RegistrySettings,
): Promise<RunningRegistry> {
  settings.signal?.throwIfAborted();
  const { store } = settings;
  const closing = new AbortController();
  const integrity = createIntegrity(closing.signal);
  const referrers = createReferrers(integrity);
  const editions = createEditions(contents);
  const counters = newCounters();
  const contradicted = store ? contradictions(store) : () => [];
  const reportContradictions = (): void => {
    for (const problem of contradicted(editions.current().repositories)) settings.onProblem?.(problem);
  };
  const health: Health = {
    unready: () => (closing.signal.aborted ? 'the registry ends' : settings.unready?.()),
    metrics: () =>
      metricsText(counters, {
        archives: editions.current().archives,
        ...connections.facts(),
        store: store && { ...store.facts(), free: store.freeBytes() },
      }),
  };
  const onCut = (): void => {
    counters.cuts += 1;
  };
  const memory = shareMemory(onCut);
  const server = createListener(settings.tls, (request, response) => {
    const edition: Edition = editions.current();
    const count = (bytes: number): void => {
      counters.bytes += bytes;
    };
    const shelf = { repositories: edition.repositories, store, integrity, referrers, memory };
    void edition.run(() => serveOne({ request, response, count }, shelf, inside, settings));
  });
  const { maxConnections = CONNECTIONS } = settings;
  const connections = limitConnections(server, maxConnections, memory.evict, onCut);
  let url = '';
  const inside = { health, counters, connections, closing: closing.signal, url: () => url };
  url = await listen(server, settings);
  keepHeapSmall(closing.signal);
  reportContradictions();
  return running(url, server, settings.signal, closing, {
    stats: () => ({ requests: counters.requests, bytes: counters.bytes }),
    replace: (replacement) => {
      const replaced = editions.replace(replacement);
      reportContradictions();
      return replaced;
    },
    renew: (tls) => renewListener(server, tls),
  });
}

function running(
  url: string,
  server: Server,
  signal: AbortSignal | undefined,
  closing: AbortController,
  rest: Pick<RunningRegistry, 'stats' | 'replace' | 'renew'>,
): RunningRegistry {
  const stop = (): void => {
    closing.abort();
    server.close();
    server.closeAllConnections();
  };
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  signal?.addEventListener('abort', stop, { once: true });
  return {
    url,
    ...rest,
    close: () => {
      signal?.removeEventListener('abort', stop);
      stop();
      return closed;
    },
  };
}

/** What all requests share. */
interface Inside {
  readonly health: Health;
  readonly counters: Counters;
  readonly connections: ConnectionLimit;
  readonly closing: AbortSignal;
  url(): string;
}

async function serveOne(
  exchange: Exchange,
  shelf: Shelf,
  { health, counters, connections, closing, url }: Inside,
  { admit, admitPush, onProblem, page }: RegistrySettings,
): Promise<void> {
  const { request, response } = exchange;
  response.setHeader('docker-distribution-api-version', 'registry/2.0');
  response.setHeader('x-content-type-options', 'nosniff');
  response.on('error', () => undefined);
  request.on('error', () => undefined);
  counters.requests += 1;
  counters.running += 1;
  let end = (): void => undefined;
  try {
    const { path } = parseRequestUrl(request.url ?? '');
    end = connections.begin(request, isExempt(path));
    if (!isProbe(path)) await admit?.(request);
    if (shelf.store && !['GET', 'HEAD'].includes(request.method ?? '')) await admitPush?.(request);
    if (page && wantsWebPage(request, path)) await sendWebPage(exchange, shelf.memory, page, url());
    else if (!answerProbe(exchange, path, health)) await answer(exchange, shelf);
  } catch (error) {
    if (error instanceof Refusal && !response.headersSent) refuse(exchange, error);
    else if (fail(exchange, error) && !closing.aborted) {
      counters.problems += 1;
      onProblem?.(error);
    }
  } finally {
    end();
    counters.running -= 1;
    countAnswer(counters, request.method ?? '', response.statusCode);
    // The rest of the body is read and dropped: a client that is cut off while it sends would not see the answer.
    request.resume();
  }
}

/** Error codes of connections that clients have closed. */
const cuts = ['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ECONNABORTED'];

/**
 * Answers a request that failed. Returns false where the client has left or was cut, which is no fault of this side.
 */
function fail(exchange: Exchange, error: unknown): boolean {
  const { request, response } = exchange;
  const left = error instanceof Refusal || cuts.includes(codeOf(error) ?? '');
  // Nobody gets this status, which nginx coined; it is for the metrics.
  if (left && !response.headersSent) response.statusCode = 499;
  // Once the head was sent, only a broken connection says that the rest is missing.
  if (response.headersSent || (left && request.socket.destroyed)) response.destroy();
  else if (!response.destroyed) {
    refuse(
      exchange,
      isFull(error)
        ? new Refusal(507, 'UNKNOWN', `the store is full: ${reasonOf(error)}`)
        : new Refusal(500, 'UNKNOWN', 'the content cannot be read or written, or is damaged'),
    );
  }
  return !left;
}
