import type { ReadAt } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../formats/oci/descriptor.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { DeltaBase } from '../../../formats/solution/selection.ts';
import type { ContentSource } from '../../kernel/content/index.ts';
import { type Flow, SolpackError } from '../../kernel/events/index.ts';
import type { FileRange } from '../../kernel/files/index.ts';
import { absentDigests } from './absent-contents.ts';
import type { Archive } from './open.ts';
import { type ContentOrigin, LayerBuilder, lackedBy, originsIn } from './recipes/index.ts';

/** An archive, as far as it is completed, or completes another one. */
type Part = Pick<Archive, 'path' | 'catalog' | 'source' | 'content'> & Partial<AsyncDisposable>;

/** What making layers by recipes takes: a place for temporary files, and what ends it. */
export type Making = Pick<Flow, 'host' | 'signal'>;

/**
 * Reads what a delta lacks out of `others`, as far as one of them has it, and makes layers by the recipes of all, if
 * `making` is given; any other archive stays as it is. Whoever reads such content checks it against the digest that the
 * delta's root names, so nobody has to trust the others. They have to stay open as long as it is. Layers that were made
 * are removed when it is closed.
 */
export function completedBy<T extends Part>(archive: T, others: readonly Part[], making?: Making): T {
  const { path, catalog } = archive;
  if (!catalog.selection) return archive;
  const absent = absentDigests(catalog);
  const found = originsIn<Part>([archive, ...others]);
  const builder = making && new LayerBuilder(making);
  const originOf = (digest: Digest): ContentOrigin<Part> | undefined => {
    const origin = found(digest);
    return origin?.kind === 'recipe' && !builder ? undefined : origin;
  };
  const lacks = catalog.contents.filter(({ digest }) => absent.has(digest) && !originOf(digest));
  const holderOf = (descriptor: Descriptor): ContentOrigin<Part> => {
    if (!absent.has(descriptor.digest)) return { kind: 'present', part: archive };
    const origin = originOf(descriptor.digest);
    if (origin) return origin;
    throw incompleteError(path, lacks, catalog.selection?.bases ?? []);
  };
  const { source } = archive;
  const pathOf = ({ digest }: Descriptor): string => {
    const origin = absent.has(digest) ? originOf(digest) : undefined;
    return origin?.part.path ?? path;
  };
  const locate = async (descriptor: Descriptor): Promise<FileRange | undefined> => {
    const origin = holderOf(descriptor);
    return origin.kind === 'present' ? origin.part.source.locate?.(descriptor) : undefined;
  };
  return {
    ...archive,
    source: {
      ...source,
      nameOf: pathOf,
      open: (descriptor, options) => {
        const origin = holderOf(descriptor);
        return origin.kind === 'present'
          ? origin.part.source.open(descriptor, options)
          : builder!.open(origin, descriptor, options);
      },
      ...(source.locate ? { locate } : {}),
      ...(source.prefetch
        ? { prefetch: async (all) => source.prefetch?.(all.filter(({ digest }) => !absent.has(digest))) }
        : {}),
    } satisfies ContentSource,
    lacks,
    pathOf,
    content: async (descriptor: Descriptor): Promise<ReadAt> => {
      const origin = holderOf(descriptor);
      return origin.kind === 'present' ? origin.part.content(descriptor) : builder!.file(origin, descriptor);
    },
    ...(builder
      ? {
          [Symbol.asyncDispose]: async (): Promise<void> => {
            await builder.close();
            await archive[Symbol.asyncDispose]?.();
          },
        }
      : {}),
  };
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
