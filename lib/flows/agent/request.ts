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
   * Installs a SolutionsConfiguration, by whom to trust and how images get to nodes as that is by now. `configuration`
   * is the path that its paths are relative to, and by which messages name it.
   */
  install(given: { readonly configuration: string; readonly document: Uint8Array }, flow: Flow): Promise<void>;
  /** Tells whom to trust with what is put back, as that is by now; `skip` asks nobody. */
  trust(): Promise<ReturnTrust | 'skip'>;
  /** Milliseconds after which it looks at what is there even where nothing was reported. */
  readonly every: number;
  /** Where probes are answered; undefined where they are not. */
  readonly probes?: AgentProbes | undefined;
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
