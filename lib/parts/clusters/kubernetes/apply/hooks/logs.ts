import type { PlannedHook } from '../../desired/index.ts';
import { ownedBy, selectorOf } from '../../health/index.ts';
import { ApiError, type ApplySession, type LiveObject, listAt, textAt } from '../../server/index.ts';

/** Most lines of a container that are reported. */
const LINES = 100;

/**
 * Reads what the containers of a hook's Job or Pod printed, Pod by Pod, the oldest first. Empty where nothing can be
 * read: a hook counts by how it ended, and not by its log.
 */
export async function logOf({ name }: PlannedHook, session: ApplySession): Promise<readonly string[]> {
  const { api, flow } = session;
  try {
    const live = await api.read(name, flow.signal);
    const lines: string[] = [];
    for (const pod of live === undefined ? [] : await podsOf(live, session)) {
      const place = { namespace: pod.metadata.namespace ?? 'default', name: pod.metadata.name };
      for (const container of [...listAt(pod, 'spec', 'initContainers'), ...listAt(pod, 'spec', 'containers')]) {
        lines.push(...(await api.log(place, textAt(container, 'name'), { lines: LINES }, flow.signal)));
      }
    }
    return lines;
  } catch (error) {
    flow.signal.throwIfAborted();
    if (error instanceof ApiError) return [];
    throw error;
  }
}

async function podsOf(live: LiveObject, { api, flow: { signal } }: ApplySession): Promise<readonly LiveObject[]> {
  if (live.kind !== 'Job') return live.kind === 'Pod' ? [live] : [];
  const resource = (await api.discover(signal)).find('v1', 'Pod');
  if (resource === undefined) return [];
  const { namespace = 'default' } = live.metadata;
  const labels = selectorOf(live);
  const pods = await api.list(resource, { namespace, ...(labels === '' ? {} : { labels }) }, signal);
  const created = (pod: LiveObject): string => pod.metadata.creationTimestamp ?? '';
  return pods.filter((pod) => ownedBy(pod, live)).sort((a, b) => (created(a) < created(b) ? -1 : 1));
}
