import { groupOf } from '../../../../../../formats/manifest/namespace.ts';
import {
  isObjectProbe,
  type ObjectProbe,
  probeSubject,
  type ReadyProbe,
} from '../../../../../../formats/solution/ready-probe.ts';
import type { PlannedObject } from '../../desired/index.ts';
import {
  ApiError,
  type ApplySession,
  fieldAt,
  type LiveObject,
  nameOf,
  orRefusal,
  type Resource,
  wordsOf,
} from '../../server/index.ts';
import type { Readiness } from '../readiness/index.ts';
import { askEndpoint } from './endpoint.ts';
import type { JudgeProbe } from './judge.ts';

/** How many objects one probe looks at. */
const LOOKED = 200;

/** What there is of what a probe asks about. */
export interface Probed {
  readonly probe: ReadyProbe;
  /** `Kind namespace/name`: the object that is not ready, otherwise what the probe asks about. */
  readonly subject: string;
  readonly state: Readiness['state'];
  /** Not ready, it names the expression and the values that it found. */
  readonly message: string;
  /** The object that is not ready; undefined where none is there. */
  readonly live: LiveObject | undefined;
  /** What the server said where it did not let anybody look. */
  readonly refusal?: ApiError;
}

/**
 * Looks whether all objects that a probe asks about are as it says, and whether there is one at all; or whether its
 * endpoint answers.
 */
export async function lookByProbe(probe: ReadyProbe, judge: JudgeProbe, session: ApplySession): Promise<Probed> {
  const probedAs = (message: string, state: Readiness['state'] = 'waiting'): Probed => {
    return { probe, subject: probeSubject(probe), state, message, live: undefined };
  };
  if (!isObjectProbe(probe)) {
    const { state, message, refusal } = await askEndpoint(probe, session);
    return { ...probedAs(message, state), ...(refusal === undefined ? {} : { refusal }) };
  }
  const resource = await served(probe, session);
  if (resource === undefined) return probedAs(`${probe.kind} (${probe.apiVersion}) is not served yet`);
  const here = { ...probe, namespace: resource.namespaced ? probe.namespace : undefined };
  const { signal } = session.flow;
  const seen = await orRefusal(() => find(here, resource, session), signal);
  if (seen instanceof ApiError) return { ...probedAs(`cannot be read: ${seen.message}`), refusal: seen };
  if (seen.length === 0) return { ...probedAs('does not exist yet'), subject: probeSubject(here) };
  if (seen.length > LOOKED) return probedAs(`there are more than ${LOOKED} of them, which is too many to check`);
  for (const live of seen) {
    const { state, message } = judge(here, live);
    if (state !== 'ready') return { probe, subject: wordsOf(nameOf(live)), state, message, live };
  }
  return { ...probedAs('', 'ready'), subject: probeSubject(here) };
}

/**
 * Decides whether a probe asks about an object that a component brings: then it says when that is ready, and nothing
 * else does.
 */
export function isProbed(planned: Pick<PlannedObject, 'name' | 'object'>, probes: readonly ReadyProbe[]): boolean {
  const { name, object } = planned;
  const labels = object.metadata['labels'] ?? {};
  return probes.some(
    (probe) =>
      isObjectProbe(probe) &&
      probe.kind === name.kind &&
      groupOf(probe) === groupOf(name) &&
      (name.namespace === undefined || probe.namespace === name.namespace) &&
      (probe.name === undefined || probe.name === name.name) &&
      Object.entries(probe.selector ?? {}).every(([key, value]) => fieldAt(labels, key) === value),
  );
}

async function served(
  { apiVersion, kind }: ObjectProbe,
  { api, flow: { signal } }: ApplySession,
): Promise<Resource | undefined> {
  // What a component's operator defines may have come since.
  return (
    (await api.discover(signal)).find(apiVersion, kind) ?? (await api.discover(signal, true)).find(apiVersion, kind)
  );
}

async function find(
  { apiVersion, kind, name, selector = {}, namespace }: ObjectProbe,
  resource: Resource,
  { api, flow: { signal } }: ApplySession,
): Promise<readonly LiveObject[]> {
  if (name !== undefined) {
    const live = await api.read({ apiVersion, kind, name, namespace }, signal);
    return live === undefined ? [] : [live];
  }
  const labels = Object.entries(selector).map(([key, value]) => `${key}=${value}`);
  const all = await api.list(resource, { labels: labels.join(','), ...(namespace ? { namespace } : {}) }, signal);
  return all.map((live) => ({ ...live, apiVersion, kind }));
}
