import type { KubernetesObject } from '../../../formats/manifest/object.ts';

/** What a cluster has of a Solution before another version of it is brought up. */
export interface PreviousVersion {
  /** The version that is there. */
  readonly version: string;
  /** The objects of the Solution as they are now, without Secrets. */
  readonly objects: readonly KubernetesObject[];
  /** Custom resources of the kinds that the Solution defines, which somebody else has made. */
  readonly customResources: readonly KubernetesObject[];
}

/** Reads that; undefined where no other version is there. */
export type ReadPreviousVersion = () => Promise<PreviousVersion | undefined>;
