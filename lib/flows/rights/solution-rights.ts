import type { InstallRight } from '../../../formats/manifest/install-rights.ts';
import type { SubjectRights } from '../../../formats/manifest/powers.ts';

/** What a Solution's accounts may do once it is installed, and the rights that solpack needs to install it. */
export interface SolutionRights {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** Who may do what, by the Solution's roles and bindings; what reaches furthest comes first. */
  readonly subjects: readonly SubjectRights[];
  /** What solpack has to be allowed. */
  readonly needed: readonly InstallRight[];
  /** Components whose rights are unknown, because they were not rendered. */
  readonly unknown: readonly UnknownComponent[];
}

/** A component whose objects are unknown, because it was not rendered. */
export interface UnknownComponent {
  readonly component: string;
  readonly reason: string;
}
