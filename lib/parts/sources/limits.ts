/** How much is fetched for components, in bytes. */
export const sourceLimits = {
  /** A packed chart; Helm loads at most as much once it is decompressed. */
  chart: 100 * 1024 * 1024,
  /** A file of manifests. */
  file: 16 * 1024 * 1024,
  /** All files of a commit, or of an image, once they are decompressed. */
  files: 1024 * 1024 * 1024,
  /** How many these are. */
  entries: 200_000,
} as const;
