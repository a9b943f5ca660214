import type { FolderForm } from '../lib/index.ts';

/** The options of `solpack install` that say how images get to nodes. */
export interface ImageDeliveryOptions {
  readonly registry?: string;
  readonly servedAt?: string;
  readonly listen: string;
  readonly hold?: boolean;
  readonly hostsDir?: string;
  readonly imageFolder?: string;
  readonly imageFolderFormat?: FolderForm;
  readonly containerd?: string;
  readonly imageStore?: string;
}
