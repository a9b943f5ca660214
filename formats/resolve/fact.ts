import type { Release } from '../solution/relations.ts';
import type { Barrier } from './upgrade-way.ts';

/** Versions of one Solution that say the same. */
export interface Speakers {
  readonly name: string;
  /** The highest first. */
  readonly releases: readonly Release[];
}

/** A name with a range. */
export interface Ask {
  readonly name: string;
  readonly range: string;
}

/** Something that a world is given with, and that a set may fail by. */
export type Fact =
  | { readonly kind: 'wanted'; readonly name: string; readonly wanted: string }
  | { readonly kind: 'barred'; readonly name: string }
  /** That the environments of a Solution share its highest version. */
  | { readonly kind: 'shared'; readonly name: string }
  | {
      readonly kind: 'requires';
      readonly who: Speakers;
      /** One of them has to be there. */
      readonly asks: readonly Ask[];
    }
  | { readonly kind: 'conflicts'; readonly who: Speakers; readonly ask: Ask; readonly other: Speakers }
  | { readonly kind: 'replaces'; readonly who: Speakers; readonly ask: Ask; readonly other: Speakers }
  | { readonly kind: 'exclusive'; readonly who: Speakers; readonly capability: string; readonly other: Speakers }
  /** That the cluster has a version that these may not be installed over. */
  | ({ readonly kind: 'upgrade'; readonly who: Speakers } & Barrier)
  /** That these are lower than what the cluster has, and nobody asks for that. */
  | { readonly kind: 'lower'; readonly who: Speakers; readonly present: string }
  | { readonly kind: 'kubernetes'; readonly who: Speakers; readonly range: string; readonly version: string };
