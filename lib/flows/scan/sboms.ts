import type { Digest } from '../../../formats/digest.ts';
import { isSbomType, predicateTypes } from '../../../formats/in-toto/predicate.ts';
import { platformName } from '../../../formats/oci/descriptor.ts';
import type { Catalog, CatalogAttestation, CatalogImage } from '../../parts/archives/index.ts';
import { runnableManifests } from '../../shared/solutions/attestations/index.ts';

/** What an SBOM may be about: an image, or its manifest for one platform. */
export interface ScanSubject {
  readonly reference: string;
  /** `os/architecture[/variant]`, where the manifest is for one that its index names. */
  readonly platform?: string;
  readonly digest: Digest;
}

/** An image for one platform, with the SBOM of it. */
export interface SubjectWithSbom extends ScanSubject {
  readonly image: CatalogImage;
  readonly sbom: CatalogAttestation;
}

/** The SBOMs of an archive by what they are about, and what has none. */
export interface SubjectSboms {
  readonly known: readonly SubjectWithSbom[];
  readonly unknown: readonly ScanSubject[];
}

/**
 * Chooses one SBOM for each manifest that can run, CycloneDX before SPDX. Images that share a manifest share it, and it
 * is listed once. An SBOM of an index counts for all manifests that have none of their own.
 */
export function subjectSboms({ images, attestations }: Catalog): SubjectSboms {
  const sboms = attestations.filter(({ predicateType }) => isSbomType(predicateType));
  const of = (digest: Digest): CatalogAttestation | undefined => {
    const about = sboms.filter(({ subject }) => subject === digest);
    return about.find(({ predicateType }) => predicateType.startsWith(predicateTypes.cyclonedx)) ?? about[0];
  };
  const known = new Map<Digest, SubjectWithSbom>();
  const unknown = new Map<Digest, ScanSubject>();
  for (const image of images) {
    const { reference, descriptor } = image;
    const whole = of(descriptor.digest);
    for (const digest of runnableManifests(image)) {
      const sbom = of(digest);
      const one = { reference, ...platformIn(image, digest), digest };
      if (sbom) known.set(digest, { ...one, image, sbom });
      else if (whole) known.set(descriptor.digest, { reference, digest: descriptor.digest, image, sbom: whole });
      else unknown.set(digest, one);
    }
  }
  return { known: [...known.values()], unknown: [...unknown.values()] };
}

function platformIn({ closure }: CatalogImage, digest: Digest): { readonly platform?: string } {
  const children = closure.manifests.flatMap(({ value }) => (value.kind === 'index' ? value.manifests : []));
  const platform = children.find((child) => child.digest === digest)?.platform;
  return platform === undefined ? {} : { platform: platformName(platform) };
}
