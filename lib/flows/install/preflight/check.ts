import type { ClusterFacts } from '../../../kernel/content/index.ts';
import type { Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { Archive } from '../../../parts/archives/index.ts';
import type { ClusterTarget, RenderedSolution } from '../../../parts/clusters/index.ts';
import type { ImageDelivery } from '../delivery/index.ts';

/** What an install is about to work with and to write to. */
export interface InstallSurroundings {
  readonly archives: readonly Archive[];
  readonly delivery: ImageDelivery;
  /** Whether something may be begun and taken back, to see whether it can be done. */
  readonly mayTry: boolean;
  /** Undefined where no cluster is asked. */
  readonly facts: ClusterFacts | undefined;
  /** Folders that will be written to, and the bytes that this takes at most. */
  readonly folders: readonly { readonly path: string; readonly bytes: number }[];
}

/**
 * Finds what an install would fail by before anything is rendered. It changes nothing, and throws what nobody foresees.
 */
export type SurveyCheck = (surroundings: InstallSurroundings, flow: Flow) => Promise<readonly SolpackError[]>;

/** What an install is about to bring to a cluster. */
export interface Undertaking {
  readonly configuration: string;
  readonly cluster: ClusterTarget;
  readonly archives: readonly Archive[];
  /** What the archives are rendered to, in their order, with the images' own names. */
  readonly rendered: readonly RenderedSolution[];
  /** The same with the images as nodes pull them, as far as that is known before they are delivered. */
  readonly named: readonly RenderedSolution[];
}

/** The same for what is known once all is rendered. */
export type PreflightCheck = (undertaking: Undertaking, flow: Flow) => Promise<readonly SolpackError[]>;
