import type { Event } from '../../lib/index.ts';
import { plain } from '../io.ts';
import { printLines, readable } from '../lines.ts';
import type { DrawingFactory } from './drawing.ts';
import { isOver } from './moved.ts';
import type { ByteTransfer, CommandCourse, CourseComponent, StepAtWork } from './shown.ts';
import { timeWords, wholeTime } from './times.ts';
import { placeWords, shareOf, transferWords, workWords } from './words.ts';

/**
 * Milliseconds: between lines about what continues; from when on a transfer is reported at all; between two lines about
 * it.
 */
const times = { silence: 10_000, first: 1_000, apart: 1_000 } as const;

/** How many components that are waited for are reported at once. */
const NAMED = 5;

/**
 * Shows a course as lines that stay: each step, of bytes each tenth, and every ten seconds what continues. It is for
 * logs, pipes and screen readers.
 */
export const linesDrawing: DrawingFactory = (sink, { now }) => {
  let last = now();
  let step = '';
  let reported: { readonly transfer: ByteTransfer; readonly tenth: number; readonly at: number } | undefined;
  const print = (lines: readonly string[]): void => {
    last = now();
    printLines(sink, readable(lines, sink));
  };
  const move = ({ transfers }: CommandCourse, step: string): void => {
    const transfer = transfers.findLast((one) => one.step === step)!;
    const tenth = Math.floor(10 * shareOf(transfer));
    const before = reported?.transfer === transfer ? reported : { tenth: 0, at: transfer.since };
    const isOften = now() - before.at < times.apart && !isOver(transfer);
    if (tenth <= before.tenth || isOften || now() - transfer.since < times.first) return;
    reported = { transfer, tenth, at: now() };
    print([transferLine(transfer, now())]);
  };
  return {
    // What ends before a line about the time is due says nothing of it: so a log is the same on a busy machine.
    timedFrom: times.silence,
    event: (event, course) => {
      if (event.type === 'notice') last = now();
      else if (event.type === 'step') {
        const line = stepLine(course.work!);
        // What takes long is reported once more by who does it.
        if (line !== step) print([line]);
        step = line;
      } else if (event.type === 'progress') move(course, event.step);
      else if (event.type === 'component' && (event.state === 'ready' || event.state === 'failed')) {
        print([endWords(event, course)]);
      }
    },
    tick: (course) => {
      if (now() - last >= times.silence) print(meanwhile(course, now()));
    },
    clear: () => {
      last = now();
    },
  };
};

function stepLine(work: StepAtWork): string {
  const place = placeWords(work);
  return place === '' ? workWords(work) : `${workWords(work)} (${place})`;
}

function transferLine(transfer: ByteTransfer, now: number): string {
  const after = `after ${wholeTime(now - transfer.since)}`;
  return `${plain(transfer.step.padEnd(8))} ${transferWords(transfer, now)}  ${after}`;
}

function endWords({ state, ...event }: Extract<Event, { type: 'component' }>, { components }: CommandCourse): string {
  const { solution, version, component } = event;
  const own = components.find((one) => one.solution === solution && one.component === component);
  const took = own?.begun === undefined || own.ended === undefined ? '' : ` after ${timeWords(own.ended - own.begun)}`;
  return plain(`${state.padEnd(8)} ${solution} ${version}, ${component}${took}`);
}

/** Says what continues where nothing has been reported for a while. */
function meanwhile({ since, work, moving, components }: CommandCourse, now: number): string[] {
  const sofar = `after ${wholeTime(now - since)}`;
  if (moving) return [transferLine(moving, now)];
  const open = components.filter(({ begun, ended }) => begun !== undefined && ended === undefined);
  if (open.length === 0) return work === undefined ? [] : [`${stepLine(work)}  ${sofar}`];
  const ready = components.filter(({ state }) => state === 'ready').length;
  return [
    `wait     ${ready} of ${components.length} components are ready  ${sofar}`,
    ...open.slice(0, NAMED).map((one) => openWords(one, now)),
    ...(open.length > NAMED ? [`wait     and ${open.length - NAMED} more components`] : []),
  ];
}

function openWords({ solution, component, state, reason, begun }: CourseComponent, now: number): string {
  const long = wholeTime(now - begun!);
  return plain(`wait     ${solution}, ${component}: ${reason ?? `is ${state}`}  after ${long}`);
}
