import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { type Account, error, refusalOf, type State } from './harbor-rules.ts';

/** What stands before a registry as Harbor does. */
export interface HarborFront {
  readonly host: string;
  /** The password of `admin`. */
  readonly password: string;
  /** `METHOD path status` of every request. */
  readonly seen: readonly string[];
}

/**
 * Puts before the Distribution at `upstream` what Harbor 2 has before its own: projects and robots by its API, tokens
 * for them, and its rules for repositories, quotas and immutable tags, each with its answer. Harbor itself is not a
 * program that tests could build. What it answers is that of `src/server/middleware/v2auth`, `quota`, `immutable`,
 * `artifactinfo` and `src/core/service/token`.
 */
export async function harborFront(upstream: string): Promise<HarborFront> {
  const password = randomBytes(9).toString('hex');
  const state: State = {
    projects: new Map(),
    accounts: new Map([['admin', { secret: password, project: '*', push: true }]]),
    tokens: new Map(),
    tags: new Map(),
    referrers: new Map(),
  };
  const seen: string[] = [];
  const server = createServer((incoming, response) => {
    response.once('finish', () => seen.push(`${incoming.method} ${incoming.url} ${response.statusCode}`));
    void answer(state, upstream, incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, password, seen };
}

async function answer(
  state: State,
  upstream: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(incoming.url!, 'http://harbor');
  if (pathname === '/service/token') return token(state, incoming, response);
  if (pathname.startsWith('/api/v2.0/')) return api(state, pathname, incoming, response);
  const refusal = refusalOf(state, incoming);
  if (refusal) {
    incoming.resume();
    return json(response, refusal.status, refusal.body, refusal.headers);
  }
  return handOn(upstream, incoming, response, state);
}

function account({ accounts }: State, { headers }: IncomingMessage): Account | 'wrong' | undefined {
  const [, encoded] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  const [, name, secret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  const found = accounts.get(name!);
  return found?.secret === secret ? found : 'wrong';
}

function token(state: State, incoming: IncomingMessage, response: ServerResponse): void {
  const who = account(state, incoming);
  incoming.resume();
  // It gives tokens for nothing as well, and whoever shows them is refused.
  if (who === 'wrong') {
    json(response, 401, '');
    return;
  }
  const value = randomBytes(16).toString('hex');
  if (who) state.tokens.set(value, who);
  json(response, 200, { token: value, access_token: '', expires_in: 1800, issued_at: new Date().toISOString() });
}

async function api(state: State, path: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const who = account(state, incoming);
  const bytes = await bodyOf(incoming);
  if (who === undefined || who === 'wrong' || who.project !== '*')
    return json(response, 401, error('UNAUTHORIZED', 'unauthorized'));
  const body = JSON.parse(bytes.toString()) as Record<string, unknown>;
  if (path === '/api/v2.0/projects') {
    const { project_name: name, storage_limit: limit, immutable } = body;
    const quota = typeof limit === 'number' && limit >= 0 ? limit : undefined;
    state.projects.set(`${name}`, { quota, immutable: immutable === true, used: 0 });
    return json(response, 201, '');
  }
  const { name, project, push } = body;
  const secret = randomBytes(9).toString('hex');
  const full = `robot$${project}+${name}`;
  state.accounts.set(full, { secret, project: `${project}`, push: push === true });
  json(response, 201, { name: full, secret });
}

/**
 * Hands a request on to Distribution, which trusts whoever comes from here. Tags and referrers are Harbor's own to
 * tell.
 */
async function handOn(
  upstream: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  state: State,
): Promise<void> {
  const { method, url: path, headers } = incoming;
  const [, repository, subject] = /^\/v2\/(.+)\/referrers\/([^?]+)/.exec(path!) ?? [];
  if (repository !== undefined) {
    const manifests = state.referrers.get(`${repository}@${subject}`) ?? [];
    return json(response, 200, { schemaVersion: 2, mediaType: INDEX, manifests }, { 'content-type': INDEX });
  }
  const [host, port] = upstream.split(':');
  const { authorization: _, ...rest } = headers;
  const asking = request({ host, port, method, path, headers: rest, agent: false });
  asking.on('error', () => incoming.socket.destroy());
  response.once('close', () => asking.destroy());
  const [, name, reference] = /^\/v2\/(.+)\/manifests\/(.+)$/.exec(path!) ?? [];
  const body = method === 'PUT' && name !== undefined ? await bodyOf(incoming) : undefined;
  asking.once('response', (reply) => {
    const about = body && reply.statusCode === 201 ? noteManifest(state, `${name}`, `${reference}`, body) : undefined;
    response.writeHead(reply.statusCode ?? 502, { ...reply.headers, ...(about ? { 'oci-subject': about } : {}) });
    reply.pipe(response);
  });
  if (body) asking.end(body);
  else incoming.pipe(asking);
}

/** Notes a manifest that was stored; returns the digest of its subject. */
function noteManifest({ tags, referrers }: State, name: string, reference: string, bytes: Buffer): string | undefined {
  const digest = sha256(bytes);
  if (!reference.includes(':')) tags.set(`${name}:${reference}`, digest);
  const { subject, mediaType, artifactType, config, annotations } = JSON.parse(bytes.toString());
  if (subject === undefined) return undefined;
  const place = `${name}@${subject.digest}`;
  const type = artifactType ?? config?.mediaType;
  const known = (referrers.get(place) ?? []).filter((one) => (one as { digest: string }).digest !== digest);
  referrers.set(place, [...known, { mediaType, digest, size: bytes.length, artifactType: type, annotations }]);
  return subject.digest;
}

const INDEX = 'application/vnd.oci.image.index.v1+json';

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function json(
  response: ServerResponse,
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const type = { 'content-type': 'application/json; charset=utf-8', 'docker-distribution-api-version': 'registry/2.0' };
  response.writeHead(status, { ...type, ...headers, 'content-length': bytes.length }).end(bytes);
}
