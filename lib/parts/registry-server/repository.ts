import { byteOrder } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { ArchivedRepositories, ArchivedRepository } from './archived-repositories.ts';
import type { HeldContent } from './content.ts';
import type { Integrity } from './integrity.ts';
import { findNames, type ResolvedName, repositoryKey, resolveName } from './names.ts';
import type { HeldReferrer } from './referrer.ts';
import type { FindReferrers } from './referrers.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { Store, StoredRepository } from './store/index.ts';

/** What requests are answered from: archives and the store. */
export interface Shelf {
  /** The repositories of the archives; replaced as a whole when the archives change. */
  readonly repositories: ArchivedRepositories;
  /** The store that pushes write to; nothing can be pushed where it is undefined. */
  readonly store: Store | undefined;
  readonly integrity: Integrity;
  readonly referrers: FindReferrers;
  /** Memory for content that is being sent or received. */
  readonly memory: SharedMemory;
}

/** A repository, as archives and the store together have it. Where both have a tag, the archive's counts. */
export interface RepositoryView {
  /** Returns the tags in byte order. */
  tags(): readonly string[];
  tag(name: string): HeldContent | undefined;
  /** Returns a manifest, a config or a layer. */
  content(digest: Digest): HeldContent | undefined;
  /** Returns the platform of a manifest that was left out of an archive on purpose. */
  absent(digest: Digest): string | undefined;
  referrers(subject: Digest): Promise<readonly HeldReferrer[]>;
}

/**
 * Finds the repository that a request means, or says why there is none. Archives come first, and the store adds the
 * tags that they do not have: no push changes the meaning of a name that an archive knows.
 */
export function findRepository(
  shelf: Shelf,
  name: string,
  namespace: string | undefined,
): RepositoryView | Exclude<ResolvedName, { key: string }> {
  const { repositories, store } = shelf;
  const archived = resolveName(repositories, name, namespace);
  const stored = store ? findNames(store, name, namespace) : { named: undefined, hosts: [] };
  if (archived && 'key' in archived) return joined(shelf, archived.key, [stored.named, archived.key]);
  if (archived) {
    const ambiguous = [...new Set([...archived.ambiguous, ...stored.hosts])].sort();
    if (stored.named === undefined) return { ambiguous };
    const taken = (tag: string): boolean =>
      ambiguous.some((host) => has(repositories.get(repositoryKey(host, name)), tag));
    return joined(shelf, undefined, [stored.named], taken);
  }
  if (stored.named === undefined && stored.hosts.length > 1) return { ambiguous: [...stored.hosts].sort() };
  const [host, ...more] = stored.hosts;
  const keys = [stored.named, host === undefined || more.length > 0 ? undefined : repositoryKey(host, name)];
  return keys.some((key) => key !== undefined) ? joined(shelf, undefined, keys) : undefined;
}

/** Returns the repository of a key, which may be empty. */
export function repositoryByKey(shelf: Shelf, key: string): RepositoryView {
  return joined(shelf, key, [key]);
}

/** Joins what archives have under `key` with what the store has under `keys`, except for the tags that are `taken`. */
function joined(
  { repositories, store, referrers }: Shelf,
  key: string | undefined,
  keys: readonly (string | undefined)[],
  taken: (tag: string) => boolean = () => false,
): RepositoryView {
  const archived = key === undefined ? undefined : repositories.get(key);
  const stored = [...new Set(keys)].flatMap((one) => (one === undefined ? [] : (store?.get(one) ?? [])));
  const inStore = (find: (repository: StoredRepository) => Descriptor | undefined): HeldContent | undefined => {
    for (const repository of stored) {
      const descriptor = find(repository);
      if (descriptor && store) return { descriptor, archive: store };
    }
    return undefined;
  };
  return {
    tags: () => {
      const all = new Set([archived, ...stored].flatMap((repository) => [...(repository?.tags.keys() ?? [])]));
      return [...all].filter((tag) => !taken(tag)).sort(byteOrder);
    },
    tag: (name) =>
      archived?.tags.get(name) ?? (taken(name) ? undefined : inStore((repository) => taggedIn(repository, name))),
    content: (digest) => archived?.content.get(digest) ?? inStore((repository) => contentIn(repository, digest)),
    absent: (digest) => archived?.absent.get(digest),
    referrers: (subject) => referrersOf(archived, store, stored, subject, referrers),
  };
}

function has(repository: ArchivedRepository | undefined, tag: string): boolean {
  return repository?.tags.has(tag) === true;
}

async function referrersOf(
  archived: ArchivedRepository | undefined,
  store: Store | undefined,
  stored: readonly StoredRepository[],
  subject: Digest,
  find: FindReferrers,
): Promise<readonly HeldReferrer[]> {
  const all = new Map<Digest, HeldReferrer>();
  for (const one of archived ? await find(archived, subject) : []) all.set(one.held.descriptor.digest, one);
  for (const repository of store ? stored : []) {
    for (const { descriptor, subject: other, artifactType } of repository.manifests.values()) {
      if (other !== subject || all.has(descriptor.digest)) continue;
      all.set(descriptor.digest, { held: { descriptor, archive: store! }, artifactType });
    }
  }
  return [...all.values()];
}

function taggedIn({ tags, manifests }: StoredRepository, tag: string): Descriptor | undefined {
  const digest = tags.get(tag);
  return digest && manifests.get(digest)?.descriptor;
}

/**
 * Returns what a repository of the store has under a digest, and notes that it was asked for, so that it is not swept.
 */
function contentIn({ manifests, blobs }: StoredRepository, digest: Digest): Descriptor | undefined {
  const blob = blobs.get(digest);
  if (blob) blob.used = Date.now();
  const manifest = manifests.get(digest);
  if (manifest) return manifest.descriptor;
  return blob && { mediaType: 'application/octet-stream', digest, size: blob.size };
}
