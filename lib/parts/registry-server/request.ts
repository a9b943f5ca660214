import { type Digest, isDigest } from '../../../formats/digest.ts';
import { isRepository } from '../../../formats/oci/reference.ts';
import { pushedKey } from './names.ts';
import { Refusal } from './reply.ts';
import { findRepository, type RepositoryView, type Shelf } from './repository.ts';
import { folderOf } from './store/index.ts';

/** What a request below `/v2/` is about. */
export interface Target {
  /** The name as the request has it; never decoded twice. */
  readonly name: string;
  readonly kind: 'manifests' | 'blobs' | 'uploads' | 'tags' | 'referrers';
  /** A tag, a digest or the id of an upload; '' where an upload begins. */
  readonly reference: string;
  readonly query: URLSearchParams;
}

/** Splits the URL of a request into path and query. */
export function parseRequestUrl(target: string): { path: string; query: URLSearchParams } {
  try {
    const url = new URL(target, 'http://registry.invalid');
    return { path: decodeURIComponent(url.pathname), query: url.searchParams };
  } catch {
    throw new Refusal(400, 'NAME_INVALID', 'the address cannot be read');
  }
}

/** Parses a path below `/v2/` (distribution-spec "Endpoints"). */
export function targetOf(path: string, query: URLSearchParams): Target {
  const upload = /^\/v2\/(.+)\/blobs\/uploads(?:\/([^/]*))?$/s.exec(path);
  if (upload) return { name: upload[1]!, kind: 'uploads', reference: upload[2] ?? '', query };
  const [, name, kind, reference] = /^\/v2\/(.+)\/(manifests|blobs|tags|referrers)\/([^/]+)$/s.exec(path) ?? [];
  if (!name || !kind || !reference || (kind === 'tags' && reference !== 'list')) {
    throw new Refusal(404, 'UNSUPPORTED', 'there is no such endpoint');
  }
  return { name, kind: kind as Target['kind'], reference, query };
}

/** Returns the repository that a request reads from. Throws `Refusal` where there is none, or several. */
export function requireRepository(shelf: Shelf, { name, query }: Target): RepositoryView {
  const found = findRepository(shelf, name, query.get('ns') ?? undefined);
  if (found && 'tags' in found) return found;
  if (found) {
    const message = `several registries have ${name}: put one of ${found.ambiguous.join(', ')} and / before it`;
    throw new Refusal(404, 'NAME_UNKNOWN', message);
  }
  requireName(name);
  throw new Refusal(404, 'NAME_UNKNOWN', `there is no repository ${name} here`);
}

/** Returns the key of the repository that a request writes to. */
export function requireKey({ name, query }: Target): string {
  const namespace = query.get('ns') ?? undefined;
  if (namespace === '' || namespace?.includes('/'))
    throw new Refusal(400, 'NAME_INVALID', 'ns is not the host of a registry');
  const key = pushedKey(name, namespace);
  requireName(name);
  const folder = folderOf(key);
  requireName(folder);
  // It would be another repository once the store is read again.
  if (pushedKey(folder) !== key)
    throw new Refusal(400, 'NAME_INVALID', 'no host of a registry with a port from 0 to 65535');
  return key;
}

/** Refuses a name that no repository can have. */
export function requireName(name: string): void {
  if (!isRepository(name)) throw new Refusal(400, 'NAME_INVALID', 'not a repository name');
}

/** Returns `value` as a digest. Throws `Refusal` where it is none. */
export function requireDigest(value: string): Digest {
  if (isDigest(value)) return value;
  throw new Refusal(400, 'DIGEST_INVALID', 'not a sha256 or sha512 digest');
}
