import type { Event } from '../../lib/index.ts';
import type { Sink } from '../io.ts';
import type { Style } from '../view/style.ts';
import type { Clock } from './clock.ts';
import type { CommandCourse } from './shown.ts';

/** How a style shows a course. */
export interface Drawing {
  /** From how many milliseconds on it is reported in the end how long all took; left out: never. */
  readonly timedFrom?: number;
  /** Shows what has just been noted. */
  event(event: Event, course: CommandCourse): void;
  /** Shows that time has passed. */
  tick(course: CommandCourse): void;
  /** Removes what must not stay; `course` is given where a failure follows, and nothing will be shown any longer. */
  clear(course?: CommandCourse): void;
}

/** Makes a drawing on a sink. */
export type DrawingFactory = (sink: Sink, clock: Clock, style: Style) => Drawing;
