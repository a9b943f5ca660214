import { type Exchange, Refusal, reply } from './reply.ts';
import { repositoryByKey, type Shelf } from './repository.ts';
import { requireDigest, requireKey, requireRepository, type Target } from './request.ts';
import type { Store } from './store/index.ts';

/**
 * Removes a tag, a manifest or a blob (distribution-spec "Content Management"). Content of archives cannot be removed.
 */
export async function remove(exchange: Exchange, shelf: Shelf, store: Store, target: Target): Promise<void> {
  const key = requireKey(target);
  const { kind, reference } = target;
  if (!shelf.repositories.has(key) && !store.has(key)) requireRepository(shelf, target);
  const isTag = kind === 'manifests' && !reference.includes(':');
  const digest = isTag ? undefined : requireDigest(reference);
  const { tags, manifests, blobs } = store.get(key) ?? { tags: new Map(), manifests: new Map(), blobs: new Map() };
  if (digest === undefined && tags.has(reference)) await store.removeTag(key, reference);
  else if (digest && kind === 'manifests' && manifests.has(digest)) await store.removeManifest(key, digest);
  else if (digest && kind === 'blobs' && blobs.has(digest)) await store.removeBlob(key, digest);
  else throw absent(shelf, key, target);
  reply(exchange, 202, new Uint8Array(), {});
}

function absent(shelf: Shelf, key: string, { kind, reference }: Target): Refusal {
  const here = repositoryByKey(shelf, key);
  const held =
    kind === 'manifests' && !reference.includes(':') ? here.tag(reference) : here.content(requireDigest(reference));
  if (held && held.archive !== shelf.store) {
    return new Refusal(405, 'UNSUPPORTED', 'it belongs to an archive, which is only read', { allow: 'GET, HEAD' });
  }
  return kind === 'manifests'
    ? new Refusal(404, 'MANIFEST_UNKNOWN', 'there is no such manifest here')
    : new Refusal(404, 'BLOB_UNKNOWN', 'there is no such blob here');
}
