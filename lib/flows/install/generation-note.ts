import { hostname } from 'node:os';
import { parseReference } from '../../../formats/oci/reference.ts';
import { redactor } from '../../kernel/events/index.ts';
import type { Work } from '../../kernel/plan/index.ts';
import type { Catalog } from '../../parts/archives/index.ts';
import type { GenerationImage, GenerationNote, GenerationRelease } from '../../parts/clusters/index.ts';
import { reachable } from '../../parts/mirrors/index.ts';
import { type ForeignImage, placedArchives, type Rendered } from '../../shared/rendering/index.ts';
import { fulfilledTypes } from '../../shared/solutions/attestations/index.ts';
import { placedName } from '../../shared/solutions/sets/index.ts';
import { siteSecrets } from '../../shared/solutions/sites/index.ts';
import { delivered, type ImageDelivery } from './delivery/index.ts';
import type { GenerationMeans } from './generation-means.ts';
import { verifiedArchive } from './products.ts';
import { GENERATIONS } from './remembered-generations.ts';

/**
 * Returns what an install has the cluster remember of it: whose archives, what a policy judges them by, with which
 * images, and where these are.
 */
export function generationNote(
  { solutions, missing, kept }: Pick<Rendered, 'solutions' | 'missing' | 'kept'>,
  { means, all, one }: Pick<Work<GenerationMeans>, 'means' | 'all' | 'one'>,
): GenerationNote {
  const { archives, placements, delivery, sites, configurationDigest, resolution } = means;
  const { keepGenerations = GENERATIONS } = means;
  const signers = new Map(all(verifiedArchive).map((verdict) => [verdict.root, verdict.signers]));
  const url = reachable(one(delivered).registry);
  return {
    cause: 'install',
    configuration: configurationDigest,
    solutions: placedArchives(placements, archives).map(({ archive: { path, catalog }, placement }) => {
      const { version } = catalog.metadata;
      const name = placedName(placement, catalog.metadata.name);
      const root = catalog.root.digest;
      const site = solutions.find((solution) => solution.name === name)?.site;
      return {
        name,
        version,
        root,
        site,
        signers: signers.get(root) ?? [],
        archive: path,
        images: imagesOf(catalog, delivery, url),
        release: releaseOf(
          catalog,
          [...missing, ...kept].filter((one) => one.archive === path),
        ),
      };
    }),
    resolution,
    keep: keepGenerations,
    redact: redactor(siteSecrets(sites)),
  };
}

/** Returns what a policy judges an archive by, whose objects name images that it does not hold. */
function releaseOf(catalog: Catalog, others: readonly Pick<ForeignImage, 'image'>[]): GenerationRelease {
  const { sequence, created, expires, components } = catalog.metadata;
  return {
    ...(sequence === undefined ? {} : { sequence }),
    created,
    ...(expires === undefined ? {} : { expires }),
    predicates: fulfilledTypes(catalog),
    components: components.map(({ name, kind }) => ({ name, kind })),
    otherImages: [...new Set(others.map(({ image }) => image))],
  };
}

function imagesOf(
  { images, metadata }: Catalog,
  { targetOf, place, placeOf = metadata.name }: ImageDelivery,
  url: string,
): GenerationImage[] {
  const on = place && placeOf === metadata.name && { on: { host: hostname(), ...place } };
  return images.map(({ reference, descriptor: { digest } }) => {
    if (targetOf === undefined) return { reference, digest, ...on };
    const { scheme, registry, repository } = targetOf(url, parseReference(reference));
    return { reference, digest, at: { scheme, registry, repository }, ...on };
  });
}
