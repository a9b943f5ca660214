import type { AppliedObject } from '../../../kind.ts';
import type { PlannedComponent } from '../../desired/index.ts';

/** The hooks of one Solution, while it is brought up. */
export interface HookRuns {
  /** Decides whether what is there of a component has to stay as it is until hooks have run. */
  isHeld(component: string): boolean;
  /** Runs the hooks that come before the objects of a component. */
  before(component: PlannedComponent): Promise<AppliedObject[]>;
  /** Decides whether hooks come after the objects of a component, once these are ready. */
  hasAfter(component: PlannedComponent): boolean;
  /** Runs them. */
  after(component: PlannedComponent): Promise<AppliedObject[]>;
  /** Remembers that all components are what they were to become. */
  finish(): Promise<void>;
}

/** The hooks of components that are removed. */
export interface LeavingHooks {
  /** Runs those that come before anything is removed. */
  before(): Promise<void>;
  /** Runs those that come behind, removes what all of them have made, and forgets them. */
  after(): Promise<void>;
  /** What has run for a Solution. */
  ranFor(solution: string): readonly AppliedObject[];
}
