import type { Archive } from '../../../parts/archives/index.ts';
import type { Candidate } from './choose.ts';

/** An open archive, with the name and version of its metadata. */
export interface OpenedArchive extends Candidate {
  readonly archive: Archive;
}

/** What could not be opened, so it is unknown which version of which Solution it is. */
export interface Unopened {
  readonly path: string;
  /** The Solution that its group says it holds; undefined where it says none. */
  readonly group: string | undefined;
  readonly error: unknown;
}

/** What an entry of `archives` stands for. */
export interface FoundEntry {
  /** As the document writes it. */
  readonly entry: string;
  /** The Solution that its group says it holds; undefined where it says none. */
  readonly group: string | undefined;
  /** Whether it may name any number of archives, as a folder does. */
  readonly several: boolean;
  /** How many archives it stands for now. */
  readonly count: number;
}

/** The archives of a SolutionsConfiguration, as far as they can be opened. */
export interface ConfiguredArchives {
  readonly opened: readonly OpenedArchive[];
  readonly unopened: readonly Unopened[];
}

/** The same, with the entries that name them. */
export interface FoundArchives extends ConfiguredArchives {
  readonly entries: readonly FoundEntry[];
}
