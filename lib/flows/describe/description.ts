import type { ListedPackage } from '../../../formats/cyclonedx/listed.ts';
import type { Digest } from '../../../formats/digest.ts';
import type { Inspection } from '../inspect/index.ts';
import type { SolutionRights } from '../rights/index.ts';

/** Some content of an image. */
export interface DescribedContent {
  readonly digest: Digest;
  /** Bytes. */
  readonly size: number;
}

/** An object that names an image. */
export interface DescribedUse {
  readonly component: string;
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
}

/** An image, with its contents and its users. */
export interface DescribedImage {
  readonly reference: string;
  /** Manifests, configs and layers, each once; other images may have the same. */
  readonly contents: readonly DescribedContent[];
  /** The objects that name it, as far as they are known. */
  readonly uses: readonly DescribedUse[];
}

/** Everything that an archive says about itself, for somebody who decides about it. */
export interface ArchiveDescription {
  readonly inspection: Inspection;
  /** In the order of `inspection.images`. */
  readonly images: readonly DescribedImage[];
  /**
   * The objects of each component that is known, as `Kind name` or `Kind namespace/name`, in the order of application.
   */
  readonly objects: readonly { readonly component: string; readonly objects: readonly string[] }[];
  readonly rights: SolutionRights;
  readonly packages: DescribedPackages;
}

/** A package in images of an archive. */
export interface DescribedPackage extends ListedPackage {
  /** References of the images that have it, or the Solution's name and version. */
  readonly images: readonly string[];
}

/** All packages that SBOMs of an archive list, each once for each version and license. */
export interface DescribedPackages {
  /** How many SBOMs there are. */
  readonly sboms: number;
  readonly packages: readonly DescribedPackage[];
}
