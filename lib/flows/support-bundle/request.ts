import type { Flow } from '../../kernel/events/index.ts';
import type { ClusterTarget } from '../../parts/clusters/index.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';

/** What to put into a bundle. Paths are absolute. */
export interface SupportBundleRequest {
  /** The file to write. */
  readonly output: string;
  /** The version of solpack. */
  readonly version: string;
  /** When it is made, in milliseconds since 1970. */
  readonly time: number;
  /** Undefined where no cluster was named. */
  readonly cluster?: ClusterTarget | undefined;
  /** A configuration, or else a Solution, whose history is wanted; undefined is all that there are. */
  readonly name?: string | undefined;
  /** The SolutionsConfiguration; undefined where none was named. */
  readonly configuration?: string | undefined;
  /** How archives at addresses are reached. */
  readonly media: MediaContext;
  /**
   * Finds out what an install of the SolutionsConfiguration would do, and does nothing. `cluster` is undefined where it
   * is not to be asked. Throws what would refuse the install.
   */
  plan(configuration: string, cluster: ClusterTarget | undefined, flow: Flow): Promise<object>;
  /** The `config_path` of containerd; undefined where none was named. */
  readonly hostsDir?: string | undefined;
  /** The folder that remembers earlier installs. */
  readonly trustState: string;
  /** Files that `--log-file` of earlier runs wrote. */
  readonly logs: readonly string[];
  /** The environment that secrets of the site come from, and that programs are run with. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A file of a bundle. */
export interface BundleFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** What a bundle lacks, and why. */
export interface MissingPart {
  readonly what: string;
  readonly reason: string;
}

/** A bundle that was written. */
export interface SupportBundle {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** In their order. */
  readonly files: readonly BundleFile[];
  readonly missing: readonly MissingPart[];
}
