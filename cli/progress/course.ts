import type { Event } from '../../lib/index.ts';
import { isOver } from './moved.ts';
import { movingRate } from './rate.ts';
import type { ByteTransfer, CommandCourse, CourseComponent, StepAtWork } from './shown.ts';

/** The course of a command that continues. */
export interface NotedCourse extends CommandCourse {
  note(event: Event): void;
}

/** Begins the course of a command. `now` tells milliseconds. */
export function commandCourse(now: () => number): NotedCourse {
  const since = now();
  const transfers: ByteTransfer[] = [];
  const components = new Map<string, CourseComponent>();
  let work: StepAtWork | undefined;
  const last = (step: string): ByteTransfer | undefined => transfers.findLast((one) => one.step === step);
  const working = (step: string, subject?: string, place?: StepAtWork['place']): void => {
    const begun = work?.step === step ? work.since : now();
    work = { step, subject, place, since: begun };
  };
  const move = ({ step, done, total }: Extract<Event, { type: 'progress' }>): void => {
    if (work?.step !== step) working(step);
    const at = now();
    const before = last(step);
    const isNext = before === undefined || before.total !== total || (isOver(before) && done < total);
    const transfer = isNext ? begun(step, Math.max(before?.until ?? 0, work!.since), total) : before;
    if (isNext) transfers.push(transfer);
    transfer.done = done;
    transfer.until = at;
    transfer.rate.add(at, done);
  };
  const come = (event: Extract<Event, { type: 'component' }>): void => {
    const { solution, version, component, state, reason } = event;
    const key = JSON.stringify([solution, component]);
    const before = components.get(key);
    const isAtEnd = state === 'ready' || state === 'failed';
    components.set(key, {
      ...{ solution, version, component, state, reason, after: event.after ?? before?.after ?? [] },
      begun: state === 'pending' ? undefined : (before?.begun ?? now()),
      ended: isAtEnd ? (before?.ended ?? now()) : undefined,
    });
  };
  return {
    since,
    transfers,
    get work() {
      return work;
    },
    get moving() {
      const transfer = work && last(work.step);
      return transfer && !isOver(transfer) ? transfer : undefined;
    },
    get components() {
      return [...components.values()];
    },
    note: (event) => {
      if (event.type === 'step') {
        const { number, of } = event;
        working(event.step, event.subject, number === undefined || of === undefined ? undefined : { number, of });
      } else if (event.type === 'progress') move(event);
      else if (event.type === 'component') come(event);
    },
  };
}

function begun(step: string, since: number, total: number): ByteTransfer {
  return { step, since, rate: movingRate(since), done: 0, total, until: since };
}
