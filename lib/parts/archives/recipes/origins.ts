import type { Digest } from '../../../../formats/digest.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import type { LayerRecipe } from '../../../../formats/solution/selection.ts';
import { absentDigests, presentContents } from '../absent-contents.ts';
import type { Catalog } from '../catalog.ts';

/** An archive, as far as it has contents, and recipes for others. */
export interface Holding {
  readonly catalog: Pick<Catalog, 'contents' | 'selection'>;
}

/** Where a content comes from: an archive that has it, or a recipe and where the sources of that come from. */
export type ContentOrigin<T> =
  | { readonly kind: 'present'; readonly part: T }
  | { readonly kind: 'recipe'; readonly part: T; readonly layer: LayerRecipe; readonly sources: readonly Source<T>[] };

/** A layer that a patch reads. */
export interface Source<T> {
  readonly descriptor: Descriptor;
  readonly origin: ContentOrigin<T>;
}

/** How deep recipes may build on each other: each follows from a delta that was made after another one. */
const DEPTH = 16;

/**
 * Returns a function that finds where a content comes from, among the archives `parts`: one that has it comes before a
 * recipe. A recipe counts only if all its sources are found. Undefined where nothing has the content.
 */
export function originsIn<T extends Holding>(parts: readonly T[]): (digest: Digest) => ContentOrigin<T> | undefined {
  const present = new Map<Digest, T>();
  const recipes = new Map<Digest, { part: T; layer: LayerRecipe }[]>();
  for (const part of parts) {
    for (const { digest } of presentContents(part.catalog)) if (!present.has(digest)) present.set(digest, part);
    for (const layer of part.catalog.selection?.recipes?.layers ?? []) {
      recipes.set(layer.digest, [...(recipes.get(layer.digest) ?? []), { part, layer }]);
    }
  }
  const known = new Map<Digest, ContentOrigin<T> | undefined>();
  const find = (digest: Digest, depth: number): ContentOrigin<T> | undefined => {
    if (known.has(digest)) return known.get(digest);
    // A recipe that needs what it makes has no origin.
    known.set(digest, undefined);
    const part = present.get(digest);
    const origin = part ? { kind: 'present' as const, part } : depth < DEPTH ? made(digest, depth + 1) : undefined;
    known.set(digest, origin);
    return origin;
  };
  const made = (digest: Digest, depth: number): ContentOrigin<T> | undefined => {
    for (const { part, layer } of recipes.get(digest) ?? []) {
      const sizes = new Map(part.catalog.selection?.recipes?.sources.map((source) => [source.digest, source.size]));
      const sources: Source<T>[] = [];
      for (const source of layer.sources) {
        const origin = find(source, depth);
        if (!origin) break;
        sources.push({ descriptor: { mediaType: '', digest: source, size: sizes.get(source) ?? 0 }, origin });
      }
      if (sources.length === layer.sources.length) return { kind: 'recipe', part, layer, sources };
    }
    return undefined;
  };
  return (digest) => find(digest, 0);
}

/** Lists the contents that a delta lacks and none of `others` has or makes. */
export function lackedBy(holding: Holding, others: readonly Holding[]): Descriptor[] {
  const { catalog } = holding;
  if (!catalog.selection) return [];
  const absent = absentDigests(catalog);
  const originOf = originsIn([holding, ...others]);
  return catalog.contents.filter(({ digest }) => absent.has(digest) && !originOf(digest));
}
