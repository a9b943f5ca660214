import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { KubernetesApi } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { connect, type Timings } from '../../lib/parts/clusters/kubernetes/server/client/index.ts';
import { testFlow } from './flow.ts';
import { ok } from './judges.ts';

/** A request as a server of `apiServer` sees it. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Number of the request after `/version`, from 1. */
  readonly count: number;
  readonly message: IncomingMessage;
}

/** Answers a request; what it returns is sent as JSON. */
export type Handler = (request: Seen, response: ServerResponse) => unknown;

/** Times for tests: short, but for a machine that is busy. */
export const timings: Timings = {
  first: { connect: 5000, idle: 5000, total: 20, pause: 1, longest: 2 },
  later: { connect: 5000, idle: 5000, total: 20_000, pause: 1, longest: 2 },
};

/**
 * A server that answers `/version` as an API server does, and all else as the test says: what a real one cannot be made
 * to do.
 */
export async function apiServer(handler: Handler, tls?: ServerOptions): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const answer = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(message.url ?? '', 'http://server');
    if (url.pathname === '/version') return send(response, 200, { gitVersion: 'v1.35.4' });
    let body = '';
    for await (const chunk of message) body += chunk;
    const { method = '', headers } = message;
    const count = seen.length + 1;
    const request = { method, path: url.pathname, query: url.searchParams, headers, body, count, message };
    seen.push(request);
    const value = await handler(request, response);
    if (value !== undefined) send(response, 200, value);
  };
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    answer(message, response).catch(() => response.destroy());
  };
  const server = tls ? createSecureServer(tls, listener) : createServer(listener);
  return { url: `${tls ? 'https' : 'http'}://127.0.0.1:${await listen(server)}`, seen };
}

/** Lets a server listen on a port of its own until the test ends. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends JSON. */
export function send(response: ServerResponse, status: number, value: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
}

/** A `Status` of the API. */
export function status(code: number, reason: string, message: string, details: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message, details };
}

/** Writes a kubeconfig of one cluster and one user into `folder`, and returns its path. */
export function kubeconfig(folder: string, cluster: object, user: object = {}): string {
  const path = join(folder, `config-${kubeconfigs++}`);
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'edge', cluster }],
    users: [{ name: 'ada', user }],
    contexts: [{ name: 'here', context: { cluster: 'edge', user: 'ada' } }],
    'current-context': 'here',
  };
  writeFileSync(path, JSON.stringify(document));
  return path;
}
let kubeconfigs = 0;

/** Connects until the test ends. */
export async function connected(
  path: string,
  more: Partial<Timings> = {},
): Promise<{ api: KubernetesApi; notices: () => string[] }> {
  const flow = testFlow();
  const api = await connect(path, flow, { ...timings, ...more });
  onTestFinished(() => api.close());
  const notices = (): string[] =>
    flow.events.flatMap((event) => (event.type === 'notice' ? [`${event.subject}: ${event.message}`] : []));
  return { api, notices };
}

/** An API server whose discovery knows ConfigMaps, Secrets and Namespaces, and all else as the test says. */
export function withDiscovery(handler: Handler): Handler {
  return (request, response) => {
    if (request.path === '/api') return discovery;
    if (request.path === '/apis') return { kind: 'APIGroupDiscoveryList', items: [] };
    return handler(request, response);
  };
}

const verbs = ['get', 'list', 'patch', 'delete'];
const resource = (name: string, kind: string, scope = 'Namespaced'): object => ({
  resource: name,
  responseKind: { group: '', version: '', kind },
  scope,
  verbs,
});
const resources = [
  resource('configmaps', 'ConfigMap'),
  resource('secrets', 'Secret'),
  resource('namespaces', 'Namespace', 'Cluster'),
];
const discovery = {
  kind: 'APIGroupDiscoveryList',
  items: [{ metadata: {}, versions: [{ version: 'v1', freshness: 'Current', resources }] }],
};

/** A certificate and its key, PEM, and the paths where they are. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

/** Makes an authority in `folder`. */
export async function authority(folder: string, name: string): Promise<Pair> {
  const pair = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const made = ['-keyout', pair.key, '-out', pair.cert, '-subj', `/CN=${name}`, '-days', '2'];
  await ok('openssl', ['req', '-x509', '-nodes', ...curve, ...made]);
  return pair;
}

/** Lets `signer` sign a certificate for 127.0.0.1 that is good for `days`, which may be over already. */
export async function signedBy(signer: Pair, folder: string, name: string, days = 2): Promise<Pair> {
  const pair = { cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
  const request = join(folder, `${name}.csr`);
  const names = join(folder, `${name}.ext`);
  writeFileSync(names, 'subjectAltName = IP:127.0.0.1\n');
  await ok('openssl', ['req', '-nodes', ...curve, '-keyout', pair.key, '-out', request, '-subj', `/CN=${name}`]);
  const by = ['-CA', signer.cert, '-CAkey', signer.key, '-CAcreateserial', '-extfile', names, '-days', String(days)];
  await ok('openssl', ['x509', '-req', '-in', request, '-out', pair.cert, ...by]);
  return pair;
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
