import type { LiveObject } from '../api.ts';
import { numberAt, textAt } from '../readiness/fields.ts';
import { oneLine } from '../readiness/text.ts';
import { plainly } from './plain-words.ts';

/** Most events that a diagnosis has. */
const MOST = 3;

/** What a kubelet says of its own settings at every Pod. */
const noise = ['MissingClusterDNS', 'DNSConfigForming', 'CgroupV1'];

/** Events in order of time, the newest last. */
export function inOrder(events: readonly LiveObject[]): LiveObject[] {
  return [...events].sort((a, b) => timeOf(a) - timeOf(b));
}

/**
 * When an event was seen last, in milliseconds since 1970; 0 where it does not say. Events of both generations of the API
 * are read as core/v1, each with its own fields for that (events.k8s.io/v1, KEP-383).
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

/** Events about the object with that uid, in their order; about one container of it, if that is named. */
export function eventsAbout(events: readonly LiveObject[], uid: string, container?: string): LiveObject[] {
  return events.filter((event) => {
    if (textAt(event, 'involvedObject', 'uid') !== uid) return false;
    return container === undefined || textAt(event, 'involvedObject', 'fieldPath').endsWith(`{${container}}`);
  });
}

/**
 * The newest warnings among `events`, which are in order of time: at most three, the newest last, each as
 * `Reason: message (xN)`. What differs in names and numbers of chance alone is one event; what says no more than a reason
 * is left out where others say more, and so is what is over.
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

/** Whether a Pod found its node after the scheduler said that there was none. */
function isOver(event: LiveObject, events: readonly LiveObject[]): boolean {
  if (textAt(event, 'reason') !== 'FailedScheduling') return false;
  const about = eventsAbout(events, textAt(event, 'involvedObject', 'uid'));
  return about.some((one) => textAt(one, 'reason') === 'Scheduled');
}

/** Suffixes as the API server makes them for `generateName`, uids, and ports that a connection came from. */
function withoutChance(text: string): string {
  return text
    .replace(/:\d+->/g, ':*->')
    .replace(/-[bcdfghjklmnpqrstvwxz2456789]{5}(?![a-z0-9])/g, '-*')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '*');
}
