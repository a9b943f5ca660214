import type { Digest } from '../../../formats/digest.ts';
import type { MediaContext } from '../../shared/solutions/media/index.ts';
import type { ImageDelivery, Trusting } from '../install/index.ts';

/** The archives that hold the images of trees, and how these get from there to nodes. */
export interface LoadImages {
  /** What names the archives: paths, patterns, folders, addresses, references. */
  readonly archives: readonly string[];
  readonly media: MediaContext;
  /** Whom to trust; `skip` checks that bytes are intact, and not who made them. */
  readonly trust: Trusting | 'skip';
  /** How images get to where nodes can pull them; undefined leaves them where they are. */
  readonly delivery: ImageDelivery | undefined;
  /** The `config_path` of containerd, where mirrors are written; without it nodes pull by the names of the delivery. */
  readonly hostsDir: string | undefined;
  /** Continues where objects use images that no archive holds, and reports them. */
  readonly allowMissing: boolean;
}

/** An archive whose images were available. */
export interface LoadedArchive {
  readonly archive: string;
  readonly name: string;
  readonly version: string;
  readonly root: Digest;
  /** Ids of the keys whose signatures count for it. */
  readonly signers: readonly string[];
}

/** What trees are loaded with that have no images: nothing is delivered. */
export const noDelivery: ImageDelivery = { steps: [], examine: async () => [], endsWithInstall: false };
