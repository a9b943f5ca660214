import type { MovingRate } from './rate.ts';

/** How far a component has come. */
export type ShownState = 'pending' | 'applying' | 'waiting' | 'ready' | 'failed';

/** What is at work. */
export interface StepAtWork {
  readonly step: string;
  readonly subject: string | undefined;
  /** Which of how many subjects it is; undefined where nobody has counted them. */
  readonly place: { readonly number: number; readonly of: number } | undefined;
  /** Since when this step is at work, whatever its subjects were. */
  readonly since: number;
}

/** Bytes that a step has moved, or moves. */
export interface ByteTransfer {
  readonly step: string;
  readonly since: number;
  readonly rate: MovingRate;
  done: number;
  total: number;
  /** When bytes were moved last. */
  until: number;
}

/** A component, as far as it has come. */
export interface CourseComponent {
  readonly solution: string;
  readonly version: string;
  readonly component: string;
  /** Components of the same Solution that have to be ready before. */
  readonly after: readonly string[];
  readonly state: ShownState;
  readonly reason: string | undefined;
  /** Since when it is applied, or was; undefined where it is not its turn yet. */
  readonly begun: number | undefined;
  readonly ended: number | undefined;
}

/** What events have reported about a command, with the times at which they did. */
export interface CommandCourse {
  /** When it began. */
  readonly since: number;
  readonly work: StepAtWork | undefined;
  /** In the order in which they began. */
  readonly transfers: readonly ByteTransfer[];
  /** The transfer of the step that is at work, where it is not at its end. */
  readonly moving: ByteTransfer | undefined;
  readonly components: readonly CourseComponent[];
}
