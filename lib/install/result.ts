import type { Archive } from '../archives/index.ts';
import type { AppliedSolution, ApplyResult } from '../clusters/index.ts';
import { reachable } from '../mirrors/index.ts';
import type { Given } from '../plan/step.ts';
import { type ReportedImage, reportImages } from '../rendering/reported-images.ts';
import { applied } from '../solutions/apply-step.ts';
import { delivered } from './delivery/delivery.ts';
import { mirrored, named, type VerifiedArchive, verifiedArchive } from './products.ts';
import { pullNames } from './pull-names.ts';
import type { InstalledSolution, InstallRequest, InstallResult } from './request.ts';

const nothing: ApplyResult = { solutions: [], removed: [] };

/** Puts together what an install did, from what its steps gave. */
export function resultOf(
  { all, one }: Given,
  archives: readonly Archive[],
  { trust, delivery, hostsDir }: InstallRequest,
): InstallResult {
  const images = one(delivered);
  const { solutions, removed, tests } = all(applied)[0] ?? nothing;
  const pullName = pullNames(delivery, reachable(images.registry), hostsDir !== undefined);
  const used = all(named)[0]?.used ?? [];
  const verdicts = new Map(all(verifiedArchive).map((verdict) => [verdict.root, verdict]));
  return {
    trust: wordOf(trust),
    ...images,
    solutions: archives.map((archive, index) =>
      installedOf(
        archive,
        verdicts.get(archive.catalog.root.digest)!,
        reportImages(used.filter((one) => one.archive === archive.path)),
        solutions[index],
      ),
    ),
    removed,
    images: archives
      .flatMap(({ catalog }) => catalog.images)
      .map(({ reference, descriptor }) => ({ reference, target: pullName(reference, descriptor.digest) })),
    mirrors: all(mirrored).flatMap(({ written }) => written),
    ...(tests === undefined ? {} : { tests }),
  };
}

function wordOf(trust: InstallRequest['trust']): InstallResult['trust'] {
  if (trust === 'skip') return 'skipped';
  return trust.basis.policy.version === undefined ? 'keys' : 'policy';
}

function installedOf(
  { path, catalog: { metadata, root } }: Archive,
  { signers, downgraded }: VerifiedArchive,
  images: readonly ReportedImage[],
  brought: AppliedSolution | undefined,
): InstalledSolution {
  return {
    name: metadata.name,
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
