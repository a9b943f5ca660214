import type { Digest } from '../../../../formats/digest.ts';
import type { StepKind } from '../../../kernel/plan/step.ts';
import { placedArchives, placedRenderable, toRender } from '../../../shared/rendering/placed.ts';
import { checkSites } from '../../../shared/rendering/site-check.ts';
import type { Placement } from '../../../shared/solutions/sets/placements.ts';
import { sitesDigest } from '../../../shared/solutions/sites/digest.ts';
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
