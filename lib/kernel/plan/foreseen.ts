import type { InstallRight } from '../../../formats/manifest/install-rights.ts';
import type { SubjectRights } from '../../../formats/manifest/powers.ts';

/**
 * What will be done to a thing. `keep`: it is no longer wanted, and stays. `run`: a hook. `none`: the step changes
 * nothing.
 */
export const foreseenVerbs = [
  'create',
  'change',
  'replace',
  'remove',
  'keep',
  'run',
  'send',
  'tag',
  'remember',
  'none',
] as const;

/** A field that will have another value. */
export interface ForeseenChange {
  /** Names between dots, as `fieldDifferences` has it. */
  readonly path: string;
  /** Left out where the field is not there, and where its value may be secret. */
  readonly from?: unknown;
  readonly to?: unknown;
}

/** One thing that a step will do. */
export interface ForeseenAction {
  /** An object as `Kind/namespace/name` or `Kind/name`; a path, a reference. */
  readonly subject: string;
  readonly action: (typeof foreseenVerbs)[number];
  readonly changes: readonly ForeseenChange[];
  /** Why it is done, where that is not plain. */
  readonly reason?: string | undefined;
  readonly solution?: string | undefined;
  readonly component?: string | undefined;
  /** The event of a hook. */
  readonly event?: string | undefined;
  /** How many Pods start again because of it; left out where none has to. */
  readonly restarts?: number | undefined;
  /** How many bytes are moved. */
  readonly bytes?: number | undefined;
  /** The uid of the object that is there now. */
  readonly uid?: string | undefined;
  /** What of it decides too, and is not reported, because it may be secret. */
  readonly hidden?: unknown;
}

/** Bytes that are needed somewhere. */
export interface NeededRoom {
  /** A folder, or the URL of a registry. */
  readonly place: string;
  readonly needed: number;
  /** Free bytes of its disk; left out where nobody can know. */
  readonly free?: number | undefined;
}

/** What Solutions let others do, and what they need. */
export interface ForeseenRights {
  readonly subjects: readonly SubjectRights[];
  readonly needed: readonly InstallRight[];
}

/** What a step will do, found out without doing it. */
export interface Foreseen<Output = unknown> {
  /** What it will give, as far as later steps need it to foresee what they do. */
  readonly output: Output;
  /** In the order in which they are done. */
  readonly actions: readonly ForeseenAction[];
  /** How many things it will look at and leave as they are. Left out: none. */
  readonly unchanged?: number;
  readonly room?: readonly NeededRoom[];
  /** What accounts may do that objects of Solutions give rights to, and what is needed to bring these. */
  readonly rights?: ForeseenRights;
  /** What else it goes by that is known only now, such as the address of a server. */
  readonly basis?: string;
}
