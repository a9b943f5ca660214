import { type LiveObject, numberAt, oneLine, textAt } from '../../server/index.ts';
import { plainly } from './plain-words.ts';

/** Most events of a diagnosis. */
const MOST = 3;

/** Reasons of events in which a kubelet complains about its own settings, at every Pod. */
const noise = ['MissingClusterDNS', 'DNSConfigForming', 'CgroupV1'];

/** Sorts events by time, the newest last. */
export function inOrder(events: readonly LiveObject[]): LiveObject[] {
  return [...events].sort((a, b) => timeOf(a) - timeOf(b));
}

/**
 * Returns when an event was last seen, in milliseconds since 1970; 0 where it does not say. Events of both generations
 * of the API are read as core/v1, but each generation has its own fields for the time (events.k8s.io/v1, KEP-383).
 */
export function timeOf(event: LiveObject): number {
  const written =
    textAt(event, 'series', 'lastObservedTime') ||
    textAt(event, 'lastTimestamp') ||
    textAt(event, 'eventTime') ||
    textAt(event, 'firstTimestamp') ||
    textAt(event, 'metadata', 'creationTimestamp');
  return Date.parse(written) || 0;
}

/**
 * Returns the events about the object with that uid, in their order; where `container` is given, those about that
 * container.
 */
export function eventsAbout(events: readonly LiveObject[], uid: string, container?: string): LiveObject[] {
  return events.filter((event) => {
    if (textAt(event, 'involvedObject', 'uid') !== uid) return false;
    return container === undefined || textAt(event, 'involvedObject', 'fieldPath').endsWith(`{${container}}`);
  });
}

/**
 * Returns the newest warnings among `events`, which are sorted by time: at most three, the newest last, each as
 * `Reason: message (xN)`. Events that differ only in random names and numbers count as one. Events that say no more
 * than a reason are left out where others say more, and so are those that no longer hold.
 */
export function warningsOf(events: readonly LiveObject[]): string[] {
  const found = new Map<string, { readonly text: string; readonly times: number }>();
  const warnings = events.filter((one) => textAt(one, 'type') === 'Warning' && !noise.includes(textAt(one, 'reason')));
  const lasting = warnings.filter((event) => !isOver(event, events));
  const telling = lasting.filter((event) => !/^Error: [A-Z][A-Za-z]+$/.test(textAt(event, 'message')));
  for (const event of telling.length > 0 ? telling : lasting) {
    const text = `${textAt(event, 'reason') || 'Unknown'}: ${plainly(textAt(event, 'message'))}`;
    const key = withoutChance(text);
    const times = Math.max(1, numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1);
    const before = found.get(key)?.times ?? 0;
    found.delete(key);
    found.set(key, { text, times: before + times });
  }
  return [...found.values()].slice(-MOST).map(({ text, times }) => {
    const suffix = times === 1 ? '' : ` (x${times})`;
    return `${oneLine(text, 200 - suffix.length)}${suffix}`;
  });
}

/** Decides whether a Pod found its node after the scheduler said that there was none. */
function isOver(event: LiveObject, events: readonly LiveObject[]): boolean {
  if (textAt(event, 'reason') !== 'FailedScheduling') return false;
  const about = eventsAbout(events, textAt(event, 'involvedObject', 'uid'));
  return about.some((one) => textAt(one, 'reason') === 'Scheduled');
}

/** Removes what is random: suffixes that the API server makes for `generateName`, uids, and ports of connections. */
function withoutChance(text: string): string {
  return text
    .replace(/:\d+->/g, ':*->')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g, '-*')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*');
}
