import { unitOrder } from '../../../formats/bytes.ts';
import type { Digest } from '../../../formats/digest.ts';
import { type Descriptor, totalSize } from '../../../formats/oci/descriptor.ts';
import { emptyConfig } from '../../../formats/sigstore/referrer.ts';
import type { DeltaBase, RecipeContent } from '../../../formats/solution/selection.ts';
import type { Catalog } from './catalog.ts';

/**
 * Lists what an archive may lack: layers of images and of what is about them. The root, manifests, configs and the
 * Solution's own files are in every archive, so that each says what it is, and renders, alone.
 */
export function sparableContents({ imageBlobs, manifests }: Pick<Catalog, 'imageBlobs' | 'manifests'>): Descriptor[] {
  const configs = new Set<Digest>(
    manifests.flatMap(({ value }) => (value.kind === 'index' ? [] : [value.config.digest])),
  );
  // A tar has it in any case, for signatures.
  configs.add(emptyConfig.descriptor.digest);
  return imageBlobs.filter(({ digest }) => !configs.has(digest));
}

/** The digests that a catalog's archive lacks, those that it has a recipe for among them. */
export function absentDigests({ selection }: Pick<Catalog, 'selection'>): ReadonlySet<Digest> {
  const absent = selection?.absent.map(({ digest }) => digest) ?? [];
  return new Set([...absent, ...(selection?.recipes?.layers.map(({ digest }) => digest) ?? [])]);
}

/** The contents that are in a catalog's archive: of what the root reaches, and what recipes need. */
export function presentContents(catalog: Pick<Catalog, 'selection' | 'contents'>): readonly Descriptor[] {
  if (!catalog.selection) return catalog.contents;
  const absent = absentDigests(catalog);
  return [...catalog.contents.filter(({ digest }) => !absent.has(digest)), ...recipeContents(catalog)];
}

/** What recipes need that a delta has itself: encoders, then patches, each once, in the order of their digests. */
export function recipeContents({ selection }: Pick<Catalog, 'selection'>): readonly Descriptor[] {
  const { encoders = [], layers = [] } = selection?.recipes ?? {};
  const inOrder = (contents: readonly RecipeContent[], mediaType: string): Descriptor[] =>
    [...contents]
      .sort((a, b) => unitOrder(a.digest, b.digest))
      .map(({ digest, size }) => ({ mediaType, digest, size }));
  const all = [
    ...inOrder(encoders, 'application/wasm+zstd'),
    ...inOrder(
      layers.map(({ patch }) => patch),
      'application/vnd.solpack.layer-patch.v1',
    ),
  ];
  return [...new Map(all.map((one) => [one.digest, one])).values()];
}

/** What a delta lacks, and the releases that have it according to the delta. */
export interface DeltaSummary {
  /** Contents that it lacks, and by how many bytes it is smaller. */
  readonly absent: number;
  readonly absentBytes: number;
  /** Bytes of all contents of the Solution. */
  readonly wholeBytes: number;
  /** How many of the contents it makes by recipes, and how many layers of older releases these read. */
  readonly patched: number;
  readonly sources: number;
  readonly bases: readonly DeltaBase[];
}

/** Returns what a delta lacks; undefined of an archive that is whole. */
export function deltaSummary(catalog: Catalog): DeltaSummary | undefined {
  const { selection, contents } = catalog;
  if (!selection) return undefined;
  const wholeBytes = totalSize(contents);
  const absentBytes = wholeBytes - totalSize(presentContents(catalog));
  const { layers = [], sources = [] } = selection.recipes ?? {};
  const absent = selection.absent.length + layers.length;
  const made = { patched: layers.length, sources: sources.length };
  return { absent, absentBytes, wholeBytes, ...made, bases: selection.bases };
}
