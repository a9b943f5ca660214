import { unitOrder } from '../bytes.ts';
import type { Digest } from '../digest.ts';
import { FormatError } from '../error.ts';
import { decodeUniqueJson, encodeJson } from '../json.ts';
import { digestSchema } from '../oci/descriptor.ts';
import { z } from '../schema.ts';
import { sizeWords } from '../size-words.ts';
import { labelSchema, semVerSchema } from './names.ts';

/** A release that has contents which a delta lacks. Its name and version are for people; only digests decide. */
export interface DeltaBase {
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
}

/** Content that a delta lacks. */
export interface AbsentContent {
  readonly digest: Digest;
  /** Which of the bases has it, counted from 0. */
  readonly base: number;
}

/**
 * Which of the contents that a root reaches are not in an archive, and which releases have them. It shapes the archive,
 * and nobody has to believe it: what lacks is named by the root.
 */
export interface Selection {
  /** In the order of their roots. */
  readonly bases: readonly DeltaBase[];
  /** In the order of their digests. */
  readonly absent: readonly AbsentContent[];
  /** How further layers that are absent are made; absent where there is no such layer. */
  readonly recipes?: LayerRecipes | undefined;
}

/** Content of a delta, or of a base, beside what the root reaches. */
export interface RecipeContent {
  readonly digest: Digest;
  /** In bytes. */
  readonly size: number;
}

/**
 * How a layer is made: a patch of files of older layers gives the tar archive in it, and an encoder compresses that.
 */
export interface LayerRecipe {
  readonly digest: Digest;
  /** Bytes of the tar archive in it. */
  readonly tarSize: number;
  /** One of `encoders`. */
  readonly encoder: Digest;
  /** The words after the name of the encoder. */
  readonly arguments: readonly string[];
  readonly patch: RecipeContent;
  /** The layers that the patch reads, in the order in which it counts them; each one of `sources`. */
  readonly sources: readonly Digest[];
}

/** How the layers are made that no base has. */
export interface LayerRecipes {
  /** WebAssembly modules, compressed by zstd; the delta has them. In the order of their digests. */
  readonly encoders: readonly RecipeContent[];
  /** Layers of the bases that patches read, in the order of their digests. */
  readonly sources: readonly (RecipeContent & AbsentContent)[];
  /** In the order of their digests. */
  readonly layers: readonly LayerRecipe[];
}

/** What a selection may have at most: it is read before anybody is trusted. */
export const selectionLimits = { bytes: 4 * 1024 * 1024, absent: 32_768, bases: 16, layers: 4096 } as const;

const sizeSchema = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
const baseSchema = z.number().int().min(0).max(selectionLimits.bases);
const contentFields = { digest: digestSchema, size: sizeSchema };
const recipesSchema = z.strictObject({
  encoders: z.array(z.strictObject(contentFields)).min(1).max(16),
  sources: z.array(z.strictObject({ ...contentFields, base: baseSchema })).max(selectionLimits.layers),
  layers: z
    .array(
      z.strictObject({
        digest: digestSchema,
        tarSize: sizeSchema,
        encoder: digestSchema,
        arguments: z.array(z.string().regex(/^[a-z0-9-]{1,32}$/)).max(8),
        patch: z.strictObject(contentFields),
        sources: z.array(digestSchema).max(selectionLimits.layers),
      }),
    )
    .min(1)
    .max(selectionLimits.layers),
});

const schema = z.strictObject({
  // Version 1 has no recipes: a reader that knows no more refuses what it cannot complete.
  formatVersion: z.union([z.literal(1), z.literal(2)]),
  bases: z
    .array(z.strictObject({ name: labelSchema, version: semVerSchema.max(255), root: digestSchema }))
    .min(1)
    .max(selectionLimits.bases),
  absent: z.array(z.strictObject({ digest: digestSchema, base: baseSchema })).max(selectionLimits.absent),
  recipes: recipesSchema.optional(),
});

/** Makes the bytes of a selection, which are the same for the same bases and contents in whatever order. */
export function encodeSelection({ bases, absent, recipes }: Selection): Uint8Array {
  const sorted = [...bases].sort((a, b) => unitOrder(a.root, b.root));
  const baseOf = (base: number): number => sorted.indexOf(bases[base]!);
  return encodeJson({
    formatVersion: recipes ? 2 : 1,
    bases: sorted.map(({ name, version, root }) => ({ name, version, root })),
    absent: inOrder(absent).map(({ digest, base }) => ({ digest, base: baseOf(base) })),
    ...(recipes
      ? {
          recipes: {
            encoders: inOrder(recipes.encoders).map(contentOf),
            sources: inOrder(recipes.sources).map((one) => ({ ...contentOf(one), base: baseOf(one.base) })),
            layers: inOrder(recipes.layers).map((layer) => ({
              digest: layer.digest,
              tarSize: layer.tarSize,
              encoder: layer.encoder,
              arguments: layer.arguments,
              patch: contentOf(layer.patch),
              sources: layer.sources,
            })),
          },
        }
      : {}),
  });
}

function inOrder<T extends { readonly digest: Digest }>(contents: readonly T[]): T[] {
  return [...contents].sort((a, b) => unitOrder(a.digest, b.digest));
}

function contentOf({ digest, size }: RecipeContent): RecipeContent {
  return { digest, size };
}

/**
 * Reads a selection. Throws `FormatError` `selection-invalid` for what `encodeSelection` does not make: what is there
 * twice, a base that has nothing, another order, white space.
 */
export function parseSelection(bytes: Uint8Array): Selection {
  const refuse = (why: string): never => {
    throw new FormatError('selection-invalid', `its selection ${why}`);
  };
  if (bytes.length > selectionLimits.bytes) refuse(`has more than ${sizeWords(selectionLimits.bytes)}`);
  const selection = decodeUniqueJson(bytes, schema, 'selection-invalid', 'selection');
  const { bases, absent, recipes } = selection;
  const { layers = [], sources = [] } = recipes ?? {};
  if (absent.length + layers.length === 0) refuse('names no content');
  if (hasRepeated(bases.map(({ root }) => root))) refuse('names a base twice');
  if (hasRepeated([...absent, ...layers].map(({ digest }) => digest))) refuse('names a content twice');
  const used = new Set([...absent, ...sources].map(({ base }) => base));
  if (used.size !== bases.length || [...used].some((base) => base >= bases.length)) {
    refuse('names a base without contents, or lacks one');
  }
  if (recipes) requireUsed(recipes, refuse);
  if (Buffer.compare(encodeSelection(selection), bytes) !== 0) refuse('is not in its canonical form');
  return { bases, absent, ...(recipes ? { recipes } : {}) };
}

/** Requires that recipes use every encoder and every source that is listed, and no other. */
function requireUsed({ encoders, sources, layers }: LayerRecipes, refuse: (why: string) => never): void {
  const isUsed = (listed: readonly RecipeContent[], used: readonly Digest[]): boolean => {
    const digests = new Set(listed.map(({ digest }) => digest));
    const all = new Set(used);
    return digests.size === listed.length && digests.size === all.size && [...all].every((one) => digests.has(one));
  };
  const encoder = layers.map((layer) => layer.encoder);
  if (!isUsed(encoders, encoder)) refuse('lists other encoders than its recipes use');
  const read = layers.flatMap((layer) => layer.sources);
  if (!isUsed(sources, read)) refuse('lists other sources than its recipes use');
  if (layers.some((layer) => hasRepeated(layer.sources))) refuse('names a source twice');
  const own = new Set(layers.map(({ digest }) => digest));
  if (read.some((digest) => own.has(digest))) refuse('makes a layer of another one that it makes');
  const sizes = new Map<Digest, number>();
  for (const { digest, size } of [...encoders, ...sources, ...layers.map(({ patch }) => patch)]) {
    if ((sizes.get(digest) ?? size) !== size) refuse(`gives ${digest} two sizes`);
    sizes.set(digest, size);
  }
}

function hasRepeated(values: readonly string[]): boolean {
  return new Set(values).size !== values.length;
}
