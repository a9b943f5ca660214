import type { Digest } from '../../../../formats/digest.ts';
import type { Reference } from '../../../../formats/oci/reference.ts';
import type { ClusterFacts } from '../../../kernel/content/index.ts';
import type { Flow, SolpackError } from '../../../kernel/events/index.ts';
import type { Json, Product, StepKind } from '../../../kernel/plan/index.ts';
import type { Archive, Catalog } from '../../../parts/archives/index.ts';
import type { ClusterTarget } from '../../../parts/clusters/index.ts';
import type { NodePlace } from '../../../parts/node-images/index.ts';
import type { RepositoryTarget } from '../../../parts/registries/index.ts';
import type { ReadArchive } from '../archives.ts';
import type { Pushed } from './push/index.ts';

/** What it took to have the images of archives in a registry. */
export interface Delivered extends Pushed {
  /** URL of the registry that has them now, or the place of this machine: its kind, a colon, a path. */
  readonly registry: string;
}

/** Given once a registry has the images. */
export const delivered: Product<Delivered> = { product: 'images in a registry' };

/** Given once a registry of the install itself serves: its URL. */
export const address: Product<string> = { product: 'address of a registry' };

/** What steps of a delivery are planned from, and run with. */
export interface DeliveryRead {
  readonly archives: readonly ReadArchive[];
  /** Name of the configuration. */
  readonly configuration: string;
}
export interface DeliveryMeans {
  readonly archives: readonly Archive[];
  /** Undefined where nothing is applied. */
  readonly cluster: ClusterTarget | undefined;
  /** Undefined where no cluster is asked. */
  readonly facts: ClusterFacts | undefined;
  readonly keepGenerations?: number | undefined;
  /** Whether this install writes archives into the configuration, which a `solpack serve` may follow. */
  readonly imports?: boolean | undefined;
}

/** A kind of step that a delivery takes. */
export type DeliveryStep<Inputs extends Json = Json, Output = unknown> = StepKind<
  DeliveryRead,
  DeliveryMeans,
  Inputs,
  Output
>;

/** What is to be delivered, and whether something may be begun and taken back to see whether it can be. */
export type ExaminedDelivery = Pick<DeliveryMeans, 'archives'> & { readonly mayTry: boolean };

/** A way in which images get from archives to where nodes can pull them. */
export interface ImageDelivery {
  /** The steps that it takes, in their order; one of them gives `delivered`. */
  readonly steps: readonly DeliveryStep[];
  /** What is done once everything is ready. Left out: nothing. */
  readonly afterwards?: readonly DeliveryStep[];
  /** Where on this machine the images are, where they are in such a place. */
  readonly place?: NodePlace;
  /** The Solution whose images alone are in that place. Left out: those of all. */
  readonly placeOf?: string;
  /** URL of its registry, where that is known before anything is done. */
  readonly url?: string;
  /**
   * Finds what it would fail by, and changes nothing: a registry that cannot be written, an address that is taken. Only
   * where it `mayTry` is an upload opened for that, and cancelled.
   */
  examine(what: ExaminedDelivery, flow: Flow): Promise<readonly SolpackError[]>;
  /**
   * Where the registry at `url` has an image. Left out where that registry has no address that lasts: nodes pull by the
   * names that images have anyway.
   */
  targetOf?(url: string, reference: Reference): RepositoryTarget;
  /**
   * The blobs of an archive that are hashed while they are delivered: nobody has to read them before. Left out: none.
   */
  hashedOnTheWay?(catalog: Catalog): ReadonlySet<Digest>;
  /** Whether its registry serves no longer than the install runs. */
  readonly endsWithInstall: boolean;
  /** What those have to know whose nodes pull from it. */
  readonly warning?: string;
}
