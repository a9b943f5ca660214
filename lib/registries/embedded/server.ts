import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SolpackError } from '../../errors.ts';
import { codeOf, reasonOf } from '../../host.ts';
import { createCatalogue } from './catalogue.ts';
import type { ServedContent } from './content.ts';
import { createIntegrity } from './integrity.ts';
import { createReferrers } from './referrers.ts';
import { type Exchange, Refusal, refuse } from './reply.ts';
import { answer, type Shelf } from './routes.ts';

/** How to serve. */
export interface RegistrySettings {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Ends the registry. */
  readonly signal?: AbortSignal;
  /** Receives what went wrong on this side, such as damaged content; clients get no details. */
  readonly onProblem?: (problem: unknown) => void;
}

/** A registry that answers. */
export interface RunningRegistry {
  /** `http://host:port`, with the port that was taken. */
  readonly url: string;
  /** Requests so far, and bytes of bodies that were sent. */
  stats(): { readonly requests: number; readonly bytes: number };
  /** Cuts every connection and frees the port. */
  close(): Promise<void>;
}

/** How long a client may keep an idle connection: longer than clients do, so that none meets a closing one. */
const KEEP_ALIVE = 90_000;
/** How long a connection may stand still while an answer is sent. */
const STALLED = 300_000;

/**
 * Serves archives as a read-only OCI registry (distribution-spec 1.1, pull and content discovery). Bytes are read
 * where they lie; nothing is written. Throws `image-conflict` and `listen-failed`.
 */
export async function startRegistry(
  contents: readonly ServedContent[],
  settings: RegistrySettings,
): Promise<RunningRegistry> {
  settings.signal?.throwIfAborted();
  const closing = new AbortController();
  const integrity = createIntegrity(closing.signal);
  const shelf = { catalogue: createCatalogue(contents), integrity, referrers: createReferrers(integrity) };
  const stats = { requests: 0, bytes: 0 };
  const count = (bytes: number): void => {
    stats.bytes += bytes;
  };
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE }, (request, response) => {
    stats.requests += 1;
    void serveOne({ request, response, count }, shelf, settings.onProblem);
  });
  server.setTimeout(STALLED);
  await listen(server, settings);
  const stop = (): void => {
    closing.abort();
    server.close();
    server.closeAllConnections();
  };
  const closed = new Promise<void>((settle) => server.once('close', () => settle()));
  settings.signal?.addEventListener('abort', stop, { once: true });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`,
    stats: () => ({ ...stats }),
    close: () => {
      settings.signal?.removeEventListener('abort', stop);
      stop();
      return closed;
    },
  };
}

async function serveOne(exchange: Exchange, shelf: Shelf, onProblem: RegistrySettings['onProblem']): Promise<void> {
  const { request, response } = exchange;
  prepare(request, response);
  try {
    await answer(exchange, shelf);
  } catch (error) {
    if (error instanceof Refusal) {
      refuse(exchange, error);
      return;
    }
    // Once a head was sent, a cut connection is the one way to say that the rest is missing.
    if (response.headersSent) response.destroy();
    else if (!response.destroyed)
      refuse(exchange, new Refusal(500, 'UNKNOWN', 'the content cannot be read, or is damaged'));
    if (codeOf(error) !== 'ERR_STREAM_PREMATURE_CLOSE') onProblem?.(error);
  }
}

function prepare(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('docker-distribution-api-version', 'registry/2.0');
  response.setHeader('x-content-type-options', 'nosniff');
  response.on('error', () => undefined);
  // A body is read and dropped: a client that is cut off while it sends would not see the answer.
  request.resume();
}

async function listen(server: Server, { host, port }: RegistrySettings): Promise<void> {
  const address = `${host}:${port}`;
  try {
    await new Promise<void>((settle, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, settle);
    });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'something else uses it',
      EADDRNOTAVAIL: 'this machine has no such address',
      ENOTFOUND: 'there is no such host',
    };
    const why = reasons[codeOf(error) ?? ''] ?? reasonOf(error);
    throw new SolpackError('listen-failed', address, `cannot listen on ${address}: ${why}`, {
      cause: error,
      hint: 'choose another address; port 0 takes any that is free',
    });
  }
}
