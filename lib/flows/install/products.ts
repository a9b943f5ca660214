import type { Digest } from '../../../formats/digest.ts';
import type { Bounds } from '../../../formats/trust/bounds.ts';
import type { SolpackError } from '../../kernel/events/index.ts';
import type { Product } from '../../kernel/plan/index.ts';
import type { MirrorResult } from '../../parts/mirrors/index.ts';
import type { Rendered } from '../../shared/rendering/index.ts';

/** What is known of an archive that may be installed. */
export interface VerifiedArchive {
  readonly root: Digest;
  /** Ids of the keys whose signatures count. */
  readonly signers: readonly string[];
  /** Whether a newer release was installed before. */
  readonly downgraded: boolean;
  /** How far it may go; undefined where nothing limits it. */
  readonly bounds: Bounds | undefined;
}

/** Given once an archive was verified, and is trusted as far as that is asked for. */
export const verifiedArchive: Product<VerifiedArchive> = { product: 'verified archive' };

/** Given once what the site sets is what its Solutions let it set. */
export const checkedSites: Product<void> = { product: 'checked sites' };

/** What was found before anything was rendered. */
export interface Surveyed {
  readonly faults: readonly SolpackError[];
}

/** Given once it was looked at what an install works with. */
export const surveyed: Product<Surveyed> = { product: 'surveyed surroundings' };

/** Given once nothing known is in the way: from then on something is changed. */
export const cleared: Product<void> = { product: 'clearance' };

/** Given once nodes pull from where the images are. */
export const mirrored: Product<MirrorResult> = { product: 'mirrors' };

/** Given once the images of what is rendered are named as nodes pull them. */
export const named: Product<Rendered> = { product: 'rendered Solutions with the names of their images' };

/** Given once every component is rendered, and no Solution goes beyond its bounds by that. */
export const rendered: Product<Rendered> = { product: 'rendered Solutions' };
