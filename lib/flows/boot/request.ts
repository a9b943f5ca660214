import type { ComponentProgress, KubernetesOptions } from '../../parts/clusters/index.ts';
import type { ManifestSettings } from '../agent/index.ts';

/** A loader that is to install, and the cluster. */
export interface BootRequest {
  readonly access: KubernetesOptions;
  readonly loader: ManifestSettings;
  /** The repair that is to run at intervals afterwards; undefined where none is. */
  readonly repair: ManifestSettings | undefined;
  /** The files that the loader finds in `/etc/solpack`, by their names there. */
  readonly parameters: ReadonlyMap<string, Uint8Array>;
  /** Milliseconds: until the API server has to be ready, and from then until the Job has to have ended. */
  readonly wait: number;
  readonly limit: number;
}

/** How a loader has ended that was successful. */
export interface BootResult {
  readonly namespace: string;
  readonly job: string;
  /** How many of its Pods have begun an install. */
  readonly attempt: number;
  readonly components: readonly ComponentProgress[];
  /** When the repair begins; absent where there is none. */
  readonly schedule?: string;
}
