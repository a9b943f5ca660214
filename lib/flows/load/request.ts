import type { SolpackError } from '../../kernel/events/index.ts';
import type { AppliedObject, ClusterTarget } from '../../parts/clusters/index.ts';
import type { TreeComponentKind } from '../../parts/components/index.ts';
import type { ReportedImage } from '../../shared/rendering/index.ts';
import type { NodeVariable } from '../../shared/solutions/node-variables/index.ts';
import type { LoadedArchive, LoadImages } from './image-request.ts';

/** Which trees to bring up as one Solution, and how. */
export interface LoadRequest {
  /** The folders of the components, in the order in which they are brought up, at least one; absolute paths. */
  readonly folders: readonly string[];
  /** Where rendered objects go. */
  readonly cluster: ClusterTarget;
  /** The Solution that the trees are brought up as; undefined takes the name of the first folder. */
  readonly name?: string | undefined;
  /**
   * The variables of the node that plugins get; what is left out, they are reported as the cluster and this machine
   * have it.
   */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds for which a plugin whose precondition is unmet is run again; 0 runs it once. */
  readonly retryFor: number;
  /** Brings the other components up where some fail. */
  readonly keepGoing?: boolean | undefined;
  /** Takes a folder without components for what it says: all that an earlier load brought is removed. */
  readonly allowEmpty?: boolean | undefined;
  /** Milliseconds that a component may take to become ready. */
  readonly timeout: number;
  /**
   * Waits at first until the API server answers and is ready, for up to so many milliseconds. Left out: does not wait.
   */
  readonly waitForCluster?: number;
  /** Archives that have to hold all images of the trees. Left out: images stay as the trees name them. */
  readonly images?: LoadImages;
}

/** The result for one component. */
export interface LoadedComponent {
  readonly name: string;
  /** Name of its folder. */
  readonly folder: string;
  readonly kind: TreeComponentKind;
  /** `empty`: it has nothing to apply. */
  readonly state: 'loaded' | 'empty' | 'failed';
  /** How many objects it has. */
  readonly objects: number;
  /** Why it failed. */
  readonly reason?: string;
}

/** What a load did. */
export interface LoadResult {
  readonly name: string;
  /** Made from the rendered objects: the same objects have the same version. */
  readonly version: string;
  /** The first of the folders. */
  readonly folder: string;
  readonly folders: readonly string[];
  /** The variables of the node that plugins got, and who said so; empty where there is no plugin. */
  readonly variables: readonly NodeVariable[];
  /** In the order of application. */
  readonly components: readonly LoadedComponent[];
  /** Files that were written, in order. */
  readonly files: readonly string[];
  /** Objects in the order in which they were applied or removed. */
  readonly objects: readonly AppliedObject[];
  /** Entries that are no components. */
  readonly skipped: readonly string[];
  /** Why the first component failed of those that did, where the request was to keep going. */
  readonly failure: SolpackError | undefined;
  /** The images that objects name, wherever they do so; left out where no archives were given. */
  readonly images?: readonly ReportedImage[];
  /** The archives that were given. */
  readonly archives?: readonly LoadedArchive[];
  /** URL of the registry that has the images now; left out where they were not delivered. */
  readonly registry?: string;
}
