/** Something that a cluster tells of itself, and where it does so, in words. */
export interface Told {
  readonly value: string;
  readonly from: string;
}

/** What a cluster tells of itself; what it does not tell, or not to this user, is left out. Lists are joined by commas. */
export interface ToldByCluster {
  /** URL of the API server. */
  readonly url?: Told;
  /** Addresses of Pods, as CIDR. */
  readonly podRanges?: Told;
  /** Addresses of Services, as CIDR. */
  readonly serviceRanges?: Told;
  /** Ports of NodePorts: `first-last`. */
  readonly nodePorts?: Told;
  /** Names in the API server's certificate besides its own. */
  readonly certificateNames?: Told;
}
