import type { SolpackError } from '../../kernel/events/index.ts';

/** What is known of an archive without its bytes being checked. */
export interface LookedArchive {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** The kinds of its components. */
  readonly kinds: ReadonlySet<string>;
  /** The programs that it brings for this machine. */
  readonly programs: ReadonlySet<string>;
  /** Of its images. */
  readonly bytes: number;
}

/** The archives that a SolutionsConfiguration names. */
export interface LookedArchives {
  readonly opened: readonly LookedArchive[];
  readonly unopened: readonly { readonly path: string; readonly error: SolpackError }[];
  /** How many are on servers, and were not asked for. */
  readonly remote: number;
}
