import type { SnapshotPart } from '../../../snapshot.ts';
import { eventsAbout, readinessOf } from '../../health/index.ts';
import { type ApplySession, type LiveObject, listAt, numberAt, textAt } from '../../server/index.ts';
import { orReason } from './readable.ts';

/** Most Pods of a namespace whose logs are read, and lines of a log. */
const most = { pods: 30, lines: 500 } as const;

/**
 * Reads the Pods of a namespace that are not ready: as they are, with the events about them, and what their containers
 * printed.
 */
export async function* podParts(
  pods: readonly LiveObject[],
  events: readonly LiveObject[],
  blank: (line: string) => string,
  session: ApplySession,
): AsyncIterable<SnapshotPart> {
  const unready = pods.filter((pod) => readinessOf(pod).state !== 'ready');
  for (const [at, pod] of unready.entries()) {
    const folder = folderOf(pod);
    const { message } = readinessOf(pod);
    const value = { reason: message, pod, events: eventsAbout(events, pod.metadata.uid) };
    yield { path: `${folder}/pod`, value };
    if (at < most.pods) yield* logParts(pod, folder, blank, session);
    else
      yield {
        path: `${folder}/logs`,
        missing: `the bundle has the logs of ${most.pods} Pods of this namespace, which is the limit`,
      };
  }
}

/** Says of each Pod that is not ready that its logs are left out. */
export function* withheldLogs(pods: readonly LiveObject[], missing: string): Iterable<SnapshotPart> {
  for (const pod of pods) {
    if (readinessOf(pod).state !== 'ready') yield { path: `${folderOf(pod)}/logs`, missing };
  }
}

function folderOf({ metadata: { name, namespace } }: LiveObject): string {
  return `namespaces/${namespace ?? 'default'}/pods/${name}`;
}

async function* logParts(
  pod: LiveObject,
  folder: string,
  blank: (line: string) => string,
  { api, flow: { signal } }: ApplySession,
): AsyncIterable<SnapshotPart> {
  const place = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name };
  const lists = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'];
  for (const status of lists.flatMap((list) => listAt(pod, 'status', list))) {
    const container = textAt(status, 'name');
    const runs = (numberAt(status, 'restartCount') ?? 0) > 0 ? [false, true] : [false];
    for (const previous of runs) {
      const path = `${folder}/${container}${previous ? '.previous' : ''}`;
      const options = { previous, lines: most.lines, blank, orThrow: true as const };
      const log = await orReason(signal, () => api.log(place, container, options, signal));
      yield 'missing' in log ? { path, missing: log.missing } : { path, lines: log.value };
    }
  }
}
