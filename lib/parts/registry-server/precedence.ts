import type { Digest } from '../../../formats/digest.ts';
import type { ArchivedRepositories } from './archived-repositories.ts';
import type { HeldContent } from './content.ts';
import { findNames, partsOf, repositoryKey } from './names.ts';
import { Refusal } from './reply.ts';
import { folderOf, type Store } from './store/index.ts';

/**
 * Returns what archives hold under a tag, by every name that a client could use for the repository `key` of the store:
 * its own key, the keys that look like it, and the bare name.
 */
function archivedTags(repositories: ArchivedRepositories, key: string, tag: string): readonly HeldContent[] {
  const { registry, bare } = partsOf(key);
  const spelled = findNames(repositories, folderOf(key), undefined);
  const mirrored = findNames(repositories, bare, registry);
  const keys = [key, spelled.named, mirrored.named, ...spelled.hosts.map((host) => repositoryKey(host, folderOf(key)))];
  return [...new Set(keys)].flatMap((one) => (one === undefined ? [] : (repositories.get(one)?.tags.get(tag) ?? [])));
}

/** Refuses tags that an archive has for another manifest: clients would not pull what was pushed. */
export function requireOwnTags(
  repositories: ArchivedRepositories,
  key: string,
  tags: readonly string[],
  digest: Digest,
): void {
  for (const tag of tags) {
    const other = archivedTags(repositories, key, tag).find(({ descriptor }) => descriptor.digest !== digest);
    if (!other) continue;
    throw new Refusal(403, 'DENIED', `an archive that is served here says what ${key}:${tag} is; push another tag`);
  }
}

/**
 * Returns a function that reports tags of the store for which an archive has another manifest, which therefore hides
 * what was pushed. Each is reported once.
 */
export function contradictions(store: Store): (repositories: ArchivedRepositories) => readonly Error[] {
  const reported = new Set<string>();
  return (repositories) =>
    store.tagged().flatMap(({ key, tag, digest }) => {
      const other = archivedTags(repositories, key, tag).find(({ descriptor }) => descriptor.digest !== digest);
      if (!other) return [];
      const message = `${key}:${tag} of the store is ${digest}, but ${other.descriptor.digest} in ${other.archive.name}, which comes first`;
      if (reported.has(message)) return [];
      reported.add(message);
      return [new Error(message)];
    });
}
