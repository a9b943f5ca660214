import type { AppliedObject, ClusterTarget } from '../clusters/kind.ts';
import type { SolpackError } from '../errors.ts';
import type { TreeComponentKind } from './tree.ts';

/** Which tree to bring up, and how. */
export interface LoadRequest {
  /** The folder of the components; an absolute path. */
  readonly folder: string;
  /** Where rendered objects go. */
  readonly cluster: ClusterTarget;
  /** The Solution that the tree is brought up as; undefined takes the folder's name. */
  readonly name: string | undefined;
  /** What plugins are told of the node. */
  readonly variables: Readonly<Record<string, string>>;
  /** Milliseconds for which a plugin whose precondition is unmet is run again; 0 runs it once. */
  readonly retryFor: number;
  /** Brings the other components up where some fail. */
  readonly keepGoing: boolean;
  /** Takes a folder without components for what it says: all that an earlier load brought is removed. */
  readonly allowEmpty: boolean;
  /** Milliseconds that a component may take to become ready. */
  readonly timeout: number;
}

/** What became of one component. */
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
  readonly folder: string;
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
}
