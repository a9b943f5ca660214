import type { Event } from '../../lib/index.ts';
import type { ProgressView } from '../command-session.ts';
import { plain, type Sink } from '../io.ts';
import { printLines, readable } from '../lines.ts';
import type { Clock } from './clock.ts';
import { commandCourse, type NotedCourse } from './course.ts';
import type { Drawing, DrawingFactory } from './drawing.ts';
import { movedBy } from './moved.ts';
import type { CommandCourse } from './shown.ts';
import { timeWords } from './times.ts';
import { movedWords } from './words.ts';

/** Shows nothing. */
export const noDrawing: DrawingFactory = () => {
  return { event: () => undefined, tick: () => undefined, clear: () => undefined };
};

/** Milliseconds between two looks at the clock. */
const TICK = 1_000;

/** Shows events by a drawing, and between them that time passes. */
export function shownBy(drawing: Drawing, sink: Sink, clock: Clock): ProgressView {
  let course: NotedCourse | undefined = commandCourse(clock.now);
  let isShown = false;
  let isStopped = false;
  let endures = false;
  let ticking: (() => void) | undefined;
  const rest = (): void => {
    ticking?.();
    ticking = undefined;
  };
  const anew = (): void => {
    rest();
    course = undefined;
    isShown = false;
  };
  return {
    onEvent: (event) => {
      if (isStopped) return;
      course ??= commandCourse(clock.now);
      const own = course;
      own.note(event);
      if (event.type === 'notice') printLines(sink, readable([noticeWords(event)], sink));
      else isShown = true;
      drawing.event(event, own);
      if (isShown && !endures) ticking ??= clock.every(TICK, () => course && drawing.tick(course));
    },
    hide: () => drawing.clear(),
    pause: () => {
      drawing.clear();
      anew();
    },
    end: () => {
      drawing.clear();
      const { timedFrom = Number.POSITIVE_INFINITY } = drawing;
      if (isShown && course && !endures && clock.now() - course.since >= timedFrom) {
        printLines(sink, readable([doneWords(course, clock.now())], sink));
      }
      anew();
    },
    stop: () => {
      drawing.clear(isShown ? course : undefined);
      isStopped = true;
      rest();
    },
    endure: () => {
      endures = true;
      rest();
    },
  };
}

function noticeWords({ subject, message }: Extract<Event, { type: 'notice' }>): string {
  return `note: ${plain(subject === undefined ? message : `${subject}: ${message}`)}`;
}

/** Says how long a course took, and what was moved meanwhile. */
export function doneWords({ since, transfers }: CommandCourse, now: number): string {
  const moved = movedBy(transfers).map(movedWords);
  return plain(`done     in ${timeWords(now - since)}${moved.length === 0 ? '' : `: ${moved.join(', ')}`}`);
}
