import type { InstallPlan } from '../../../formats/solution/install-plan.ts';
import type { Flow } from '../../kernel/events/index.ts';
import type { AgentCluster, AgentLease, ClusterTarget, FollowedSource } from '../../parts/clusters/index.ts';
import type { ReturnTrust } from '../../shared/solutions/trusted/index.ts';

/** What an agent does, and where. */
export interface AgentRequest {
  readonly source: FollowedSource;
  /** The Lease by which one replica is chosen. */
  readonly lease: AgentLease;
  /** The folder that relative paths of the configuration are relative to. */
  readonly folder: string;
  readonly cluster: AgentCluster;
  /** Opens the cluster anew, to look at what is there and to put it back. */
  target(): Promise<ClusterTarget>;
  /**
   * Installs a SolutionsConfiguration, by whom to trust and how images get to nodes as that is by now.
   */
  install(given: AgentInstall, flow: Flow): Promise<void>;
  /**
   * Finds out what an install of the same would do, and changes nothing. `like` is a plan that was made before: where
   * nothing has changed since, the seal is the same. Left out: each configuration is installed without asking anybody.
   */
  readonly plan?:
    | ((given: AgentInstall, like: InstallPlan | undefined, flow: Flow) => Promise<InstallPlan>)
    | undefined;
  /** Tells whom to trust with what is put back, as that is by now; `skip` asks nobody. */
  trust(): Promise<ReturnTrust | 'skip'>;
  /** Milliseconds after which it looks at what is there even where nothing was reported. */
  readonly every: number;
  /** Where probes are answered; undefined where they are not. */
  readonly probes?: AgentProbes | undefined;
}

/** A SolutionsConfiguration that an agent installs. */
export interface AgentInstall {
  /** The path that its paths are relative to, and by which messages name it. */
  readonly configuration: string;
  readonly document: Uint8Array;
  /** The plan that was approved: nothing else is done. Left out: nobody was asked. */
  readonly confirmed?: InstallPlan | undefined;
}

/** Where an agent answers probes. */
export interface AgentProbes {
  /** Undefined is every address of the machine. */
  readonly host: string | undefined;
  readonly port: number;
}

/** What an agent counts and knows of itself, for probes. */
export interface AgentVitals {
  isLeader: boolean;
  /** Whether it has talked to the API server. */
  isConnected: boolean;
  installs: number;
  repaired: number;
  failures: number;
  isReady: boolean;
}
