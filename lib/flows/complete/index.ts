import { extname } from 'node:path';
import type { Flow } from '../../kernel/events/index.ts';
import { filesIn, inspected } from './archive.ts';
import { archivesIn, componentsIn, environmentsIn, solutionsIn, versionsIn } from './configuration.ts';
import { defined } from './definition.ts';
import type { KnownName } from './name.ts';
import { isRegular } from './regular.ts';

export type {
  /** A name that a user may mean, with what it is. */
  KnownName,
} from './name.ts';

/** Whose names to find. Paths are absolute. */
export type WantedNames =
  /** Files and folders in an ISO 9660 or tar file whose paths begin with `prefix`, up to the next `/`. */
  | { readonly of: 'files'; readonly archive: string; readonly prefix: string }
  /** Images, or components, of an archive or a definition. */
  | { readonly of: 'images' | 'components'; readonly solution: string }
  /**
   * Solutions that a SolutionsConfiguration names, its archives as it writes them, or components of what these hold.
   */
  | { readonly of: 'solutions' | 'archives' | 'components'; readonly configuration: string }
  /** Versions of a Solution that the archives of a SolutionsConfiguration hold, or its environments there. */
  | { readonly of: 'versions' | 'environments'; readonly configuration: string; readonly solution: string };

/**
 * Finds names for somebody who is about to type one: in regular files of this machine alone, so that no device, pipe or
 * server is waited for. What cannot be read has no names. Ends early where `flow` does; what was found before counts.
 */
export async function* knownNames(wanted: WantedNames, flow: Flow): AsyncGenerator<KnownName, void> {
  const path = pathIn(wanted);
  if (!(await isRegular(path))) return;
  try {
    for await (const known of namesOf(wanted, flow)) {
      if (flow.signal.aborted) return;
      yield known;
    }
  } catch {
    // The command reports faults, and completion does not.
  }
}

function namesOf(wanted: WantedNames, flow: Flow): AsyncIterable<KnownName> {
  if ('archive' in wanted) return filesIn(wanted.archive, wanted.prefix, flow);
  if ('configuration' in wanted) return configuredNames(wanted, flow);
  return extname(wanted.solution) === '.toml'
    ? defined(wanted.solution, wanted.of)
    : inspected(wanted.solution, wanted.of, flow);
}

function configuredNames(
  wanted: Extract<WantedNames, { readonly configuration: string }>,
  flow: Flow,
): AsyncIterable<KnownName> {
  switch (wanted.of) {
    case 'solutions':
      return solutionsIn(wanted.configuration, flow);
    case 'archives':
      return archivesIn(wanted.configuration);
    case 'components':
      return componentsIn(wanted.configuration, flow);
    case 'environments':
      return environmentsIn(wanted.configuration, wanted.solution);
    case 'versions':
      return versionsIn(wanted.configuration, wanted.solution, flow);
  }
}

function pathIn(wanted: WantedNames): string {
  if ('archive' in wanted) return wanted.archive;
  return 'configuration' in wanted ? wanted.configuration : wanted.solution;
}
