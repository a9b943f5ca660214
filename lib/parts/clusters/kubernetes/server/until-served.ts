import type { KubernetesObject } from '../../../../../formats/manifest/object.ts';
import { SolpackError } from '../../../../kernel/events/index.ts';
import { ApiError, type Discovery, type ObjectName, wordsOf } from './api.ts';
import { textAt } from './object-path.ts';
import { servedVersions } from './scope.ts';
import { type ApplySession, now, orRefusal, pause } from './session.ts';

/** An object whose kind has to be served, and the milliseconds that this may take. */
export interface Expected {
  readonly name: ObjectName;
  readonly timeout: number;
}

/**
 * Repeats discovery until the server serves the kinds of all objects: a definition is established before its kind is
 * served. Throws `object-not-ready` for an object whose kind takes too long.
 */
export async function untilServed(expected: readonly Expected[], session: ApplySession): Promise<void> {
  const { api, flow, timing } = session;
  const start = now();
  for (;;) {
    const discovery = await api.discover(flow.signal, true);
    const first = expected.find(({ name }) => discovery.find(name.apiVersion, name.kind) === undefined);
    if (first === undefined) return;
    if (now() >= start + first.timeout) {
      const { apiVersion, kind } = first.name;
      throw new SolpackError(
        'object-not-ready',
        wordsOf(first.name),
        `its kind is defined, but after ${Math.round(first.timeout / 1000)} s the API server does not serve ${kind} (${apiVersion}) yet`,
        { hint: 'run the same command again; if that does not help, read the log of the API server' },
      );
    }
    await pause(timing.poll, session);
  }
}

/** How often discovery is asked again, in milliseconds: what has not changed since costs a server nothing. */
const GLANCE = 200;

/**
 * Waits until the server serves all that these definitions define, but `milliseconds` at most. To read a definition
 * instead would keep a server that is at work on large ones from that. Returns those whose kinds are served: only what
 * is established is.
 */
export async function glanceAt(
  definitions: readonly KubernetesObject[],
  milliseconds: number,
  session: ApplySession,
): Promise<ReadonlySet<KubernetesObject>> {
  const { api, flow } = session;
  const end = now() + milliseconds;
  for (;;) {
    const left = end - now();
    if (left <= 0) return new Set();
    await pause(Math.min(GLANCE, left), session);
    const discovery = await orRefusal(() => api.discover(flow.signal, true), flow.signal);
    if (discovery instanceof ApiError) continue;
    const served = definitions.filter((definition) => isServed(definition, discovery));
    if (served.length === definitions.length || now() >= end) return new Set(served);
  }
}

/**
 * Decides whether each version is served that a definition has served: under its own name, because others may have the
 * kind.
 */
function isServed(definition: KubernetesObject, discovery: Discovery): boolean {
  const kind = textAt(definition, 'spec', 'names', 'kind');
  const plural = textAt(definition, 'spec', 'names', 'plural');
  return servedVersions(definition).every((version) => discovery.find(version, kind)?.plural === plural);
}
