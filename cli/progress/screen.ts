import { plain } from '../io.ts';
import { inAscii, printLines } from '../lines.ts';
import type { Style } from '../view/style.ts';
import { columnsOf, cutTo } from '../view/wrap.ts';
import { componentRows } from './component-rows.ts';
import type { DrawingFactory } from './drawing.ts';
import { movedBy } from './moved.ts';
import type { ByteTransfer, CommandCourse } from './shown.ts';
import { wholeTime } from './times.ts';
import { movedWords, placeWords, shareOf, transferWords, workWords } from './words.ts';

/** How large a terminal is, and whether it shows characters of ASCII alone. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  readonly isAscii: boolean;
}

/**
 * Columns of a gauge at most, and what it is left out below; columns before it, as the words of steps take them; and of
 * its words.
 */
const gauge = { most: 24, least: 6, before: 9, words: 50 } as const;

/** Columns that are taken at least. */
const NARROWEST = 10;

/** Steps of which the components tell more. */
const componentSteps: readonly string[] = ['apply', 'wait'];

/**
 * Draws a course: what is at work with the time so far, of bytes how far they are, and of components each with its
 * state. It fits the terminal, and leaves its last column and its last row free.
 */
export function screenOf(course: CommandCourse, now: number, size: ScreenSize, style: Style): string[] {
  const { since, work, moving, transfers, components } = course;
  if (work === undefined && components.length === 0) return [];
  const width = Math.max(NARROWEST, size.columns - 1);
  const place = work === undefined ? '' : placeWords(work);
  const time = wholeTime(now - since);
  const ready = components.filter(({ state }) => state === 'ready').length;
  const counted = `apply    ${ready} of ${components.length} components are ready`;
  const showsComponents = components.length > 0 && (work === undefined || componentSteps.includes(work.step));
  const past = movedBy(transfers.filter((one) => one !== moving));
  const head = [
    showsComponents
      ? apart(counted, time, width, size, style)
      : apart(workWords(work!), place === '' ? time : `${place}  ${time}`, width, size, style),
    ...(moving ? [gaugeRow(moving, now, width, size)] : []),
    ...(components.length > 0 && past.length > 0
      ? [cut(`so far   ${plain(past.map(movedWords).join(', '))}`, width, size)]
      : []),
  ];
  const room = { columns: width, rows: Math.max(1, size.rows - 1 - head.length), isAscii: size.isAscii };
  return [...head, ...(components.length === 0 ? [] : componentRows(components, now, room, style))];
}

/** Puts words at both ends of a row. */
function apart(left: string, right: string, width: number, size: ScreenSize, style: Style): string {
  const shown = cut(left, width - right.length - 2, size);
  return `${shown}${' '.repeat(width - right.length - columnsOf(shown))}${style.dim(right)}`;
}

/** Draws how far a transfer is. A narrow terminal has no gauge, and less words. */
function gaugeRow(transfer: ByteTransfer, now: number, width: number, size: ScreenSize): string {
  const words = transferWords(transfer, now, width - gauge.before);
  // What is said becomes longer and shorter: the gauge keeps its size as long as that has room.
  const room = Math.min(gauge.most, width - gauge.before - Math.max(gauge.words, words.length + 1));
  const [full, empty] = size.isAscii ? ['#', '-'] : ['█', '░'];
  const filled = Math.round(shareOf(transfer) * room);
  const drawn = room < gauge.least ? '' : `${full!.repeat(filled)}${empty!.repeat(room - filled)} `;
  return cut(`${' '.repeat(gauge.before)}${drawn}${words}`, width, size);
}

/** Cuts a row, and marks that as the terminal can. */
function cut(row: string, columns: number, { isAscii }: Pick<ScreenSize, 'isAscii'>): string {
  return isAscii ? cutTo(inAscii(row), columns, '...') : cutTo(row, columns);
}

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
    timedFrom: 1_000,
    event: (event, course) => {
      // What is reported often is drawn as often as eyes follow; the clock draws the last of it.
      const isFleeting = event.type === 'progress' || event.type === 'step';
      if (!isFleeting || now() - last >= FRAME) show(course);
    },
    tick: show,
    clear: (course) => {
      // How far each component has come says more than the error alone.
      if (course && course.components.length > 0 && sink.isTTY) {
        printLines(sink, rows({ ...course, work: undefined, moving: undefined }));
      } else sink.status([]);
    },
  };
};
