/** What Helm itself refuses to load, and what protects the reader beyond that. */
export const chartLimits = {
  /** Bytes of one file; Helm's own limit. */
  file: 5 * 1024 * 1024,
  /** Bytes of the archive once it is decompressed; Helm's own limit. */
  total: 100 * 1024 * 1024,
  /** Files and folders of one archive. */
  entries: 20_000,
  /** How many bytes one compressed byte may become, past the first MiB. */
  ratio: 200,
} as const;
