import { printLines } from '../lines.ts';
import type { DrawingFactory } from './drawing.ts';
import { screenOf } from './screen.ts';
import type { CommandCourse } from './shown.ts';

/** Milliseconds between two drawings of bytes. */
const FRAME = 200;

/** Shows a course as lines on a terminal that are rewritten in place. */
export const barDrawing: DrawingFactory = (sink, { now }, style) => {
  let last = Number.NEGATIVE_INFINITY;
  const rows = (course: CommandCourse): string[] => {
    const { columns, rows: height, isAscii } = sink;
    return screenOf(course, now(), { columns, rows: height, isAscii }, style);
  };
  const show = (course: CommandCourse): void => {
    last = now();
    sink.status(rows(course));
  };
  return {
    isTimed: true,
    event: (event, course) => {
      // What is told of often is drawn as often as eyes follow; the clock draws the last of it.
      const isFleeting = event.type === 'progress' || event.type === 'step';
      if (!isFleeting || now() - last >= FRAME) show(course);
    },
    tick: show,
    clear: (course) => {
      // How far each component has come says more than the error alone.
      if (course && course.components.length > 0 && sink.isTTY) printLines(sink, rows(course));
      else sink.status([]);
    },
  };
};
