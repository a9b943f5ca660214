import { slice } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { sizeWords } from '../../../formats/size-words.ts';
import type { DeltaBase } from '../../../formats/solution/selection.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import {
  type Archive,
  baseWords,
  type Catalog,
  type LayerBuilder,
  lackedBy,
  originsIn,
  type RecipeArchive,
} from '../../parts/archives/index.ts';
import type { OpenContent, ServedContent } from '../../parts/registry-server/index.ts';

/** What an archive that is served lacks itself, and its size in bytes: none where it is whole. */
export interface Lacks {
  readonly sizes: ReadonlyMap<Digest, number>;
  /** The releases that have it, by what the archive says. */
  readonly bases: readonly DeltaBase[];
  /** What says which contents the archive has, and how it makes others. */
  readonly catalog: Pick<Catalog, 'contents' | 'selection'>;
}

/** An archive that is served, as far as another one that lacks something may read it. */
interface Holder {
  readonly path: string;
  readonly content: ServedContent;
  readonly lacks: Lacks;
}

/** Lists what an archive lacks. */
export function lacksOf({ catalog }: Pick<Archive, 'catalog'>): Lacks {
  const sizes = new Map(lackedBy({ catalog }, []).map(({ digest, size }) => [digest, size]));
  const { contents, selection } = catalog;
  return { sizes, bases: selection?.bases ?? [], catalog: { contents, ...(selection ? { selection } : {}) } };
}

/**
 * Serves what an archive lacks out of the others that are served at that time, and makes layers by recipes when they
 * are first read, in `builder`. What is read is checked as everything is.
 */
export function lentByOthers(
  { path, content, lacks }: Holder,
  others: () => readonly Holder[],
  builder: LayerBuilder,
): ServedContent {
  if (lacks.sizes.size === 0) return content;
  return {
    ...content,
    read: async (descriptor): Promise<OpenContent> => {
      if (!lacks.sizes.has(descriptor.digest)) return content.read(descriptor);
      const holder = others().find((other) => holds(other, descriptor.digest));
      if (holder) return holder.content.read(descriptor);
      const origin = originsIn([{ path, content, lacks }, ...others()].map(recipeArchiveOf))(descriptor.digest);
      if (origin?.kind === 'recipe') return builder.file(origin, descriptor);
      throw incomplete(path, [descriptor.digest], lacks);
    },
  };
}

/** Throws `archive-incomplete` for the first of the archives at `named` that lacks what no other one has. */
export function requireCompleteOf(members: readonly Holder[], named: ReadonlyMap<string, unknown>): void {
  for (const member of members) {
    const error = named.has(member.path) ? lackingError(member, members) : undefined;
    if (error) throw error;
  }
}

/** Returns which archives lack what no other one has, each once as long as it is the same. */
export function tellingLacking(tell: (subject: string, message: string) => void): (members: readonly Holder[]) => void {
  let reported = new Set<string>();
  return (members) => {
    const now = members.flatMap((member) => {
      const error = lackingError(member, members);
      return error ? [{ path: member.path, message: error.message }] : [];
    });
    for (const { path, message } of now) if (!reported.has(`${path} ${message}`)) tell(path, message);
    reported = new Set(now.map(({ path, message }) => `${path} ${message}`));
  };
}

/** Makes the error of an archive that lacks what none of `others` has; undefined where it lacks nothing. */
function lackingError(
  { path, lacks }: Pick<Holder, 'path' | 'lacks'>,
  others: readonly Holder[],
): SolpackError | undefined {
  const left = [...lacks.sizes.keys()].filter((digest) => !others.some((other) => holds(other, digest)));
  const originOf = left.length > 0 ? originsIn([lacks, ...others.map((other) => other.lacks)]) : () => undefined;
  const lacking = left.filter((digest) => !originOf(digest));
  return lacking.length === 0 ? undefined : incomplete(path, lacking, lacks);
}

/** Returns an archive as recipes read it. */
function recipeArchiveOf({ content, lacks: { catalog } }: Holder): RecipeArchive {
  return {
    catalog,
    content: (descriptor) => content.read(descriptor),
    source: {
      open: async function* (descriptor) {
        const file = await content.read(descriptor);
        yield* slice(file, 0, file.size);
      },
    },
  };
}

function holds({ content, lacks }: Holder, digest: Digest): boolean {
  return !lacks.sizes.has(digest) && content.repositories.some((repository) => repository.content.has(digest));
}

function incomplete(path: string, lacking: readonly Digest[], { sizes, bases }: Lacks): SolpackError {
  const bytes = lacking.reduce((sum, digest) => sum + (sizes.get(digest) ?? 0), 0);
  const message = `is a delta, and lacks ${lacking.length} contents (${sizeWords(bytes)}) that no other archive here has`;
  return new SolpackError('archive-incomplete', path, message, {
    hint: `it is complete with ${baseWords(bases)}: serve that too`,
  });
}
