import type { Digest } from '../../../formats/digest.ts';
import type { StepKind } from '../../plan/step.ts';
import { renderableArchive } from '../../rendering/renderable-archive.ts';
import { checkSites } from '../../rendering/site-check.ts';
import { sitesDigest } from '../../solutions/sites/digest.ts';
import { archivesOf, rootsOf } from '../archives.ts';
import type { InstallMeans, InstallRead } from '../plan-types.ts';
import { checkedSites, verifiedArchive } from '../products.ts';

type Inputs = {
  readonly roots: readonly Digest[];
  /** What the site sets. */
  readonly sites: Digest;
};

/** Makes sure that the site sets what its Solutions let it set. Their archives are verified before their schemas are read. */
export const checkSitesStep: StepKind<
  Pick<InstallRead, 'archives' | 'configuration' | 'sites'>,
  Pick<InstallMeans, 'archives' | 'sites'>,
  Inputs,
  void
> = {
  kind: 'check-sites',
  takes: [verifiedArchive],
  gives: checkedSites,
  plan: ({ archives, configuration, sites }) => [
    { subject: configuration, inputs: { roots: rootsOf(archives), sites: sitesDigest(sites) } },
  ],
  run: ({ inputs: { roots } }, { means, flow }) =>
    checkSites(archivesOf(means.archives, roots).map(renderableArchive), means.sites, flow),
};
