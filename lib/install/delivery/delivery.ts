import type { Digest } from '../../../formats/digest.ts';
import type { Reference } from '../../../formats/oci/reference.ts';
import type { Catalog } from '../../archives/catalog.ts';
import type { Archive } from '../../archives/open.ts';
import type { SolpackError } from '../../errors.ts';
import type { Flow } from '../../flow.ts';
import type { Json, Product, StepKind } from '../../plan/step.ts';
import type { RepositoryTarget } from '../../registries/repository-target.ts';
import type { ReadArchive } from '../archives.ts';
import type { Pushed } from './push/pushed.ts';

/** What it took to have the images of archives in a registry. */
export interface Delivered extends Pushed {
  /** URL of the registry that has them now. */
  readonly registry: string;
}

/** Given once a registry has the images. */
export const delivered: Product<Delivered> = { product: 'images in a registry' };

/** Given once a registry of the install itself serves: its URL. */
export const address: Product<string> = { product: 'address of a registry' };

/** What steps of a delivery are planned from, and run with. */
export interface DeliveryRead {
  readonly archives: readonly ReadArchive[];
}
export interface DeliveryMeans {
  readonly archives: readonly Archive[];
}

/** A kind of step that a delivery takes. */
export type DeliveryStep<Inputs extends Json = Json, Output = unknown> = StepKind<
  DeliveryRead,
  DeliveryMeans,
  Inputs,
  Output
>;

/** A way in which images get from archives to where nodes can pull them. */
export interface ImageDelivery {
  /** The steps that it takes, in their order; one of them gives `delivered`. */
  readonly steps: readonly DeliveryStep[];
  /** URL of its registry, where that is known before anything is done. */
  readonly url?: string;
  /**
   * Finds what it would fail by, and changes nothing: a registry that cannot be written, an address that is taken. Only where
   * it `mayTry` is an upload opened for that, and cancelled.
   */
  examine(what: DeliveryMeans & { readonly mayTry: boolean }, flow: Flow): Promise<readonly SolpackError[]>;
  /**
   * Where the registry at `url` has an image. Left out where that registry has no address that lasts: nodes pull by the
   * names that images have anyway.
   */
  targetOf?(url: string, reference: Reference): RepositoryTarget;
  /** The blobs of an archive that are hashed while they are delivered: nobody has to read them before. Left out: none. */
  hashedOnTheWay?(catalog: Catalog): ReadonlySet<Digest>;
  /** Whether its registry serves no longer than the install runs. */
  readonly endsWithInstall: boolean;
  /** What those have to know whose nodes pull from it. */
  readonly warning?: string;
}
