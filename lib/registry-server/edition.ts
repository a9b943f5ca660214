import { type Catalogue, createCatalogue } from './catalogue.ts';
import type { ServedContent } from './content.ts';

/** What is served at a time. Requests keep the edition that they began with. */
export interface Edition {
  readonly catalogue: Catalogue;
  readonly archives: number;
  /** Runs a request; the edition is not over before it ended. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** The editions of a registry, one after another. */
export interface Editions {
  current(): Edition;
  /** Begins a new one; resolves once all requests of those before have ended. Throws `image-conflict`, and changes nothing then. */
  replace(contents: readonly ServedContent[]): { readonly drained: Promise<void> };
}

/** Begins with a first edition. Throws `image-conflict`. */
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
    catalogue: createCatalogue(contents),
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
      new Promise((settle) => {
        over = settle;
        if (running === 0) settle();
      }),
  };
}
