import type { Generation } from './generation.ts';

/** A field of an object that is not as it was applied. Values of Secrets are `***`. */
export interface FieldDrift {
  /**
   * Names between dots; entries of a list by their name in brackets, where they have one, otherwise by their number.
   */
  readonly path: string;
  readonly wanted: unknown;
  /** Null where the field is gone. */
  readonly found: unknown;
  /** Who has set it; null where nobody has, because it is gone. */
  readonly manager: string | null;
  /** When its manager last changed something: a date and time of RFC 3339; null where nobody has set it. */
  readonly since: string | null;
}

/**
 * The state of something: as it was applied and ready; becoming so; not ready, for a cause that does not go away by
 * itself; or changed since it was applied. Later states are worse, except that degraded is worse than drifted.
 */
export type ObjectState = 'ready' | 'progressing' | 'drifted' | 'degraded';

/** An object of a generation, as it is now. */
export interface ObjectStatus {
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
  readonly state: ObjectState;
  /** In one line; undefined where it is ready. */
  readonly reason: string | undefined;
  /** The fields that differ from what was applied; none where the object itself is gone. */
  readonly drift: readonly FieldDrift[];
}

/** A Solution of a generation, as it is now. */
export interface SolutionStatus {
  readonly name: string;
  readonly version: string;
  /** `interrupted`: the run that was to bring it about has failed, or ended before it was done. */
  readonly state: ObjectState | 'interrupted';
  /** In one line; undefined where it is ready. */
  readonly reason: string | undefined;
  /** All of its objects, in the order of application. */
  readonly objects: readonly ObjectStatus[];
}

/** What there is of the newest generation of a configuration. */
export interface ConfigurationStatus {
  readonly generation: Generation;
  readonly solutions: readonly SolutionStatus[];
}

/** The result for an object that had drifted. */
export interface RepairedObject {
  /** `Kind/namespace/name`; the middle is empty outside of namespaces. */
  readonly object: string;
  readonly action: 'created' | 'changed' | 'replaced' | 'unchanged';
  /** Whose changes were overridden: those who had set fields, and those fields. */
  readonly overrode: readonly { readonly manager: string; readonly fields: readonly string[] }[];
  /** Fields that were put back which nobody had set any longer. */
  readonly restored: readonly string[];
}

/** What a repair did. */
export interface Repair {
  readonly generation: number;
  readonly repaired: readonly RepairedObject[];
  /** Objects that are not as they were applied even so. */
  readonly left: readonly ObjectStatus[];
}
