import type { KubernetesApi } from '../server/index.ts';

/** How long ago something was; a machine that sleeps, or a process that is halted, does not stop it. */
export interface Elapsed {
  /** Begins anew, as of `at`, which `moment` gave. */
  restart(at: Moment): void;
  /** Milliseconds since. */
  since(): number;
}

/** A moment on both clocks of a machine: one of them stands still while it sleeps, and the other one may be set. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** Returns this moment. */
export function moment(): Moment {
  return { monotonic: performance.now(), wall: Date.now() };
}

/** Begins to count the time. */
export function elapsedSince(begin: Moment): Elapsed {
  let from = begin;
  return {
    restart: (at) => {
      from = at;
    },
    since: () => Math.max(performance.now() - from.monotonic, Date.now() - from.wall),
  };
}

/**
 * Returns an API whose changes wait for `assure` where `isStale`: a run that was halted for longer than its Lease lasts
 * learns before its next change whether another one has taken over. Throws also what `assure` throws.
 */
export function fenced(
  api: KubernetesApi,
  isStale: () => boolean,
  assure: (signal: AbortSignal) => Promise<void>,
): KubernetesApi {
  const change = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    if (isStale()) await assure(signal);
    return work();
  };
  return {
    ...api,
    apply: (object, options, signal) =>
      options.dryRun ? api.apply(object, options, signal) : change(signal, () => api.apply(object, options, signal)),
    reassign: (live, fields, signal) => change(signal, () => api.reassign(live, fields, signal)),
    remove: (name, options, signal) => change(signal, () => api.remove(name, options, signal)),
  };
}
