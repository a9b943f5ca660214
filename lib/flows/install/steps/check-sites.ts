import type { Digest } from '../../../../formats/digest.ts';
import type { StepKind } from '../../../kernel/plan/index.ts';
import { checkSites, placedArchives, placedRenderable, toRender } from '../../../shared/rendering/index.ts';
import type { Placement } from '../../../shared/solutions/sets/index.ts';
import { sitesDigest } from '../../../shared/solutions/sites/index.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { checkedSites, verifiedArchive } from '../products.ts';

type Inputs = {
  readonly placements: readonly Placement[];
  /** What the site sets. */
  readonly sites: Digest;
};

/**
 * Makes sure that the site sets what its Solutions let it set. Their archives are verified before their schemas are
 * read.
 */
export const checkSitesStep: StepKind<
  Pick<InstallRead, 'placements' | 'configuration' | 'sites'>,
  Pick<InstallMeans, 'archives' | 'sites'>,
  Inputs,
  void
> = {
  kind: 'check-sites',
  takes: [verifiedArchive],
  gives: checkedSites,
  plan: ({ placements, configuration, sites }) => [
    { subject: configuration, inputs: { placements, sites: sitesDigest(sites) } },
  ],
  run: ({ inputs: { placements } }, { means, flow }) =>
    checkSites(toRender(placedArchives(placements, means.archives)).map(placedRenderable), means.sites, flow),
};
