import type { ClusterTarget } from '../../parts/clusters/index.ts';

/** Whose history. */
export interface HistoryRequest {
  readonly cluster: ClusterTarget;
  /** The name of a configuration; undefined is the only one that there is. */
  readonly configuration?: string | undefined;
}
