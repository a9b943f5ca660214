import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Flow } from '../flow.ts';

/** A component as it is to be brought up: its objects, in order. */
export interface RenderedComponent {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
}

/** A Solution version as it is to be brought up: its components, each after those it waits for. */
export interface RenderedSolution {
  readonly name: string;
  readonly version: string;
  readonly components: readonly RenderedComponent[];
}

/** Where rendered Solutions go: a folder, or the API server of a cluster. */
export interface ClusterTarget {
  /** How messages name it. */
  readonly name: string;
  /** Brings a Solution up, or replaces the version that is there. Returns what was written or applied, in order. */
  apply(solution: RenderedSolution, flow: Flow): Promise<readonly string[]>;
}
