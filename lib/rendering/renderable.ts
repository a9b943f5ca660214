import type { SolutionMetadata } from '../../formats/solution/metadata.ts';
import type { CatalogImage } from '../archives/catalog.ts';
import type { Flow } from '../flow.ts';

/** An image that a Solution brings along. */
export type HeldImage = Pick<CatalogImage, 'reference' | 'descriptor' | 'closure'>;

/** A Solution whose components can be rendered, whether an archive has it already or not. */
export interface Renderable {
  /** How messages name where it comes from. */
  readonly path: string;
  readonly metadata: SolutionMetadata;
  /** Digest of its root; undefined where there is none yet. */
  readonly root: string | undefined;
  readonly images: readonly HeldImage[];
  /** Writes the files of a component below `folder`, checked against their digests. */
  readonly unpack: (component: string, folder: string, flow: Flow) => Promise<void>;
}
