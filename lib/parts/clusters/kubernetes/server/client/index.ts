import type { Flow } from '../../../../../kernel/events/index.ts';
import type { HttpTiming } from '../../../../../kernel/http/index.ts';
import type { WatchingApi } from '../api.ts';
import { accessReviews } from './access-reviews.ts';
import { openApiSession } from './api-session.ts';
import { logCalls } from './container-log.ts';
import { openCredentials } from './credentials.ts';
import { createDiscoverer, readVersion } from './discovery.ts';
import { clusterError } from './failure.ts';
import { listObjects } from './list-objects.ts';
import { objectCalls } from './object-calls.ts';
import type { PodAccount } from './pod-account.ts';
import { whyNotReady } from './ready.ts';
import { askServices } from './service-proxy.ts';
import { warnings } from './warnings.ts';
import { watchObjects } from './watch-objects.ts';
import { whoAmI } from './who-am-i.ts';

export {
  /** Tells until when the certificates and the token are good that a kubeconfig holds or names. */
  kubeconfigTerms,
} from './certificates.ts';
export {
  /** Turns a refusal of a server into an error of the user's terms. */
  clusterError,
  /** Decides whether an object was refused because of an immutable field, so that it would have to be made again. */
  isImmutable,
} from './failure.ts';
export type {
  /** The account of the Pod that a process runs in (Kubernetes, "Accessing the Kubernetes API from a Pod"). */
  PodAccount,
} from './pod-account.ts';
export {
  /** Names a port of a Service as the path of the proxy does, and as a rule of RBAC has to. */
  proxiedName,
} from './service-proxy.ts';

/** Waiting times of the first contact, where an address may be wrong, and of everything after it. */
export interface Timings {
  readonly first: HttpTiming;
  readonly later: HttpTiming;
}

/**
 * The usual times. An API server may work for a minute before it answers, when it calls webhooks, and half a minute is
 * what one needs to restart. Where nobody listens at first, the address is rather wrong.
 */
const usual: Timings = {
  first: { connect: 5_000, idle: 10_000, total: 5_000, refused: 1_000, pause: 250, longest: 1_000 },
  later: { connect: 10_000, idle: 75_000, total: 30_000, pause: 250, longest: 4_000 },
};

/**
 * Connects to the cluster of the current context of a kubeconfig file, or to that of the Pod that this runs in. Throws
 * `file-missing`, `file-unreadable`, `kubeconfig-invalid`, `cluster-unreachable`, `cluster-unauthorized` or
 * `cluster-error`. What the server warns of later becomes notices of `flow`. `env` is the environment of programs that
 * print credentials.
 */
export async function connect(
  kubeconfig: string | PodAccount,
  flow: Flow,
  timings: Timings = usual,
  env: Readonly<Record<string, string>> = {},
): Promise<WatchingApi> {
  const credentials = await openCredentials(kubeconfig, flow.signal, env);
  const session = openApiSession(credentials, timings.later, warnings(flow.onEvent));
  const close = async (): Promise<void> => session.close();
  try {
    const version = await readVersion(session, flow.signal, timings.first);
    const discoverer = createDiscoverer(session, {
      version,
      // A group without a server is no reason to wait.
      timing: { ...timings.later, total: timings.later.pause },
      onEvent: flow.onEvent,
    });
    return {
      server: session.server,
      discover: discoverer.discover,
      ...objectCalls(session, discoverer),
      list: (resource, filter, signal) => listObjects(session, resource, filter, signal),
      watch: (resource, filter, on, signal) => watchObjects(session, resource, { filter, on }, signal),
      log: logCalls(session, timings.later),
      whoAmI: (signal) => whoAmI(session, signal),
      allows: accessReviews(session),
      askService: askServices(session, timings.later),
      whyNotReady: (signal) => whyNotReady(session, timings.first, signal),
      close,
    };
  } catch (error) {
    await close();
    throw clusterError(error, session.server);
  }
}
