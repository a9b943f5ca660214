import type { ReadAt } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../formats/oci/descriptor.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { DeltaBase } from '../../../formats/solution/selection.ts';
import type { ContentSource } from '../../kernel/content/model.ts';
import { SolpackError } from '../../kernel/events/errors.ts';
import { absentDigests, presentContents } from './absent-contents.ts';
import type { Catalog } from './catalog.ts';
import type { Archive } from './open.ts';

/** An archive, as far as it is completed, or completes another one. */
type Part = Pick<Archive, 'path' | 'catalog' | 'source' | 'content'>;

/**
 * Reads what a delta lacks out of `others`, as far as one of them has it; any other archive stays as it is. Whoever
 * reads such content checks it against the digest that the delta's root names, so nobody has to trust the others. They
 * have to stay open as long as it is.
 */
export function completedBy<T extends Part>(archive: T, others: readonly Part[]): T {
  const { path, catalog } = archive;
  if (!catalog.selection) return archive;
  const absent = absentDigests(catalog);
  const holders = new Map<Digest, Part>();
  for (const other of others) {
    for (const { digest } of presentContents(other.catalog)) {
      if (absent.has(digest) && !holders.has(digest)) holders.set(digest, other);
    }
  }
  const lacks = lackedBy(archive, others);
  const holderOf = (descriptor: Descriptor): Part => {
    const holder = absent.has(descriptor.digest) ? holders.get(descriptor.digest) : archive;
    if (holder) return holder;
    throw incompleteError(path, lacks, catalog.selection?.bases ?? []);
  };
  const { source } = archive;
  const pathOf = ({ digest }: Descriptor): string => holders.get(digest)?.path ?? path;
  return {
    ...archive,
    source: {
      ...source,
      nameOf: pathOf,
      open: (descriptor, options) => holderOf(descriptor).source.open(descriptor, options),
      ...(source.locate ? { locate: async (descriptor) => holderOf(descriptor).source.locate?.(descriptor) } : {}),
      ...(source.prefetch
        ? { prefetch: async (all) => source.prefetch?.(all.filter(({ digest }) => !absent.has(digest))) }
        : {}),
    } satisfies ContentSource,
    lacks,
    pathOf,
    content: async (descriptor: Descriptor): Promise<ReadAt> => holderOf(descriptor).content(descriptor),
  };
}

/** What an archive has, and lacks. */
interface Holding {
  readonly catalog: Pick<Catalog, 'contents' | 'selection'>;
}

/** Lists the contents that a delta lacks and none of `others` has. */
export function lackedBy({ catalog }: Holding, others: readonly Holding[]): Descriptor[] {
  if (!catalog.selection) return [];
  const left = new Set(absentDigests(catalog));
  for (const other of others) for (const { digest } of presentContents(other.catalog)) left.delete(digest);
  return catalog.contents.filter(({ digest }) => left.has(digest));
}

/** Throws `archive-incomplete` where an archive lacks what none of `others` has. */
export function requireComplete(
  archive: Pick<Part, 'path' | 'catalog'>,
  others: readonly Pick<Part, 'catalog'>[],
): void {
  if (!archive.catalog.selection) return;
  const lacking = lackedBy(archive, others);
  if (lacking.length > 0) throw incompleteError(archive.path, lacking, archive.catalog.selection?.bases ?? []);
}

/** Names the releases that a delta says have what it lacks. */
export function baseWords(bases: readonly DeltaBase[]): string {
  return bases.map(({ name, version, root }) => `${name} ${version} (root ${root})`).join(', ');
}

/** Makes the error of a delta that lacks what nothing else has. */
export function incompleteError(
  path: string,
  lacking: readonly Descriptor[],
  bases: readonly DeltaBase[],
): SolpackError {
  const count = lacking.length === 1 ? '1 content' : `${lacking.length} contents`;
  const message = `is a delta, and lacks ${count} (${sizeWords(totalSize(lacking))}) that no other archive here has`;
  return new SolpackError('archive-incomplete', path, message, {
    hint: `it is complete with ${baseWords(bases)}: name that beside it, or anything else that has these contents`,
  });
}
