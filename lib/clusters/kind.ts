import type { KubernetesObject } from '../../formats/manifest/documents.ts';
import type { Flow } from '../flow.ts';
import type { ClusterFacts } from '../model.ts';

/** A component as it is to be brought up: its objects, in order. */
export interface RenderedComponent {
  readonly name: string;
  readonly objects: readonly KubernetesObject[];
  /** Components of the same Solution that have to be ready before this one is applied; all stand before it. */
  readonly after: readonly string[];
  /** Milliseconds that it may take to become ready. */
  readonly timeout: number;
}

/** A Solution version as it is to be brought up: its components, each after those it waits for. */
export interface RenderedSolution {
  readonly name: string;
  readonly version: string;
  /** What its version is made from: the digest of the archive's root, where there is an archive. */
  readonly root: string | undefined;
  readonly components: readonly RenderedComponent[];
}

/** All that is to be there afterwards. */
export interface ApplyRequest {
  /** Which configuration says so. Solutions that the same configuration brought, and no longer has, are removed. */
  readonly configuration: string;
  readonly solutions: readonly RenderedSolution[];
  /**
   * False: nothing is removed, and what is there and not in the request stays in the inventory, so that a later apply
   * removes it. For a request that lacks what could not be rendered. Left out: true.
   */
  readonly prune?: boolean;
}

/**
 * What became of an object. `replaced`: deleted and made again, because a field that never changes had to. `kept`: no
 * longer wanted, but left where it is because deleting it would delete data.
 */
export type Action = 'created' | 'changed' | 'replaced' | 'unchanged' | 'removed' | 'kept';

/** An object, and what became of it. */
export interface AppliedObject {
  /** `Kind name` or `Kind namespace/name`. */
  readonly object: string;
  readonly action: Action;
  /** The component that brings it; undefined for one that none brings any longer. */
  readonly component: string | undefined;
}

/** What became of one Solution. */
export interface AppliedSolution {
  readonly name: string;
  readonly version: string;
  /** Files that were written, in order. */
  readonly files: readonly string[];
  /** Objects in the order in which they were applied or removed. */
  readonly objects: readonly AppliedObject[];
}

/** What an apply did. */
export interface ApplyResult {
  /** The Solutions of the request, in its order. */
  readonly solutions: readonly AppliedSolution[];
  /** Solutions that the request no longer had. */
  readonly removed: readonly AppliedSolution[];
}

/** Where rendered Solutions go: a folder, or the API server of a cluster. Whoever opens it lets go of it. */
export interface ClusterTarget extends AsyncDisposable {
  /** How messages name it. */
  readonly name: string;
  /** Asks what the cluster is like, and so whether it can be reached at all; undefined where there is none to ask. */
  facts(flow: Flow): Promise<ClusterFacts | undefined>;
  /** Brings Solutions up, or replaces the versions that are there, and waits until they are ready. */
  apply(request: ApplyRequest, flow: Flow): Promise<ApplyResult>;
}
