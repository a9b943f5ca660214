import type { Digest } from '../../../formats/digest.ts';
import type { SolutionsConfiguration } from '../../../formats/solution/configuration.ts';
import type { ServedContent } from '../../parts/registry-server/index.ts';
import {
  byTagPrecedence,
  type SharedTag,
  sharedTags,
  type TaggedVersion,
} from '../../shared/solutions/registries/index.ts';
import { activeArchives, type Candidate } from '../../shared/solutions/sets/index.ts';
import type { Member } from './member.ts';

/**
 * Finds which archives a configuration activates of those that are there, also in environments. What Solutions ask of
 * each other is not looked at: that may take long, and nobody has vouched for them.
 */
export function activeOf<T extends Candidate>(
  configuration: SolutionsConfiguration,
  found: readonly T[],
): ReadonlySet<T> {
  const names = new Set(found.map(({ name }) => name));
  return new Set([...names].flatMap((name) => activeArchives(configuration, found, name)));
}

/**
 * Puts archives in the order in which they say what tags stand for: what the configuration activates comes first, and a
 * higher version before a lower one.
 */
export function inTagOrder(members: readonly Member[], document: SolutionsConfiguration | undefined): Member[] {
  const active = document && activeOf(document, members);
  return byTagPrecedence(
    members,
    (one) => one,
    (one) => active?.has(one) === true,
  );
}

/**
 * Returns a function that reports tags which archives, in that order, have for different images; each time only what is
 * new.
 */
export function tellingSharedTags(
  tell: (subject: string, message: string) => void,
): (ordered: readonly Member[]) => void {
  let before: readonly SharedTag[] = [];
  return (ordered) => {
    const now = sharedTags(ordered.map(taggedVersion));
    const isNew = ({ tag, message }: SharedTag): boolean =>
      !before.some((one) => one.tag === tag && one.message === message);
    for (const { tag, message } of now.filter(isNew)) tell(tag, message);
    before = now;
  };
}

function taggedVersion({ name, version, content }: Member): TaggedVersion {
  return { name, version, tags: tagsIn(content) };
}

function* tagsIn({ repositories }: ServedContent): Iterable<readonly [string, Digest]> {
  for (const { registry, repository, tags } of repositories) {
    // Where there is no registry, it is the Solution itself.
    if (registry === '') continue;
    for (const [tag, { digest }] of tags) yield [`${registry}/${repository}:${tag}`, digest];
  }
}
