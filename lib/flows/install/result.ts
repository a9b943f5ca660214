import { type Redact, redactedData } from '../../kernel/events/index.ts';
import type { Given } from '../../kernel/plan/index.ts';
import type { Archive } from '../../parts/archives/index.ts';
import type { AppliedSolution, ApplyResult } from '../../parts/clusters/index.ts';
import { reachable } from '../../parts/mirrors/index.ts';
import {
  type PlacedArchive,
  placedArchives,
  type ReportedImage,
  reportImages,
  type SiteChanges,
} from '../../shared/rendering/index.ts';
import { applied } from '../../shared/solutions/clusters/index.ts';
import { placedName } from '../../shared/solutions/sets/index.ts';
import { solutionSiteDigest } from '../../shared/solutions/sites/index.ts';
import { delivered } from './delivery/index.ts';
import type { InstallMeans } from './plan-types.ts';
import { mirrored, named, rendered, type VerifiedArchive, verifiedArchive } from './products.ts';
import { pullNames } from './pull-names.ts';
import type { InstalledSite, InstalledSolution, InstallRequest, InstallResult } from './request.ts';

const nothing: ApplyResult = { solutions: [], removed: [] };

/** Puts together what an install did, from what its steps gave. */
export function resultOf(
  { all, one }: Given,
  {
    archives,
    placements,
    sites,
    downgraded,
    nodeVariables: variables,
  }: Pick<InstallMeans, 'archives' | 'placements' | 'sites' | 'downgraded' | 'nodeVariables'>,
  { trust, delivery, hostsDir }: InstallRequest,
  redact: Redact,
): InstallResult {
  const images = one(delivered);
  const { solutions, removed, tests, generation, exposed } = all(applied)[0] ?? nothing;
  const pullName = pullNames(delivery, reachable(images.registry), hostsDir !== undefined);
  const used = all(named)[0]?.used ?? [];
  const changes = all(rendered).flatMap((one) => one.sites);
  const verdicts = new Map(all(verifiedArchive).map((verdict) => [verdict.root, verdict]));
  return {
    trust: wordOf(trust),
    ...images,
    solutions: inAppliedOrder(placedArchives(placements, archives), solutions).map(({ archive, placement }) => {
      const { metadata } = archive.catalog;
      const name = placedName(placement, metadata.name);
      const digest = solutionSiteDigest(sites, name);
      const reported = reportImages(used.filter((one) => one.solution === name));
      const brought = solutions.find((one) => one.name === name);
      const verdict = verdicts.get(archive.catalog.root.digest)!;
      const isLower = verdict.downgraded || downgraded.includes(name);
      const judged = { ...verdict, name, downgraded: isLower };
      const installed = installedOf(archive, judged, reported, brought);
      if (digest === undefined) return installed;
      const site = siteIn(digest, changes, installed.name);
      return { ...installed, objects: redactedData(installed.objects, redact), site: redactedData(site, redact) };
    }),
    removed,
    images: archives
      .flatMap(({ catalog }) => catalog.images)
      .map(({ reference, descriptor }) => ({ reference, target: pullName(reference, descriptor.digest) })),
    variables,
    mirrors: all(mirrored).flatMap(({ written }) => written),
    ...(tests === undefined ? {} : { tests: redactedData(tests, redact) }),
    ...(generation === undefined ? {} : { generation }),
    ...(exposed === undefined ? {} : { exposed: redactedData(exposed, redact) }),
  };
}

/** What was placed, in the order in which it was applied. */
function inAppliedOrder(placed: readonly PlacedArchive[], solutions: readonly AppliedSolution[]): PlacedArchive[] {
  const at = ({ archive, placement }: PlacedArchive): number =>
    solutions.findIndex(({ name }) => name === placedName(placement, archive.catalog.metadata.name));
  return placed.toSorted((a, b) => at(a) - at(b));
}

function siteIn(digest: InstalledSite['digest'], changes: readonly SiteChanges[], name: string): InstalledSite {
  const own = changes.filter(({ solution }) => solution === name);
  return { digest, components: own.map(({ solution: _, ...one }) => one) };
}

function wordOf(trust: InstallRequest['trust']): InstallResult['trust'] {
  if (trust === 'skip') return 'skipped';
  return trust.basis.policy.version === undefined ? 'keys' : 'policy';
}

function installedOf(
  { path, catalog: { metadata, root } }: Archive,
  { name, signers, downgraded }: VerifiedArchive & { readonly name: string },
  images: readonly ReportedImage[],
  brought: AppliedSolution | undefined,
): InstalledSolution {
  return {
    name,
    version: metadata.version,
    archive: path,
    root: root.digest,
    signers,
    downgraded,
    applied: brought?.files ?? [],
    images,
    objects: brought?.objects ?? [],
  };
}
