import { byteOrder } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { isManifestType } from '../../../formats/oci/descriptor.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import type { HeldContent, ServedContent, ServedRepository } from './content.ts';
import { type Names, repositoryKey } from './names.ts';

/** A repository as it is served, merged from all archives. */
export interface ArchivedRepository {
  /** In byte order of the tags. */
  readonly tags: ReadonlyMap<string, HeldContent>;
  readonly content: ReadonlyMap<Digest, HeldContent>;
  /** Manifests that were left out of an archive on purpose, with their platforms. */
  readonly absent: ReadonlyMap<Digest, string>;
}

/** The repositories of all archives, by key. */
export interface ArchivedRepositories extends Names {
  get(key: string): ArchivedRepository | undefined;
}

interface Merged {
  readonly tags: Map<string, HeldContent>;
  readonly content: Map<Digest, HeldContent>;
  readonly absent: Map<Digest, string>;
}

/**
 * Merges what the archives offer. Where several have a tag for different images, the first of them says what it stands
 * for; the images of all are there by their digests. Throws `image-conflict` where two archives are the same version of
 * a Solution and differ, and where one archive has two images for one tag.
 */
export function joinArchives(contents: readonly ServedContent[]): ArchivedRepositories {
  const full = new Map<string, Merged>();
  const hosts = new Map<string, Set<string>>();
  for (const archive of contents) {
    for (const served of archive.repositories) {
      const { registry, repository } = served;
      const key = repositoryKey(registry, repository);
      const merged = full.get(key) ?? { tags: new Map(), content: new Map(), absent: new Map() };
      full.set(key, merged);
      merge(key, merged, archive, served);
      if (registry === '') continue;
      const host = key.slice(0, key.indexOf('/'));
      const bare = key.slice(host.length + 1);
      hosts.set(bare, (hosts.get(bare) ?? new Set()).add(host));
    }
  }
  const sorted = new Map([...full].map(([key, value]) => [key, sortTags(value)]));
  return {
    has: (key) => sorted.has(key),
    registries: (bare) => [...(hosts.get(bare) ?? [])],
    keys: () => [...sorted.keys()],
    get: (key) => sorted.get(key),
  };
}

function merge(key: string, merged: Merged, archive: ServedContent, served: ServedRepository): void {
  for (const [tag, descriptor] of served.tags) {
    const other = merged.tags.get(tag);
    if (!other) merged.tags.set(tag, { descriptor, archive });
    else if (other.descriptor.digest !== descriptor.digest && !mayMove(served, other, archive)) {
      const reference = `${key}:${tag}`;
      throw new SolpackError(
        'image-conflict',
        reference,
        `${reference} is ${other.descriptor.digest} in ${other.archive.name}, but ${descriptor.digest} in ${archive.name}`,
        { hint: 'serve one of the two archives, or pack one of them with another version' },
      );
    }
  }
  for (const descriptor of [...served.content.values(), ...served.tags.values()]) {
    const known = merged.content.get(descriptor.digest);
    const better = !known || (isManifestType(descriptor.mediaType) && !isManifestType(known.descriptor.mediaType));
    if (better) merged.content.set(descriptor.digest, { descriptor, archive });
  }
  for (const [digest, platform] of served.absent ?? []) merged.absent.set(digest, platform);
}

/**
 * Tags of images move between versions; those of Solutions are versions, and those of one archive are all of one
 * version.
 */
function mayMove({ registry }: ServedRepository, other: HeldContent, archive: ServedContent): boolean {
  return registry !== '' && other.archive !== archive;
}

function sortTags({ tags, content, absent }: Merged): ArchivedRepository {
  return { absent, tags: new Map([...tags].sort(([a], [b]) => byteOrder(a, b))), content };
}
