import type { Digest } from '../../formats/digest.ts';
import type { SiteInputs } from '../solutions/sites/inputs.ts';
import type { DeliveryMeans, ImageDelivery } from './delivery/delivery.ts';

/** What an install knows that is recorded of it. */
export interface GenerationMeans extends DeliveryMeans {
  readonly delivery: ImageDelivery;
  readonly sites: readonly SiteInputs[];
  /** Of the bytes of the SolutionsConfiguration. */
  readonly configurationDigest: Digest;
  readonly keepGenerations?: number | undefined;
}
