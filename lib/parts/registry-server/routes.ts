import { utf8 } from '../../../formats/bytes.ts';
import { beginBlob, continueBlob } from './blobs.ts';
import { catalogPath, sendCatalog } from './catalog.ts';
import { receiveManifest } from './manifests.ts';
import { answerPull } from './pull.ts';
import { remove } from './remove.ts';
import { type Exchange, Refusal, reply } from './reply.ts';
import type { Shelf } from './repository.ts';
import { parseRequestUrl, type Target, targetOf } from './request.ts';

/** Answers one request below `/v2/`. Throws `Refusal` where it cannot. */
export async function answer(exchange: Exchange, shelf: Shelf): Promise<void> {
  const { path, query } = parseRequestUrl(exchange.request.url ?? '');
  if (path === '/v2' || path === '/v2/') {
    requireMethod(exchange, ['GET', 'HEAD']);
    return reply(exchange, 200, utf8('{}'), { 'content-type': 'application/json' });
  }
  if (path === catalogPath) {
    requireMethod(exchange, ['GET', 'HEAD']);
    return sendCatalog(exchange, query, shelf);
  }
  const target = targetOf(path, query);
  const methods = methodsOf(target, shelf.store !== undefined);
  const method = requireMethod(exchange, methods);
  const { store } = shelf;
  if (target.kind === 'uploads' && store) {
    return target.reference === '' ? beginBlob(exchange, shelf, store, target) : continueBlob(exchange, store, target);
  }
  if (method === 'DELETE' && store) return remove(exchange, shelf, store, target);
  if (method === 'PUT' && store) return receiveManifest(exchange, shelf, store, target);
  return answerPull(exchange, shelf, target);
}

/** Returns the methods of an endpoint (distribution-spec "Endpoints"). Without a store everything is read-only. */
function methodsOf({ kind, reference }: Target, writable: boolean): readonly string[] {
  if (!writable) return ['GET', 'HEAD'];
  if (kind === 'uploads') return reference === '' ? ['POST'] : ['GET', 'PATCH', 'PUT', 'DELETE'];
  if (kind === 'manifests') return ['GET', 'HEAD', 'PUT', 'DELETE'];
  return kind === 'blobs' ? ['GET', 'HEAD', 'DELETE'] : ['GET', 'HEAD'];
}

function requireMethod({ request }: Exchange, allowed: readonly string[]): string {
  const { method = '' } = request;
  if (allowed.includes(method)) return method;
  const writes = allowed.includes('PUT') || allowed.includes('POST');
  const message = writes ? 'this is not supported here' : 'this is read-only';
  throw new Refusal(405, 'UNSUPPORTED', message, { allow: allowed.join(', ') });
}
