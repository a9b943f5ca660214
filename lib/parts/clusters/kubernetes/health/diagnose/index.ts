import { ifReadable, type KubernetesApi, type LiveObject, oneLine } from '../../server/index.ts';
import type { Cause } from './cause.ts';
import { warningsOf } from './events.ts';
import { gather } from './evidence.ts';
import { explain } from './explain.ts';

export {
  /** Names the kubectl command that shows an object, where nothing else is known. */
  lookAt,
} from './cause.ts';
export {
  /** Returns the events about the object with that uid, in their order. */
  eventsAbout,
  /** Sorts events by time, the newest last. */
  inOrder,
} from './events.ts';
export {
  /** Decides whether `owner` controls the object. */
  ownedBy,
  /** Returns a label selector for the Pods of a workload; '' where it names no labels. */
  selectorOf,
} from './owners.ts';

/** Why an object does not become ready, or is not removed. */
export interface Diagnosis {
  /** In one line, in the user's words. */
  readonly cause: string;
  /** The newest warnings about the object and its Pods, the newest last, each as `Reason: message (xN)`. */
  readonly events: readonly string[];
  /** What to do next, in one line. */
  readonly hint: string;
  /**
   * Whether that goes away by itself, as far as anybody can tell: what is to be done may just take its time. Left out:
   * false.
   */
  readonly isPassing?: true;
}

/** Most characters of a cause or a hint. */
const LINE = 300;
/** What a kubelet answers instead of a log that its runtime has removed. */
const lost = /^unable to retrieve container logs for \S+$/;
/** How many lines of a log are read, and how many are shown. */
const logLines = { read: 10, shown: 3 } as const;

/**
 * Finds out why `object`, as it was last read, is not ready: by its status, its Pods, the events about them, and what a
 * container last printed. Does without what the server does not let it read. Throws only the reason of an aborted
 * `signal`.
 */
export async function diagnose(api: KubernetesApi, object: LiveObject, signal: AbortSignal): Promise<Diagnosis> {
  const evidence = await gather(api, object, signal);
  const found = explain(evidence);
  const log = await lastWords(api, found, signal);
  return {
    cause: withLog(found.cause, log),
    events: warningsOf(evidence.events),
    hint: oneLine(found.hint, LINE),
    ...(found.isPassing ? { isPassing: true } : {}),
  };
}

/**
 * Reads the last lines of a container. It may have restarted since its Pod was read: they are then in the log of the
 * run before.
 */
async function lastWords(api: KubernetesApi, { log }: Cause, signal: AbortSignal): Promise<readonly string[]> {
  if (log === undefined) return [];
  const read = (previous: boolean): Promise<readonly string[]> => {
    const options = { previous, lines: logLines.read };
    return ifReadable(signal, [], () =>
      api.log({ namespace: log.namespace, name: log.pod }, log.container, options, signal),
    );
  };
  const lines = await read(log.previous);
  return lines.length > 0 || log.previous ? lines : read(true);
}

/** Joins a cause and the end of a log, whose beginning is cut where there is too little space. */
function withLog(cause: string, lines: readonly string[]): string {
  const said = lines.map((line) => oneLine(line)).filter((line) => line !== '' && !lost.test(line));
  const before = oneLine(cause, LINE);
  const words = said.slice(-logLines.shown).join(' | ');
  const lead = '; its log ends: ';
  const room = LINE - before.length - lead.length;
  if (words === '' || room < 20) return before;
  return `${before}${lead}${words.length <= room ? words : `…${words.slice(1 - room).replace(/^[\udc00-\udfff]/, '')}`}`;
}
