import { join } from 'node:path';
import type { CodeSplittingOptions, Plugin } from 'rolldown';
import { root } from '../home.ts';

/** Places that load a module beyond which it is one of those that most commands need. */
const MOST = 40;

/** How the modules of the package are put into files. */
export interface Grouping {
  readonly plugin: Plugin;
  readonly codeSplitting: CodeSplittingOptions;
}

/**
 * Puts what each start loads into one file, and what most commands load besides into another: to find, read and check a
 * file takes Node.js longer than to load a few modules more.
 */
export function grouping(): Grouping {
  const always = new Set<string>();
  return {
    plugin: {
      name: 'grouping',
      buildEnd() {
        const add = (id: string): void => {
          if (always.has(id)) return;
          always.add(id);
          for (const next of this.getModuleInfo(id)?.importedIds ?? []) add(next);
        };
        for (const path of ['cli/main.ts', 'cli/program.ts', 'cli/failure.ts']) add(join(root, path));
      },
    },
    codeSplitting: {
      groups: [
        { name: 'start', priority: 2, test: (id) => always.has(id) },
        { name: 'core', priority: 1, minShareCount: MOST },
      ],
    },
  };
}
