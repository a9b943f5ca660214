import { hostname } from 'node:os';
import { type Event, type Flow, lend } from '../../../../../kernel/events/index.ts';
import { ownRun } from '../../../../../kernel/machine/index.ts';
import { openBoard, type ProgressBoard, type ProgressPlace } from './board.ts';
import { after, begun, endBy, ended, type ProgressEnd, type RunProgress } from './document.ts';

/** Where a run reports its progress, and under which name. */
export interface ProgressReport extends ProgressPlace {
  /** What the run is called there; left out: its host and its process. */
  readonly runner?: string | undefined;
}

/** Milliseconds: between two writes; between two signs of life; what the last write may take. */
const times = { pause: 1_000, renewal: 10_000, last: 10_000 } as const;

/**
 * Does `work`, and reports its progress in a ConfigMap: at its beginning, then at most once a second, and at its end,
 * also if it was aborted. If a report fails, it is repeated later. Throws what `work` throws, and, before that begins,
 * `kubeconfig-invalid`, `cluster-unreachable`, `cluster-forbidden` if it cannot report at all.
 */
export async function reportProgress<T>(
  { runner = `${hostname()}/${ownRun()}`, ...place }: ProgressReport,
  flow: Flow,
  work: (flow: Flow) => Promise<T>,
): Promise<T> {
  const board = await openBoard(place, flow);
  return lend(board, () => reportOn(board, runner, flow, work));
}

/** Does the same on a board that is open. */
export async function reportOn<T>(
  board: ProgressBoard,
  runner: string,
  flow: Flow,
  work: (flow: Flow) => Promise<T>,
): Promise<T> {
  const closed = new AbortController();
  const teller = tellerOf(board, begun(runner, await board.read(flow.signal), stamp()), closed.signal);
  await teller.write(flow.signal);
  const timer = setInterval(() => void teller.tick(), times.pause);
  const onEvent = (event: Event): void => {
    teller.note(event);
    flow.onEvent(event);
  };
  try {
    const result = await work({ ...flow, onEvent });
    clearInterval(timer);
    await teller.end({ state: 'ready' }, flow);
    return result;
  } catch (error) {
    clearInterval(timer);
    const { aborted, reason } = flow.signal;
    await teller.end(endBy(aborted ? reason : error, aborted), flow);
    throw error;
  } finally {
    closed.abort();
  }
}

interface Teller {
  note(event: Event): void;
  write(signal: AbortSignal): Promise<void>;
  /** Writes where there is something new, or nothing was heard for a while, and no write is under way. */
  tick(): Promise<void>;
  /** Returns how it ended; a notice says where that was not possible. */
  end(end: ProgressEnd, flow: Flow): Promise<void>;
}

function tellerOf(board: ProgressBoard, first: RunProgress, signal: AbortSignal): Teller {
  let [progress, written] = [first, undefined as RunProgress | undefined];
  let last = 0;
  let writing: Promise<void> | undefined;
  const write = async (own: AbortSignal): Promise<void> => {
    const sent = progress;
    await board.write({ ...sent, renewed: stamp() }, own);
    written = sent;
    last = performance.now();
  };
  return {
    note: (event) => {
      progress = after(progress, event, stamp());
    },
    write,
    tick: async () => {
      if (writing !== undefined || (progress === written && performance.now() - last < times.renewal)) return;
      // What is not reported now is reported by the next tick, or at the end.
      writing = write(signal).catch(() => undefined);
      await writing;
      writing = undefined;
    },
    end: async (end, { onEvent }) => {
      progress = ended(progress, end, stamp());
      const limit = AbortSignal.any([signal, AbortSignal.timeout(times.last)]);
      await writing;
      await write(limit).catch((error: unknown) => {
        const message = `could not record how this ended: ${error instanceof Error ? error.message : String(error)}`;
        onEvent({ type: 'notice', subject: board.server, message });
      });
    },
  };
}

/** The time, as RFC 3339 has it. */
function stamp(): string {
  return new Date().toISOString();
}
