/** A setting of a node or a cluster, and where it was found, in words. */
export interface SourcedValue {
  readonly value: string;
  readonly from: string;
}

/**
 * Facts that a cluster reports about itself; facts that it does not report, or not to this user, are left out. Lists
 * are joined by commas.
 */
export interface ClusterSettings {
  /** URL of the API server. */
  readonly url?: SourcedValue;
  /** Addresses of Pods, as CIDR. */
  readonly podRanges?: SourcedValue;
  /** Addresses of Services, as CIDR. */
  readonly serviceRanges?: SourcedValue;
  /** Ports of NodePorts: `first-last`. */
  readonly nodePorts?: SourcedValue;
  /** Names in the API server's certificate besides its own. */
  readonly certificateNames?: SourcedValue;
}
