import type { Digest } from '../../../formats/digest.ts';
import type { GenerationResolution } from '../../parts/clusters/index.ts';
import type { Placement } from '../../shared/solutions/sets/index.ts';
import type { SiteInputs } from '../../shared/solutions/sites/index.ts';
import type { DeliveryMeans, ImageDelivery } from './delivery/index.ts';

/** What an install knows that is recorded of it. */
export interface GenerationMeans extends DeliveryMeans {
  readonly delivery: ImageDelivery;
  readonly sites: readonly SiteInputs[];
  /** What of the archives is brought where. */
  readonly placements: readonly Placement[];
  /** Of the bytes of the SolutionsConfiguration; undefined where it is on the way to that only. */
  readonly configurationDigest: Digest | undefined;
  /** Why the archives are these. */
  readonly resolution: GenerationResolution;
  readonly keepGenerations?: number | undefined;
}
