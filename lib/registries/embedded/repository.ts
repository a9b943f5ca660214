import { byteOrder } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Descriptor } from '../../../formats/oci/descriptor.ts';
import type { Catalogue, CatalogueRepository } from './catalogue.ts';
import type { Held } from './content.ts';
import type { Integrity } from './integrity.ts';
import { type Resolved, resolveName } from './names.ts';
import type { FindReferrers } from './referrers.ts';
import type { Store, StoredRepository } from './store/index.ts';

/** What requests are answered from. */
export interface Shelf {
  /** Of the archives; replaced as a whole when they change. */
  readonly catalogue: Catalogue;
  /** Where pushes go; without one nothing can be pushed. */
  readonly store: Store | undefined;
  readonly integrity: Integrity;
  readonly referrers: FindReferrers;
}

/** A repository, whether archives or the store have it, or both. What an archive says of a tag counts. */
export interface Repository {
  readonly key: string;
  /** In the order of their bytes. */
  tags(): readonly string[];
  tag(name: string): Held | undefined;
  /** A manifest, a config or a layer. */
  content(digest: Digest): Held | undefined;
  /** The platform of a manifest that was left out of an archive on purpose. */
  absent(digest: Digest): string | undefined;
  referrers(subject: Digest): Promise<readonly Descriptor[]>;
}

/** The repository that a request means, or why there is none. */
export function findRepository(
  shelf: Shelf,
  name: string,
  namespace: string | undefined,
): Repository | Exclude<Resolved, { key: string }> {
  const { catalogue, store } = shelf;
  const names = {
    has: (key: string) => catalogue.has(key) || store?.has(key) === true,
    registries: (bare: string) => [...new Set([...catalogue.registries(bare), ...(store?.registries(bare) ?? [])])],
  };
  const found = resolveName(names, name, namespace);
  return found && 'key' in found ? repositoryAt(shelf, found.key) : found;
}

/** The repository of a key, which may have nothing. */
export function repositoryAt({ catalogue, store, referrers }: Shelf, key: string): Repository {
  const archived = catalogue.get(key);
  const stored = store?.get(key);
  const inStore = (descriptor: Descriptor | undefined): Held | undefined =>
    descriptor && store && { descriptor, archive: store };
  return {
    key,
    tags: () => {
      const all = new Set([...(archived?.tags.keys() ?? []), ...(stored?.tags.keys() ?? [])]);
      return [...all].sort(byteOrder);
    },
    tag: (name) => archived?.tags.get(name) ?? inStore(taggedIn(stored, name)),
    content: (digest) => archived?.content.get(digest) ?? inStore(stored && contentIn(stored, digest)),
    absent: (digest) => archived?.absent.get(digest),
    referrers: (subject) => referrersOf(archived, stored, subject, referrers),
  };
}

async function referrersOf(
  archived: CatalogueRepository | undefined,
  stored: StoredRepository | undefined,
  subject: Digest,
  find: FindReferrers,
): Promise<readonly Descriptor[]> {
  const all = new Map<Digest, Descriptor>();
  for (const entry of archived ? await find(archived, subject) : []) all.set(entry.digest, entry);
  for (const { entry } of [...(stored?.manifests.values() ?? [])].filter((manifest) => manifest.subject === subject)) {
    if (!all.has(entry.digest)) all.set(entry.digest, entry);
  }
  return [...all.values()];
}

function taggedIn(stored: StoredRepository | undefined, tag: string): Descriptor | undefined {
  const digest = stored?.tags.get(tag);
  return digest && stored?.manifests.get(digest)?.descriptor;
}

/** What a repository of the store has under a digest; that it was asked for keeps it. */
function contentIn({ manifests, blobs }: StoredRepository, digest: Digest): Descriptor | undefined {
  const blob = blobs.get(digest);
  if (blob) blob.used = Date.now();
  const manifest = manifests.get(digest);
  if (manifest) return manifest.descriptor;
  return blob && { mediaType: 'application/octet-stream', digest, size: blob.size };
}
