import type { NodePlace } from '../../parts/node-images/index.ts';
import type { RegistryOptions } from '../../parts/registries/index.ts';

/** A registry that runs in the cluster. */
export interface ClusterRegistry {
  /** The Solution that brings it. */
  readonly solution: string;
  /** Where this machine and its node reach it; a path is put before the names of images. */
  readonly url: string;
  readonly options: RegistryOptions;
  /** Milliseconds that it may take until it answers. */
  readonly patience: number;
  /** The address of the containerd in which its own images are pinned; undefined where nothing is pinned. */
  readonly containerd: string | undefined;
  /** The place of this machine that its own images are put into instead; left out where they are in none. */
  readonly place?: NodePlace | undefined;
}
