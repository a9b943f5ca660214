import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { sha256 } from '../../formats/digest.ts';

/** What a registry does that others do not. */
export interface Quirks {
  /** What it answers about referrers; else as the registry behind it. */
  readonly referrers?: number;
  /** What it answers about a tag that it does not have, instead of 404. */
  readonly unknownTag?: number;
  /** Whether it takes no HEAD. */
  readonly withoutHead?: boolean;
  /** Whether it refuses a manifest whose subject it does not have, as GitLab's does. */
  readonly subjectFirst?: boolean;
  /** Which of the signed links to its store, for each blob, the store does not take. */
  readonly spoiltLinks?: 'first' | 'all';
  /** The repositories that there are, where it makes none by itself, as that of AWS. */
  readonly repositories?: ReadonlySet<string>;
}

/** A registry with quirks. */
export interface QuirkyRegistry {
  readonly host: string;
  /** `METHOD path status` of every request. */
  readonly seen: readonly string[];
}

/** Puts a registry with quirks before the one at `upstream`. */
export async function quirky(upstream: string, quirks: Quirks): Promise<QuirkyRegistry> {
  const seen: string[] = [];
  const names = new Set<string>();
  const server = createServer((incoming, response) => {
    response.once('finish', () => seen.push(`${incoming.method} ${incoming.url} ${response.statusCode}`));
    void answer(upstream, quirks, names, incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

async function answer(
  upstream: string,
  quirks: Quirks,
  names: Set<string>,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '' } = incoming;
  const [, repository = '', kind, name = ''] =
    /^\/v2\/(.+?)\/(manifests|referrers|blobs|tags)\/([^?]*)/.exec(url) ?? [];
  const refuse = (status: number, code: string): void => {
    incoming.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(method === 'HEAD' ? undefined : JSON.stringify({ errors: [{ code, message: 'refused' }] }));
  };
  if (quirks.withoutHead && method === 'HEAD') return refuse(405, 'UNSUPPORTED');
  if (kind !== undefined && quirks.repositories?.has(repository) === false) return refuse(404, 'NAME_UNKNOWN');
  if (kind === 'referrers' && quirks.referrers !== undefined) return refuse(quirks.referrers, 'UNSUPPORTED');
  const place = `${repository}/${name}`;
  const isUnknown = kind === 'manifests' && method !== 'PUT' && !name.includes(':') && !names.has(place);
  if (isUnknown && quirks.unknownTag !== undefined) return refuse(quirks.unknownTag, 'DENIED');
  const body = kind === 'manifests' && method === 'PUT' ? await bodyOf(incoming) : undefined;
  const subject = body && JSON.parse(body.toString()).subject?.digest;
  if (subject && quirks.subjectFirst && !names.has(`${repository}/${subject}`)) return refuse(400, 'MANIFEST_INVALID');
  if (body) names.add(place).add(`${repository}/${sha256(body)}`);
  const isSpoilt = quirks.spoiltLinks === 'all' || (quirks.spoiltLinks === 'first' && !names.has(`link ${place}`));
  handOn(upstream, incoming, response, body, (headers) => {
    if (!isSpoilt || headers.location?.includes(SIGNATURE) !== true) return headers;
    names.add(`link ${place}`);
    return { ...headers, location: headers.location.replace(SIGNATURE, `${SIGNATURE}0`) };
  });
}

/** The parameter of a link to S3 that proves who made it. */
const SIGNATURE = 'X-Amz-Signature=';

function handOn(
  upstream: string,
  incoming: IncomingMessage,
  response: ServerResponse,
  body: Buffer | undefined,
  changed: (headers: IncomingHttpHeaders) => IncomingHttpHeaders,
): void {
  const [host, port] = upstream.split(':');
  const { method, url: path, headers } = incoming;
  const asking = request({ host, port, method, path, headers, agent: false });
  asking.on('error', () => incoming.socket.destroy());
  response.once('close', () => asking.destroy());
  asking.once('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, changed(reply.headers));
    reply.pipe(response);
  });
  if (body) asking.end(body);
  else incoming.pipe(asking);
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
}
