import type { ConfigurationForm } from '../../../formats/solution/configuration-edit.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';

/** An archive as a user named it. */
export interface NamedArchive {
  /** What the user wrote; a configuration has it so where it is not a path. */
  readonly given: string;
  /** The absolute path that it is, perhaps a pattern; undefined for an address and a reference. */
  readonly path: string | undefined;
}

/** How to reach archives that are not paths of this machine. Without it: at addresses, with defaults. */
export type MediaReach = Omit<MediaContext, 'base'>;

/** What every edit of a configuration returns. */
export interface Edited {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly form: ConfigurationForm;
  /** Whether the file was written. */
  readonly changed: boolean;
}
