import type { Digest } from '../../../../../formats/digest.ts';

/** A tag of a registry that named another manifest before. */
export interface MovedTag {
  /** `HOST[:PORT]/REPOSITORY:TAG`. */
  readonly tag: string;
  readonly from: Digest;
  readonly to: Digest;
}

/** What a push took. */
export interface Pushed {
  /** Contents that were moved, and those that the registry had. */
  readonly moved: number;
  readonly movedBytes: number;
  readonly present: number;
  readonly movedTags: readonly MovedTag[];
}
