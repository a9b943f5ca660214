import type { SolpackError } from '../../kernel/events/index.ts';
import type { ClusterTarget, GenerationCause, SolutionStatus } from '../../parts/clusters/index.ts';
import type { KubernetesDistribution } from '../setup/index.ts';

/** The input of an overview. */
export interface OverviewRequest {
  /** The folder that the user is in; absolute. */
  readonly folder: string;
  /** Opens the cluster of the profile; left out where none is named. */
  readonly cluster?: (() => Promise<ClusterTarget>) | undefined;
  /** The folder that the machine is looked for in. Left out: `/`. */
  readonly root?: string | undefined;
}

/** An archive in the folder, or on a medium. */
export interface NearArchive {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Whether the cluster has the Solution in a lower version, or not at all, as far as it reported. */
  readonly isNew: boolean;
}

/** A Solution that the cluster has. */
export interface InstalledState {
  readonly name: string;
  readonly version: string;
  /** `failed`: the run that was to bring it about has failed; `interrupted`: it ended before it was done. */
  readonly state: SolutionStatus['state'] | 'failed';
}

/** A run that has changed something in the cluster, and was interrupted. */
export interface InterruptedRun {
  readonly configuration: string;
  /** The command that was run; after a `load`, the cluster has what folders hold, and no Solution of an archive. */
  readonly by: GenerationCause | 'load';
  /** For a rollback: the number of the generation that it goes back to. */
  readonly of: number | undefined;
  /** Whether the cluster has other configurations. */
  readonly hasOthers: boolean;
}

/** The surroundings of a user who has given no command yet. */
export interface Overview {
  readonly kubernetes: KubernetesDistribution;
  /** The highest version of each Solution, by name. */
  readonly archives: readonly NearArchive[];
  /** The definition in the folder, and its Solution where it can be read; absent where there is none. */
  readonly definition?: { readonly path: string; readonly name?: string; readonly version?: string };
  /** Files in the folder that a run has begun, and has not ended; with the run that would continue. */
  readonly unfinished: readonly { readonly path: string; readonly by: 'pack' | 'pull' }[];
  /** What the cluster has; absent where none is named, or it did not tell. */
  readonly installed?: readonly InstalledState[];
  /** The first run in the cluster that was interrupted; absent where none was. */
  readonly interrupted?: InterruptedRun;
  /** Why the cluster did not tell; undefined where it was too slow. Absent where it did, or none is named. */
  readonly silent?: { readonly error: SolpackError | undefined };
}
