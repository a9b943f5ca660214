import { type ArchivedRepositories, joinArchives } from './archived-repositories.ts';
import type { ServedContent } from './content.ts';

/**
 * The archives that are served at one time. A request keeps the edition with which it began, also when the next one
 * replaces it.
 */
export interface Edition {
  readonly repositories: ArchivedRepositories;
  readonly archives: number;
  /** Runs a request. The edition does not end before the request does. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The editions of a registry, one after another. */
export interface Editions {
  current(): Edition;
  /**
   * Begins the next edition. `drained` resolves once all requests of earlier editions have ended. Throws
   * `image-conflict`, and then changes nothing.
   */
  replace(contents: readonly ServedContent[]): { readonly drained: Promise<void> };
}

/** Begins the first edition. Throws `image-conflict`. */
export function createEditions(first: readonly ServedContent[]): Editions {
  let edition = newEdition(first);
  let before: Promise<unknown> = Promise.resolve();
  return {
    current: () => edition,
    replace: (contents) => {
      const next = newEdition(contents);
      const drained = Promise.all([before, edition.retire()]);
      before = drained;
      edition = next;
      return { drained: drained.then(() => undefined) };
    },
  };
}

function newEdition(contents: readonly ServedContent[]): Edition & { retire(): Promise<void> } {
  let running = 0;
  let over: (() => void) | undefined;
  return {
    repositories: joinArchives(contents),
    archives: contents.length,
    run: async (work) => {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0) over?.();
      }
    },
    retire: () =>
      new Promise((resolve) => {
        over = resolve;
        if (running === 0) resolve();
      }),
  };
}
