/** A part of what is in a cluster, as a file may hold it. */
export type SnapshotPart = {
  /** Names with slashes between them, without an extension: `namespaces/shop/events`. */
  readonly path: string;
} & (
  | { readonly items: readonly unknown[] }
  | { readonly value: unknown }
  /** What a container printed, the newest last. */
  | { readonly lines: readonly string[] }
  /** Why there is nothing. */
  | { readonly missing: string }
);

/** What is in a cluster of its Solutions, now: to be looked at elsewhere. */
export interface ClusterSnapshot {
  /**
   * What the Secrets hold that the parts may repeat, those of generations among them: whoever passes parts on has to
   * blank it.
   */
  readonly secrets: ReadonlySet<string>;
  /**
   * Reads the parts, one after the other. `blank` blanks secrets in a line of a log before it is cut. What cannot be
   * read is a part that says why. Values of Secrets are in none; where the Secrets of a namespace cannot be read, what
   * may repeat them is left out.
   */
  parts(blank: (line: string) => string): AsyncIterable<SnapshotPart>;
}
