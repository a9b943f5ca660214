import { compareBuild } from 'semver';
import { byteOrder } from '../../../../formats/bytes.ts';
import type { Digest } from '../../../../formats/digest.ts';
import { formatReference, parseReference } from '../../../../formats/oci/reference.ts';
import type { Flow } from '../../../kernel/events/index.ts';
import type { Catalog, CatalogImage } from '../../../parts/archives/index.ts';

/** A version of a Solution. */
export interface Version {
  readonly name: string;
  readonly version: string;
}

/**
 * Sorts versions of Solutions by who says what a tag stands for, where several have it for different images: first
 * those that are active, then the highest, and of two Solutions with the same version the first by name.
 */
export function byTagPrecedence<T>(
  all: readonly T[],
  versionOf: (one: T) => Version,
  isActive: (one: T) => boolean = () => true,
): T[] {
  const ranked = all.map((one) => ({ one, isActive: isActive(one), ...versionOf(one) }));
  ranked.sort(
    (a, b) =>
      Number(b.isActive) - Number(a.isActive) || compareBuild(b.version, a.version) || byteOrder(a.name, b.name),
  );
  return ranked.map(({ one }) => one);
}

/** A version of a Solution, and what it has under tags: `HOST[:PORT]/REPOSITORY:TAG` and a digest. */
export interface TaggedVersion extends Version {
  readonly tags: Iterable<readonly [string, Digest]>;
}

/** Lists the tags of images, and what they stand for. */
function tagsOf(images: readonly CatalogImage[]): [string, Digest][] {
  return images.flatMap(({ reference, descriptor }): [string, Digest][] => {
    const { registry, repository, tag } = parseReference(reference);
    return tag === undefined ? [] : [[formatReference({ registry, repository, tag }), descriptor.digest]];
  });
}

/** A tag that two versions have for different images. */
export interface SharedTag {
  readonly tag: string;
  readonly message: string;
}

/**
 * Returns which tags several versions have for different images, and what these stand for. `ordered` is by
 * `byTagPrecedence`. What two versions share is reported in one message.
 */
export function sharedTags(ordered: readonly TaggedVersion[]): SharedTag[] {
  const claimed = new Map<string, { readonly by: string; readonly digest: Digest }>();
  const shared = new Map<
    string,
    { readonly first: string; readonly by: string; readonly other: string; count: number }
  >();
  for (const { name, version, tags } of ordered) {
    const own = `${name} ${version}`;
    for (const [tag, digest] of tags) {
      const claim = claimed.get(tag);
      if (claim === undefined) claimed.set(tag, { by: own, digest });
      if (claim === undefined || claim.digest === digest) continue;
      const pair = `${claim.by} ${own}`;
      const known = shared.get(pair) ?? { first: tag, by: claim.by, other: own, count: 0 };
      known.count += 1;
      shared.set(pair, known);
    }
  }
  return [...shared.values()].map(({ first, by, other, count }) => {
    const more = count === 1 ? '' : `; the same is true of ${count - 1} more of their tags`;
    const message = `is the image of ${by}; that of ${other} has only its digest, which installs use${more}`;
    return { tag: first, message };
  });
}

/** Reports archives which tags they have for different images, each message once. */
export function tellSharedTags(
  catalogs: readonly Pick<Catalog, 'metadata' | 'images'>[],
  { onEvent }: Pick<Flow, 'onEvent'>,
): void {
  const tagged = catalogs.map(({ metadata: { name, version }, images }) => ({ name, version, tags: tagsOf(images) }));
  for (const { tag, message } of sharedTags(byTagPrecedence(tagged, (one) => one)))
    onEvent({ type: 'notice', subject: tag, message });
}
