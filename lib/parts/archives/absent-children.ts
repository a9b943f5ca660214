import type { Digest } from '../../../formats/digest.ts';
import { platformName } from '../../../formats/oci/descriptor.ts';
import type { CatalogImage } from './catalog.ts';

/** A child of an image's index that its author left out of the archive. */
export interface AbsentChild {
  readonly digest: Digest;
  /** `os/architecture[/variant]`; `unknown/unknown` is an attestation of one that is left out as well. */
  readonly platform: string;
}

/** What the index of an image names that the archive does not hold, as its root declares. */
export function absentOf({ closure }: CatalogImage): AbsentChild[] {
  return closure.absent.map(({ digest, platform }) => ({
    digest,
    platform: platform ? platformName(platform) : 'unknown/unknown',
  }));
}
