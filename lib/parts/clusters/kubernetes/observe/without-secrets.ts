import { type Redact, redactor } from '../../../../kernel/events/index.ts';
import {
  fieldAt,
  ifReadable,
  type KubernetesApi,
  type LiveObject,
  listAt,
  secretNames,
  secretTexts,
  textAt,
} from '../server/index.ts';

/** Events that repeat what a program printed: the output of a probe, or of a hook of a container. */
const repeating: ReadonlySet<string> = new Set(['Unhealthy', 'FailedPostStartHook', 'FailedPreStopHook']);

/**
 * Returns an API in whose answers nobody finds a Secret that a program has printed: in logs, in what a container said
 * when it ended, and in events that repeat such words. Blanked is what `known` has, and what the Secrets hold that the
 * Pod has by its spec, as far as these may be read. All else is left as it is: a name is no secret because a Secret
 * holds it too.
 */
export function withoutSecrets(api: KubernetesApi, known: readonly string[]): KubernetesApi {
  const blanks = blanksFor(api, known);
  const blanked = async (object: LiveObject, signal: AbortSignal): Promise<LiveObject> => {
    if (object.kind === 'Event' && repeating.has(textAt(object, 'reason'))) {
      const about = fieldAt(object, 'involvedObject');
      const place = { namespace: textAt(about, 'namespace'), name: textAt(about, 'name') };
      const blank = await blanks.named(place, signal);
      return { ...object, message: blank(textAt(object, 'message')) };
    }
    return object.kind === 'Pod' && saysSomething(object) ? quiet(object, await blanks.of(object, signal)) : object;
  };
  return {
    ...api,
    read: async (name, signal) => {
      const live = await api.read(name, signal);
      return live && blanked(live, signal);
    },
    list: async (resource, filter, signal) =>
      Promise.all((await api.list(resource, filter, signal)).map((one) => blanked(one, signal))),
    apply: async (object, options, signal) => blanked(await api.apply(object, options, signal), signal),
    log: async (place, container, options, signal) =>
      api.log(place, container, { ...options, blank: await blanks.named(place, signal) }, signal),
  };
}

/** What blanks the Secrets of a Pod, which is there or is named. */
interface Blanks {
  of(pod: LiveObject, signal: AbortSignal): Promise<Redact>;
  named(place: { readonly namespace: string; readonly name: string }, signal: AbortSignal): Promise<Redact>;
}

/** Reads each Secret once. */
function blanksFor(api: KubernetesApi, known: readonly string[]): Blanks {
  const read = new Map<string, Promise<readonly string[]>>();
  const textsOf = (namespace: string, name: string, signal: AbortSignal): Promise<readonly string[]> => {
    const key = `${namespace}/${name}`;
    const wanted = { apiVersion: 'v1', kind: 'Secret', name, namespace };
    const texts =
      read.get(key) ??
      ifReadable(signal, undefined, () => api.read(wanted, signal)).then((found) => (found ? secretTexts(found) : []));
    read.set(key, texts);
    return texts;
  };
  const of: Blanks['of'] = async (pod, signal) => {
    const namespace = pod.metadata.namespace ?? 'default';
    const own = await Promise.all(secretNames(pod).map((name) => textsOf(namespace, name, signal)));
    return redactor([...known, ...own.flat()]);
  };
  return {
    of,
    named: async (place, signal) => {
      const wanted = { apiVersion: 'v1', kind: 'Pod', ...place };
      const pod = await ifReadable(signal, undefined, () => api.read(wanted, signal));
      return pod === undefined ? redactor(known) : of(pod, signal);
    },
  };
}

const statuses = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses'] as const;
const runs = ['state', 'lastState'] as const;

/** Decides whether a container of a Pod has left words behind. */
function saysSomething(pod: LiveObject): boolean {
  return statuses.some((list) =>
    listAt(pod, 'status', list).some((one) => runs.some((run) => textAt(one, run, 'terminated', 'message') !== '')),
  );
}

/** Blanks the words that containers of a Pod have left behind. */
function quiet(pod: LiveObject, blank: Redact): LiveObject {
  const ended = (one: unknown, run: (typeof runs)[number]): object => {
    const terminated = fieldAt(one, run, 'terminated');
    const message = textAt(terminated, 'message');
    return message === '' ? {} : { [run]: { terminated: { ...(terminated as object), message: blank(message) } } };
  };
  const lists = statuses.map((list) => {
    const own = listAt(pod, 'status', list);
    const changed = own.map((one) => ({ ...(one as object), ...ended(one, 'state'), ...ended(one, 'lastState') }));
    return own.length === 0 ? {} : { [list]: changed };
  });
  return { ...pod, status: Object.assign({}, pod['status'], ...lists) as unknown };
}
