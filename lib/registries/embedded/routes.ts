import { utf8 } from '../../../formats/bytes.ts';
import { type Digest, isDigest } from '../../../formats/digest.ts';
import { isManifestType } from '../../../formats/oci/descriptor.ts';
import { isRepository } from '../../../formats/oci/reference.ts';
import type { Catalogue, CatalogueRepository } from './catalogue.ts';
import type { Held } from './content.ts';
import { deliver } from './deliver.ts';
import type { Integrity } from './integrity.ts';
import { listTags } from './listing.ts';
import { type FindReferrers, listReferrers } from './referrers.ts';
import { type Exchange, Refusal, send } from './reply.ts';

/** What requests are answered from. */
export interface Shelf {
  readonly catalogue: Catalogue;
  readonly integrity: Integrity;
  readonly referrers: FindReferrers;
}

/**
 * Answers one request (distribution-spec 1.1, "Endpoints" end-1 to end-3, end-8 and end-12; all else is refused).
 * Throws `Refusal` for what is answered with an error.
 */
export async function answer(exchange: Exchange, shelf: Shelf): Promise<void> {
  const { request } = exchange;
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new Refusal(405, 'UNSUPPORTED', 'this registry can only be read', { allow: 'GET, HEAD' });
  }
  const { path, query } = locate(request.url ?? '');
  if (path === '/healthz') return send(exchange, 200, utf8('ok\n'), { 'content-type': 'text/plain' });
  if (path === '/v2' || path === '/v2/') return send(exchange, 200, utf8('{}'), { 'content-type': 'application/json' });
  const [, name, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs|tags|referrers)\/([^/]+)$/s.exec(path) ?? [];
  if (!name || !kind || !reference || (kind === 'tags' && reference !== 'list')) {
    throw new Refusal(404, 'UNSUPPORTED', 'there is no such endpoint');
  }
  if (kind === 'referrers') return answerReferrers(exchange, shelf, name, reference, query);
  const repository = requireRepository(shelf.catalogue, name, query);
  if (kind === 'tags') return listTags(exchange, name, query, repository);
  const held = kind === 'manifests' ? findManifest(repository, reference) : findBlob(repository, reference);
  return deliver(exchange, held, shelf.integrity);
}

function locate(target: string): { path: string; query: URLSearchParams } {
  try {
    const url = new URL(target, 'http://registry.invalid');
    return { path: decodeURIComponent(url.pathname), query: url.searchParams };
  } catch {
    throw new Refusal(400, 'NAME_INVALID', 'the address cannot be read');
  }
}

function requireRepository(catalogue: Catalogue, name: string, query: URLSearchParams): CatalogueRepository {
  const found = catalogue.find(name, query.get('ns') ?? undefined);
  if (found && 'repository' in found) return found.repository;
  if (found) {
    const message = `several registries have ${name}: put one of ${found.ambiguous.join(', ')} and / before it`;
    throw new Refusal(404, 'NAME_UNKNOWN', message);
  }
  if (!isRepository(name)) throw new Refusal(400, 'NAME_INVALID', 'not a repository name');
  throw new Refusal(404, 'NAME_UNKNOWN', `${name} is in none of the archives`);
}

function findManifest({ tags, content }: CatalogueRepository, reference: string): Held {
  // A tag has no colon: whatever has one was meant as a digest.
  const held = reference.includes(':') ? content.get(requireDigest(reference)) : tags.get(reference);
  if (held && isManifestType(held.descriptor.mediaType)) return held;
  throw new Refusal(404, 'MANIFEST_UNKNOWN', 'there is no such manifest in the archives');
}

function findBlob({ content }: CatalogueRepository, reference: string): Held {
  const held = content.get(requireDigest(reference));
  if (held) return held;
  throw new Refusal(404, 'BLOB_UNKNOWN', 'there is no such blob in the archives');
}

async function answerReferrers(
  exchange: Exchange,
  { catalogue, referrers }: Shelf,
  name: string,
  reference: string,
  query: URLSearchParams,
): Promise<void> {
  const subject = requireDigest(reference);
  const found = catalogue.find(name, query.get('ns') ?? undefined);
  if (!found && !isRepository(name)) throw new Refusal(400, 'NAME_INVALID', 'not a repository name');
  const list = found && 'repository' in found ? await referrers(found.repository, subject) : [];
  listReferrers(exchange, list, query.get('artifactType'));
}

function requireDigest(value: string): Digest {
  if (isDigest(value)) return value;
  throw new Refusal(400, 'DIGEST_INVALID', 'not a sha256 or sha512 digest');
}
