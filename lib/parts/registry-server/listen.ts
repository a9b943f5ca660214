import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { codeOf, reasonOf, SolpackError } from '../../kernel/events/index.ts';
import { http, https } from '../../kernel/http/index.ts';

/** Certificate and private key for TLS, both PEM. */
export interface TlsFiles {
  /** The certificate, followed by those that lead to an authority that clients know. */
  readonly certificate: string;
  readonly key: string;
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Plain HTTP is spoken where this is absent. */
  readonly tls?: TlsFiles | undefined;
}

/**
 * How long an idle connection is kept, in milliseconds. Clients close theirs earlier, so that none sends a request into
 * a connection that is being closed.
 */
const KEEP_ALIVE = 90_000;
/** How long a connection may stand still while an answer or a body is sent, in milliseconds. */
export const STALLED = 300_000;
/** How long a client may take to send the head of a request, and for the TLS handshake, in milliseconds. */
const HEAD = 20_000;
/** Connections that the system queues until they are accepted: when its queue is full, clients wait for seconds. */
const BACKLOG = 4096;
/** How often Node.js looks for requests whose head takes too long, in milliseconds. */
const LOOK = 2000;

/** Creates a server that does not listen yet. Throws `tls-invalid`. */
export function createListener(tls: TlsFiles | undefined, onRequest: RequestListener): Server {
  // A blob may take as long as it needs, as long as bytes are moving.
  const options = {
    keepAliveTimeout: KEEP_ALIVE,
    requestTimeout: 0,
    headersTimeout: HEAD,
    connectionsCheckingInterval: LOOK,
  };
  const server = tls ? secureServer(tls, options, onRequest) : http.createServer(options, onRequest);
  server.setTimeout(STALLED);
  return server;
}

function secureServer(tls: TlsFiles, options: object, onRequest: RequestListener): Server {
  requirePair(tls);
  return https().createServer({ ...options, handshakeTimeout: HEAD, ...secureContext(tls) }, onRequest);
}

/** Gives a TLS server another certificate for the connections to come. Throws `tls-invalid`. */
export function renewListener(server: Server, tls: TlsFiles): void {
  requirePair(tls);
  if (server instanceof https().Server) server.setSecureContext(secureContext(tls));
}

function secureContext({ certificate, key }: TlsFiles): SecureContextOptions {
  return { cert: certificate, key, minVersion: 'TLSv1.2' };
}

function requirePair({ certificate, key }: TlsFiles): void {
  const invalid = (message: string, cause?: unknown): SolpackError =>
    new SolpackError('tls-invalid', 'TLS', message, {
      cause,
      hint: 'give a PEM certificate and the PEM key it was made for',
    });
  let belongs: boolean;
  try {
    belongs = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
  } catch (error) {
    throw invalid(`the certificate or the key cannot be read: ${reasonOf(error)}`, error);
  }
  if (!belongs) throw invalid('the certificate was made for another key');
}

/** Listens, and returns the URL. Throws `listen-failed`. */
export async function listen(server: Server, { host, port, tls }: ListenAddress): Promise<string> {
  const address = `${host}:${port}`;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: BACKLOG }, resolve);
    });
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'another program uses it',
      EADDRNOTAVAIL: 'this machine has no such address',
      ENOTFOUND: 'there is no such host',
    };
    const why = reasons[codeOf(error) ?? ''] ?? reasonOf(error);
    throw new SolpackError('listen-failed', address, `cannot listen on ${address}: ${why}`, {
      cause: error,
      hint: 'choose another address; port 0 selects any free one',
    });
  }
  const taken = (server.address() as AddressInfo).port;
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${taken}`;
}

/** Makes sure that an address can be listened on, by doing so for a moment. Throws `listen-failed`. */
export async function requireFree(address: Pick<ListenAddress, 'host' | 'port'>): Promise<void> {
  const server = http.createServer();
  await listen(server, address);
  await new Promise((resolve) => server.close(resolve));
}
