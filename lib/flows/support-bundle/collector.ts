import type { Flow } from '../../kernel/events/index.ts';
import type { ClusterSnapshot } from '../../parts/clusters/index.ts';
import type { Blanking } from './blanking/index.ts';
import type { SupportBundleRequest } from './request.ts';
import type { BundleWriter } from './writer.ts';

/** What a collector works with. */
export interface Collecting {
  readonly request: SupportBundleRequest;
  /** Undefined where there is no cluster, or it cannot be read. */
  readonly snapshot: ClusterSnapshot | undefined;
  readonly blanking: Blanking;
  readonly bundle: BundleWriter;
  readonly flow: Flow;
}

/** A part of a bundle. What it cannot have it notes; what it throws is noted under its name. */
export interface Collector {
  /** In words: what a bundle lacks without it. */
  readonly name: string;
  collect(collecting: Collecting): Promise<void>;
}
