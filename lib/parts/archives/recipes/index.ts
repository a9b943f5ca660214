/** Recipes of layers: how a delta makes a layer from older ones. */

export {
  /** Makes layers by recipes, each once and one after another, when they are first read. */
  LayerBuilder,
  /** An archive that contents are read out of. */
  type RecipeArchive,
} from './layer-builder.ts';
export {
  /** Where a content comes from: an archive that has it, or a recipe and where the sources of that come from. */
  type ContentOrigin,
  /** Lists the contents that a delta lacks and none of `others` has or makes. */
  lackedBy,
  /** Returns a function that finds where a content comes from, among the archives `parts`. */
  originsIn,
} from './origins.ts';
export {
  /** Decompresses an encoder. */
  unpackedEncoder,
} from './rebuild.ts';
