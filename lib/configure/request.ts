import type { ConfigurationForm } from '../../formats/solution/configuration-edit.ts';
import type { Place } from '../place.ts';

/** An archive as a user named it. */
export interface NamedArchive {
  /** What the user wrote; a configuration has it so where it is no path. */
  readonly given: string;
  /** Where that is; a path is absolute. Undefined where the archive cannot be looked at before an install reads it. */
  readonly place: Place | undefined;
}

/** What every edit of a configuration tells. */
export interface Edited {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly form: ConfigurationForm;
  /** Whether the file was written. */
  readonly changed: boolean;
}
