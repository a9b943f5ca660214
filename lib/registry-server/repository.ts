import { byteOrder } from '../../formats/bytes.ts';
import type { Digest } from '../../formats/digest.ts';
import type { Descriptor } from '../../formats/oci/descriptor.ts';
import type { Catalogue, CatalogueRepository } from './catalogue.ts';
import type { Held } from './content.ts';
import type { Integrity } from './integrity.ts';
import { findNames, type ResolvedName, repositoryKey, resolveName } from './names.ts';
import type { FindReferrers } from './referrers.ts';
import type { SharedMemory } from './shared-memory.ts';
import type { Store, StoredRepository } from './store/index.ts';

/** What requests are answered from. */
export interface Shelf {
  /** Of the archives; replaced as a whole when they change. */
  readonly catalogue: Catalogue;
  /** Where pushes go; without one nothing can be pushed. */
  readonly store: Store | undefined;
  readonly integrity: Integrity;
  readonly referrers: FindReferrers;
  /** Memory for what is on its way. */
  readonly memory: SharedMemory;
}

/** A repository, whether archives or the store have it, or both. What an archive says of a tag counts. */
export interface RepositoryView {
  /** In the order of their bytes. */
  tags(): readonly string[];
  tag(name: string): Held | undefined;
  /** A manifest, a config or a layer. */
  content(digest: Digest): Held | undefined;
  /** The platform of a manifest that was left out of an archive on purpose. */
  absent(digest: Digest): string | undefined;
  referrers(subject: Digest): Promise<readonly Descriptor[]>;
}

/**
 * The repository that a request means, or why there is none. Archives are asked first: what the store has under the same name
 * comes after, tag by tag, so that no push changes what a name means that an archive knows.
 */
export function findRepository(
  shelf: Shelf,
  name: string,
  namespace: string | undefined,
): RepositoryView | Exclude<ResolvedName, { key: string }> {
  const { catalogue, store } = shelf;
  const archived = resolveName(catalogue, name, namespace);
  const stored = store ? findNames(store, name, namespace) : { named: undefined, hosts: [] };
  if (archived && 'key' in archived) return joined(shelf, archived.key, [stored.named, archived.key]);
  if (archived) {
    const ambiguous = [...new Set([...archived.ambiguous, ...stored.hosts])].sort();
    if (stored.named === undefined) return { ambiguous };
    const taken = (tag: string): boolean =>
      ambiguous.some((host) => has(catalogue.get(repositoryKey(host, name)), tag));
    return joined(shelf, undefined, [stored.named], taken);
  }
  if (stored.named === undefined && stored.hosts.length > 1) return { ambiguous: [...stored.hosts].sort() };
  const [host, ...more] = stored.hosts;
  const keys = [stored.named, host === undefined || more.length > 0 ? undefined : repositoryKey(host, name)];
  return keys.some((key) => key !== undefined) ? joined(shelf, undefined, keys) : undefined;
}

/** The repository of a key, which may have nothing. */
export function repositoryByKey(shelf: Shelf, key: string): RepositoryView {
  return joined(shelf, key, [key]);
}

/** One repository of what archives have under a key, and then of what the store has under others, but for the tags `taken`. */
function joined(
  { catalogue, store, referrers }: Shelf,
  key: string | undefined,
  keys: readonly (string | undefined)[],
  taken: (tag: string) => boolean = () => false,
): RepositoryView {
  const archived = key === undefined ? undefined : catalogue.get(key);
  const stored = [...new Set(keys)].flatMap((one) => (one === undefined ? [] : (store?.get(one) ?? [])));
  const inStore = (find: (repository: StoredRepository) => Descriptor | undefined): Held | undefined => {
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
    referrers: (subject) => referrersOf(archived, stored, subject, referrers),
  };
}

function has(repository: CatalogueRepository | undefined, tag: string): boolean {
  return repository?.tags.has(tag) === true;
}

async function referrersOf(
  archived: CatalogueRepository | undefined,
  stored: readonly StoredRepository[],
  subject: Digest,
  find: FindReferrers,
): Promise<readonly Descriptor[]> {
  const all = new Map<Digest, Descriptor>();
  for (const entry of archived ? await find(archived, subject) : []) all.set(entry.digest, entry);
  for (const { entry, subject: other } of stored.flatMap(({ manifests }) => [...manifests.values()])) {
    if (other === subject && !all.has(entry.digest)) all.set(entry.digest, entry);
  }
  return [...all.values()];
}

function taggedIn({ tags, manifests }: StoredRepository, tag: string): Descriptor | undefined {
  const digest = tags.get(tag);
  return digest && manifests.get(digest)?.descriptor;
}

/** What a repository of the store has under a digest; that it was asked for keeps it. */
function contentIn({ manifests, blobs }: StoredRepository, digest: Digest): Descriptor | undefined {
  const blob = blobs.get(digest);
  if (blob) blob.used = Date.now();
  const manifest = manifests.get(digest);
  if (manifest) return manifest.descriptor;
  return blob && { mediaType: 'application/octet-stream', digest, size: blob.size };
}
