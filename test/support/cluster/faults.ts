import { ApiError, type KubernetesApi, nameOf, wordsOf } from '../../../lib/parts/clusters/kubernetes/server/api.ts';

/**
 * What goes wrong with a call: the server never hears of it; it does what is asked, but the answer is lost; the same,
 * and the client asks once more, and is answered; nobody answers until the caller stops waiting; or the server answers
 * with an error, and does nothing.
 */
export type Mishap = 'unheard' | 'unanswered' | 'repeated' | 'hanging' | ApiError;

/** A call of an API server. */
export interface Call {
  /** Its number, from 1. */
  readonly count: number;
  readonly verb: 'discover' | 'read' | 'list' | 'apply' | 'try' | 'reassign' | 'remove' | 'log';
  /** `Kind namespace/name`, or what else it is about. */
  readonly subject: string;
}

/** An API server whose calls go wrong where `mishapOf` says so. */
export function disturbed(api: KubernetesApi, mishapOf: (call: Call) => Mishap | undefined): KubernetesApi {
  let count = 0;
  const call = async <T>(
    verb: Call['verb'],
    subject: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> => {
    count += 1;
    const mishap = mishapOf({ count, verb, subject });
    if (mishap === undefined) return work();
    if (mishap instanceof ApiError) throw mishap;
    if (mishap === 'hanging') return until(signal);
    if (mishap === 'unanswered') await work();
    if (mishap === 'repeated') {
      const first = await work();
      const second = await work();
      // What the first attempt has deleted is not there to be deleted again, which clients take into account.
      return verb === 'remove' ? first : second;
    }
    signal.throwIfAborted();
    throw cut(verb, subject);
  };
  return {
    server: api.server,
    discover: (signal, fresh) => call('discover', '/apis', signal, () => api.discover(signal, fresh)),
    read: (name, signal) => call('read', wordsOf(name), signal, () => api.read(name, signal)),
    list: (resource, filter, signal) => call('list', resource.plural, signal, () => api.list(resource, filter, signal)),
    apply: (object, options, signal) => {
      const verb = options.dryRun ? 'try' : 'apply';
      return call(verb, wordsOf(nameOf(object)), signal, () => api.apply(object, options, signal));
    },
    replace: (object, signal) => call('apply', wordsOf(nameOf(object)), signal, () => api.replace(object, signal)),
    reassign: (live, managedFields, signal) =>
      call('reassign', wordsOf(nameOf(live)), signal, () => api.reassign(live, managedFields, signal)),
    remove: (name, options, signal) => call('remove', wordsOf(name), signal, () => api.remove(name, options, signal)),
    whoAmI: (signal) => call('read', 'SelfSubjectReview', signal, () => api.whoAmI(signal)),
    allows: api.allows,
    askService: api.askService,
    whyNotReady: api.whyNotReady,
    log: (pod, container, options, signal) =>
      call('log', wordsOf({ kind: 'Pod', ...pod }), signal, () => api.log(pod, container, options, signal)),
    close: () => api.close(),
  };
}

/** The error that a client throws whose connection was cut while it waited for the answer. */
function cut(verb: string, subject: string): ApiError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new ApiError({ verb, subject }, { status: 0 }, cause.message, { cause });
}

function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
