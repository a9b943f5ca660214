import type { Digest } from '../../../formats/digest.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { PlanDecision } from './approval-cluster.ts';

/** What an agent follows: an object that holds a SolutionsConfiguration. */
export type FollowedSource =
  | { readonly kind: 'custom-resource'; readonly name: string }
  | { readonly kind: 'config-map'; readonly namespace: string; readonly name: string };

/** A SolutionsConfiguration as the cluster has it at one time. */
export interface FollowedDocument {
  readonly bytes: Uint8Array;
  readonly digest: Digest;
  readonly uid: string;
  /** Counts its changes; undefined where nobody does, as with a ConfigMap. */
  readonly generation: number | undefined;
  /** The status that was written last; undefined if there was none. */
  readonly status: unknown;
}

/** The name of a Lease by which one of several replicas becomes the leader. */
export interface AgentLease {
  readonly namespace: string;
  readonly name: string;
}

/** Something about a configuration that is worth an Event (Kubernetes API, "Event v1 events.k8s.io"). */
export interface AgentNews {
  readonly type: 'Normal' | 'Warning';
  /** In CamelCase, for programs. */
  readonly reason: string;
  /** What was done, in CamelCase. */
  readonly action: string;
  readonly note: string;
}

/** The cluster in which an agent runs, as far as only an agent needs it. Whoever opens it disposes of it. */
export interface AgentCluster extends AsyncDisposable {
  /** Makes sure that the server answers. Throws what connecting throws. */
  connect(flow: Flow): Promise<void>;
  /**
   * Waits until this process is the leader, and does `work` for as long as it is: the flow of `work` is aborted once it
   * is not, and it waits anew. Returns what `work` returns. The Lease is given up in the end. `onTerm` is informed
   * where that begins and ends.
   */
  lead<T>(
    lease: AgentLease,
    flow: Flow,
    work: (flow: Flow) => Promise<T>,
    onTerm: (isLeader: boolean) => void,
  ): Promise<T>;
  /**
   * Returns what an agent follows, and each change of it, until the flow is aborted; undefined where it is not there.
   */
  follow(
    source: FollowedSource,
    flow: Flow,
    onDocument: (document: FollowedDocument | undefined) => void,
  ): Promise<never>;
  /**
   * Returns what was decided about plans of a configuration, and each change of it, until the flow is aborted;
   * undefined where nobody has decided.
   */
  followDecision(
    configuration: string,
    flow: Flow,
    onDecision: (decision: PlanDecision | undefined) => void,
  ): Promise<never>;
  /** Tells that something may have become of objects of the Solutions of a configuration, until the flow is aborted. */
  watch(configuration: string, flow: Flow, onChange: () => void): Promise<never>;
  /** Writes the status of what an agent follows. */
  tellStatus(source: FollowedSource, status: object, flow: Flow): Promise<void>;
  /**
   * Keeps a ClusterOperator of OpenShift of this name, if the cluster knows that kind. `statusFrom` makes its status
   * from the one that is there. Throws `cluster-error` if somebody else has made one of that name.
   */
  tellOperator(name: string, statusFrom: (before: unknown) => object, flow: Flow): Promise<void>;
  /** Leaves an Event about what an agent follows, and that has this uid. */
  tellNews(source: FollowedSource, uid: string, news: AgentNews, flow: Flow): Promise<void>;
}
