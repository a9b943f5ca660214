import type { ClusterFacts, LookupLimit } from '../../../../../kernel/content/index.ts';
import { SolpackError } from '../../../../../kernel/events/index.ts';
import { ApiError, type Discovery, type KubernetesApi, type ObjectName, type Resource, wordsOf } from '../api.ts';
import { groupList, resourceList, type ServedVersion, shownVersions } from './served.ts';

/** An answer of the server that charts look objects up at: JSON of some type. */
export interface LookupAnswer {
  readonly status: number;
  readonly type: string;
  readonly value: unknown;
}

/** What was looked up in a cluster, and what came of it: the same for all who ask, for as long as an install takes. */
export interface LookupMemory {
  readonly found: Map<string, Promise<LookupAnswer>>;
}

/** An API server as charts see it. */
export interface LookupView {
  readonly api: KubernetesApi;
  readonly discovery: Discovery;
  /** What it is said to be like. */
  readonly facts: ClusterFacts;
  readonly memory: LookupMemory;
  readonly signal: AbortSignal;
  /** What may be looked up; left out: whatever the user may read. */
  readonly limit?: LookupLimit | undefined;
  /** Gets what the server does not answer: what was asked for, and why. */
  readonly onRefusal: (subject: string, error: unknown) => void;
}

const HINT =
  'allow the namespace in the policy, or have the chart look up only what is in its own: "solpack docs trust" tells more';
const JSON_TYPE = 'application/json';
const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Answers a GET request as an API server does that serves discovery and objects, and nothing else (Kubernetes API
 * concepts, "Resource URIs"). What is read of the cluster is read once.
 */
export async function answerLookup(path: string, view: LookupView): Promise<LookupAnswer> {
  const { discovery, facts } = view;
  const segments = path.split('/').slice(1).map(decoded);
  const [root, ...rest] = segments;
  if (path === '/version') return ok({ major: '1', minor: '', gitVersion: facts.version ?? discovery.version });
  const served = shownVersions(discovery, facts);
  if (path === '/api' || path === '/apis') return ok(groupList(served, path === '/api'), AGGREGATED);
  if (root !== 'api' && root !== 'apis') return absent(path);
  const [group, version, ...place] = root === 'api' ? ['', ...rest] : rest;
  const one = served.find((entry) => entry.group === group && entry.version === version);
  if (one === undefined) return absent(path);
  return place.length === 0 ? ok(resourceList(one)) : answerObjects(place, one, view);
}

/** Answers for `[namespaces/NAMESPACE/]PLURAL[/NAME]` of a group and version. */
async function answerObjects(place: readonly string[], served: ServedVersion, view: LookupView): Promise<LookupAnswer> {
  const isWithin = place[0] === 'namespaces' && place.length > 2;
  const [plural, name, ...more] = isWithin ? place.slice(2) : place;
  const resource = served.resources.find((one) => one.plural === plural);
  const isNowhere = resource?.namespaced === true && name !== undefined && !isWithin;
  if (resource === undefined || isNowhere || more.length > 0) return absent(place.join('/'));
  const refusal = refusalOf(resource, isWithin ? place[1] : undefined, name, view);
  if (refusal !== undefined) return refusal;
  const key = [served.group, served.version, ...place].join('/');
  const { found } = view.memory;
  const known = found.get(key) ?? lookedUp(resource, isWithin ? place[1] : undefined, name, view);
  found.set(key, known);
  return known;
}

/**
 * Refuses what the limit of the view does, before anything is asked for, or takes it from what others have looked up.
 */
function refusalOf(
  { group, kind, plural, namespaced }: Resource,
  namespace: string | undefined,
  name: string | undefined,
  { limit, onRefusal }: LookupView,
): LookupAnswer | undefined {
  const groupKind = group === '' ? kind : `${kind}.${group}`;
  const why = limit?.({ groupKind, namespaced, namespace });
  if (why === undefined) return undefined;
  const words = lookupWords({ kind, plural }, namespace, name);
  onRefusal(words, new SolpackError('not-trusted', words, why, { hint: HINT }));
  return failure(403, 'Forbidden', why);
}

function lookupWords(
  { kind, plural }: Pick<Resource, 'kind' | 'plural'>,
  namespace: string | undefined,
  name: string | undefined,
): string {
  return name === undefined ? listWords(plural, namespace) : wordsOf({ kind, name, namespace });
}

async function lookedUp(
  resource: Resource,
  namespace: string | undefined,
  name: string | undefined,
  { api, discovery, signal, onRefusal }: LookupView,
): Promise<LookupAnswer> {
  const { group, version, kind } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const words = lookupWords(resource, namespace, name);
  // What is about to be defined has no objects yet.
  const isServed = discovery.find(apiVersion, kind) !== undefined;
  try {
    if (name !== undefined) {
      const one: ObjectName = { apiVersion, kind, name, namespace };
      const live = isServed ? await api.read(one, signal) : undefined;
      return live === undefined ? absent(words) : ok(live);
    }
    const items = isServed ? await api.list(resource, namespace === undefined ? {} : { namespace }, signal) : [];
    return ok({ kind: `${kind}List`, apiVersion, metadata: { resourceVersion: '' }, items });
  } catch (error) {
    onRefusal(words, error);
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof ApiError && error.status >= 400 ? error.status : 500;
    return failure(status, error instanceof ApiError ? error.reason : '', message);
  }
}

function listWords(plural: string, namespace: string | undefined): string {
  return namespace === undefined ? `all ${plural}` : `all ${plural} of ${namespace}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function ok(value: unknown, type = JSON_TYPE): LookupAnswer {
  return { status: 200, type, value };
}

function absent(what: string): LookupAnswer {
  return failure(404, 'NotFound', `${what} not found`);
}

/** Makes a `Status` (API conventions, "Response Status Kind"). */
export function failure(code: number, reason: string, message: string): LookupAnswer {
  const value = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
  return { status: code, type: JSON_TYPE, value };
}
