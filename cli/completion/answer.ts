/** One way in which a word can continue. */
export interface Completion {
  /** The whole word. What ends with `/` or `=` continues. */
  readonly word: string;
  readonly about: string;
}

/** What can stand where a user presses Tab. */
export interface Completions {
  /** What the shell completes by itself behind `prefix`, if anything. */
  readonly paths: 'files' | 'folders' | undefined;
  /** The beginning of the word that candidates and paths stand behind, such as `--key=`. */
  readonly prefix: string;
  /** Without the prefix. */
  readonly candidates: readonly Completion[];
}

/** An answer with candidates alone. */
export function candidates(some: readonly Completion[], prefix = ''): Completions {
  return { paths: undefined, prefix, candidates: some };
}

/** An answer that leaves it to the shell. */
export function paths(kind: 'files' | 'folders', prefix = ''): Completions {
  return { paths: kind, prefix, candidates: [] };
}
