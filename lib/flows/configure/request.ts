import type { ConfigurationForm } from '../../../formats/solution/configuration-edit.ts';
import type { MediaContext } from '../../shared/solutions/media/kind.ts';

/** An archive as a user named it. */
export interface NamedArchive {
  /** What the user wrote; a configuration has it so where it is no path. */
  readonly given: string;
  /** The absolute path that it is, perhaps a pattern; undefined for an address and a reference. */
  readonly path: string | undefined;
}

/** Where archives are found that are no paths of this machine. Left out: at addresses, as by default. */
export type MediaReach = Omit<MediaContext, 'base'>;

/** What every edit of a configuration tells. */
export interface Edited {
  /** The SolutionsConfiguration, an absolute path. */
  readonly configuration: string;
  readonly form: ConfigurationForm;
  /** Whether the file was written. */
  readonly changed: boolean;
}
