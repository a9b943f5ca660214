/** How much is fetched for components, in bytes. */
export const sourceLimits = {
  /** A packed chart; Helm loads at most as much once it is decompressed. */
  chart: 100 * 1024 * 1024,
  /** A file of manifests. */
  file: 16 * 1024 * 1024,
  /** All files of a commit, or of an image, once they are decompressed. */
  files: 1024 * 1024 * 1024,
  /** A layer of an image, compressed, of which only some files are taken. */
  layer: 4 * 1024 * 1024 * 1024,
  /** What layers of an image have besides the files that are taken of it, once they are decompressed. */
  passedOver: 16 * 1024 * 1024 * 1024,
  /** How many files there may be. */
  entries: 200_000,
} as const;
