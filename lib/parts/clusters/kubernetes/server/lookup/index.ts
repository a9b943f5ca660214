import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exactJson } from '../../../../../../formats/exact-json.ts';
import type { ClusterFacts, LookupLimit, LookupServer } from '../../../../../kernel/content/index.ts';
import { http } from '../../../../../kernel/http/index.ts';
import { clusterError } from '../client/index.ts';
import type { ApplySession } from '../session.ts';
import { answerLookup, failure, type LookupAnswer, type LookupMemory, type LookupView } from './answer.ts';

export type {
  /** What was looked up in a cluster, and what came of it. */
  LookupMemory,
} from './answer.ts';

/**
 * Starts a server on this machine at which charts look objects up for as long as it runs: it reads of the cluster by
 * the connection of the session what `limit` does not refuse, and can do nothing else. Only who knows its address,
 * which has a random part, is answered.
 */
export async function serveLookups(
  facts: ClusterFacts,
  memory: LookupMemory,
  { api, flow: { signal } }: Pick<ApplySession, 'api' | 'flow'>,
  limit?: LookupLimit,
): Promise<LookupServer> {
  const prefix = `/${randomBytes(24).toString('base64url')}`;
  let refusal: { readonly subject: string; readonly error: unknown } | undefined;
  const view: LookupView = {
    api,
    discovery: await api.discover(signal),
    facts,
    memory,
    signal,
    limit,
    onRefusal: (subject, error) => {
      refusal ??= { subject, error };
    },
  };
  const server = http.createServer((request, response) => {
    void respond(request, prefix, view).then((answer) => send(answer, response));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    refusal: () => refusal && { subject: refusal.subject, error: clusterError(refusal.error, api.server) },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

async function respond({ method, url = '' }: IncomingMessage, prefix: string, view: LookupView): Promise<LookupAnswer> {
  const path = url.replace(/\?.*$/s, '');
  const [given, wanted] = [Buffer.from(path.slice(0, prefix.length)), Buffer.from(prefix)];
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return failure(404, 'NotFound', 'not found');
  if (method !== 'GET') return failure(405, 'MethodNotAllowed', 'objects can only be looked up here');
  try {
    return await answerLookup(path.slice(prefix.length), view);
  } catch (error) {
    view.onRefusal(path.slice(prefix.length), error);
    return failure(500, 'InternalError', 'it cannot be looked up');
  }
}

function send({ status, type, value }: LookupAnswer, response: ServerResponse): void {
  const body = Buffer.from(exactJson(value));
  response.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body);
}
