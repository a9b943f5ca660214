import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bytes, once, skip, slice } from '../../../../../formats/bytes.ts';
import type { Digest } from '../../../../../formats/digest.ts';
import type { Descriptor } from '../../../../../formats/oci/descriptor.ts';
import { parseReference } from '../../../../../formats/oci/reference.ts';
import type { DeltaBase, Selection } from '../../../../../formats/solution/selection.ts';
import { type ContentSource, openChecked } from '../../../../kernel/content/index.ts';
import type { Flow } from '../../../../kernel/events/index.ts';
import { temporaryFolder } from '../../../../kernel/files/index.ts';
import {
  type Archive,
  absentDigests,
  type Catalog,
  type CatalogImage,
  completedBy,
  sparableContents,
  withSelection,
} from '../../../../parts/archives/index.ts';
import { loadEncoder } from './encoders.ts';
import { OldLayers } from './old-layers.ts';
import { recipeFor, type TriedRecipe } from './recipe.ts';

/** Bytes of a layer below which a recipe gains nothing worth its time. */
const SMALL = 16 * 1024;

/** A layer that travels whole although no base has it, and why. */
export interface WholeLayer {
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
  readonly reason: string;
}

/** A delta whose layers are made by recipes, as far as that gains something. */
export interface BelowLayers extends AsyncDisposable {
  readonly catalog: Catalog;
  /** Has patches and encoders, and all else that `archive` has. */
  readonly source: ContentSource;
  readonly whole: readonly WholeLayer[];
}

/**
 * Finds recipes for the layers that no base has: the encoder that made each, and a patch of files of older layers. Each
 * recipe is tried, so a delta has none that does not apply. Takes as much room for temporary files as the layers of the
 * bases have decompressed.
 */
export async function belowLayers(
  archive: Archive,
  selected: Catalog,
  bases: readonly Archive[],
  flow: Flow,
): Promise<BelowLayers> {
  const absent = absentDigests(selected);
  const left = sparableContents(selected).filter(({ digest, size }) => size > SMALL && !absent.has(digest));
  if (left.length === 0)
    return { ...archive, catalog: selected, whole: [], [Symbol.asyncDispose]: async () => undefined };
  const folder = await temporaryFolder(flow.host);
  const tried: TriedRecipe[] = [];
  const whole: WholeLayer[] = [];
  const dispose = async (): Promise<void> => {
    await Promise.all(tried.map(({ patch }) => patch.close()));
    await folder[Symbol.asyncDispose]();
  };
  const old = new OldLayers(folder.path, flow.signal);
  try {
    await addBases(old, bases, imagesWith(selected, left), flow);
    for (const [at, layer] of left.entries()) {
      flow.onEvent({ type: 'step', step: 'compare', subject: layer.digest, number: at + 1, of: left.length });
      const own = join(folder.path, `layer-${at}`);
      await mkdir(own);
      const bytes = openChecked({ descriptor: layer, source: archive.source }, flow.signal);
      const found = await recipeFor({ layer, bytes, old, folder: own, signal: flow.signal });
      if (typeof found === 'string') whole.push({ digest: layer.digest, size: layer.size, reason: found });
      else tried.push(found);
    }
    const worth = await withoutLosses(tried, left);
    for (const { recipe } of tried) {
      if (worth.some((one) => one.recipe === recipe)) continue;
      const { size } = left.find(({ digest }) => digest === recipe.digest)!;
      whole.push({ digest: recipe.digest, size, reason: 'its encoder is larger than what it saves' });
    }
    const catalog = worth.length === 0 ? selected : await withRecipes(selected, worth, bases);
    return { catalog, source: await sourceOf(archive.source, worth), whole, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  } finally {
    await old.close();
  }
}

/** The images that have one of these layers. */
function imagesWith({ images }: Catalog, layers: readonly Descriptor[]): CatalogImage[] {
  const digests = new Set(layers.map(({ digest }) => digest));
  return images.filter(({ closure }) => closure.blobs.some(({ digest }) => digests.has(digest)));
}

/** Adds the layers of the older images of the same repositories; where a base has none of these, of all its images. */
async function addBases(
  old: OldLayers,
  bases: readonly Archive[],
  images: readonly CatalogImage[],
  flow: Flow,
): Promise<void> {
  const repositories = new Set(images.map(({ reference }) => repositoryOf(reference)));
  const added = new Set<Digest>();
  for (const [at, base] of bases.entries()) {
    const sparable = new Set(sparableContents(base.catalog).map(({ digest }) => digest));
    const related = base.catalog.images.filter(({ reference }) => repositories.has(repositoryOf(reference)));
    const chosen = related.length > 0 ? related : base.catalog.images;
    const completed = completedBy(base, bases);
    const lacks = new Set(completed.lacks?.map(({ digest }) => digest));
    for (const descriptor of chosen.flatMap(({ closure }) => closure.blobs)) {
      const { digest } = descriptor;
      if (!sparable.has(digest) || lacks.has(digest) || added.has(digest)) continue;
      added.add(digest);
      flow.onEvent({ type: 'step', step: 'read', subject: digest });
      await old.add(descriptor, at, openChecked({ descriptor, source: completed.source }, flow.signal));
    }
  }
}

function repositoryOf(reference: string): string {
  const { registry, repository } = parseReference(reference);
  return `${registry}/${repository}`;
}

/** Returns the recipes without those of encoders that are larger than what they save. */
async function withoutLosses(tried: readonly TriedRecipe[], layers: readonly Descriptor[]): Promise<TriedRecipe[]> {
  const sizes = new Map(layers.map(({ digest, size }) => [digest, size]));
  const worth: TriedRecipe[] = [];
  for (const name of new Set(tried.map(({ encoder }) => encoder))) {
    const those = tried.filter(({ encoder }) => encoder === name);
    const saved = those.reduce((sum, { recipe }) => sum + (sizes.get(recipe.digest) ?? 0) - recipe.patch.size, 0);
    if (saved > (await loadEncoder(name)).packed.length) worth.push(...those);
  }
  return worth;
}

async function withRecipes(
  { selection, ...whole }: Catalog,
  recipes: readonly TriedRecipe[],
  archives: readonly Archive[],
): Promise<Catalog> {
  const bases: DeltaBase[] = [...(selection?.bases ?? [])];
  const baseOf = (at: number): number => {
    const { metadata, root } = archives[at]!.catalog;
    const known = bases.findIndex((base) => base.root === root.digest);
    if (known >= 0) return known;
    bases.push({ name: metadata.name, version: metadata.version, root: root.digest });
    return bases.length - 1;
  };
  const sources = new Map(recipes.flatMap((one) => one.sources.map((source) => [source.descriptor.digest, source])));
  const names = [...new Set(recipes.map(({ encoder }) => encoder))];
  const encoders = await Promise.all(names.map((name) => loadEncoder(name)));
  const next: Selection = {
    absent: selection?.absent ?? [],
    recipes: {
      encoders: encoders.map(({ digest, packed }) => ({ digest, size: packed.length })),
      sources: [...sources.values()].map(({ descriptor: { digest, size }, base }) => ({
        digest,
        size,
        base: baseOf(base),
      })),
      layers: recipes.map(({ recipe }) => recipe),
    },
    bases,
  };
  return withSelection(whole, next);
}

/** Makes a source that has patches and encoders too. */
async function sourceOf(source: ContentSource, recipes: readonly TriedRecipe[]): Promise<ContentSource> {
  const own = new Map<Digest, () => Bytes>();
  for (const { encoder, recipe, patch } of recipes) {
    const { digest, packed } = await loadEncoder(encoder);
    own.set(digest, () => once(packed));
    own.set(recipe.patch.digest, () => slice(patch, 0, patch.size));
  }
  const { locate, prefetch } = source;
  return {
    ...source,
    open: (descriptor, options) => {
      const made = own.get(descriptor.digest);
      return made ? skip(made(), options?.offset ?? 0) : source.open(descriptor, options);
    },
    ...(locate
      ? { locate: async (descriptor) => (own.has(descriptor.digest) ? undefined : locate.call(source, descriptor)) }
      : {}),
    ...(prefetch
      ? {
          prefetch: (all) =>
            prefetch.call(
              source,
              all.filter(({ digest }) => !own.has(digest)),
            ),
        }
      : {}),
  };
}
