import type { KubernetesObject } from '../../../../formats/manifest/object.ts';
import type { Metalk8sSolution } from '../../../../formats/metalk8s/solution.ts';
import type { Descriptor } from '../../../../formats/oci/descriptor.ts';
import type { TreeEntry } from '../../../../formats/tree.ts';

/** An image that lies in `images/<name>/<tag>/` as `skopeo copy dir:` writes it. */
export interface MediumImage {
  readonly name: string;
  readonly tag: string;
  readonly descriptor: Descriptor;
}

/** A folder of a medium that holds no image, though one should be there, and why. */
export interface UnusableImage {
  readonly path: string;
  readonly message: string;
}

/** The images of a medium, and the files that are content of them. */
export interface FoundImages {
  readonly images: readonly MediumImage[];
  readonly unusable: readonly UnusableImage[];
  /**
   * Files below `images/` by the digits that they are named by: contents of images. Of several, which may differ, each
   * image has its own first.
   */
  readonly contents: ReadonlyMap<string, readonly TreeEntry[]>;
}

/** A file of a medium that was read whole. */
export interface ReadEntry {
  /** In the medium. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What a medium for MetalK8s holds. */
export interface Metalk8sMedium extends FoundImages {
  readonly solution: Metalk8sSolution;
  /** The files that say what it is: `manifest.yaml`, or `product.txt` and its like. */
  readonly descriptions: readonly ReadEntry[];
  /** The files of CustomResourceDefinitions that MetalK8s applies. */
  readonly crds: readonly ReadEntry[];
  readonly roles: readonly KubernetesObject[];
  /** Paths of files that MetalK8s may use, and an install from here does not. */
  readonly unused: readonly string[];
}
