import { isDeepStrictEqual } from 'node:util';
import { groupOf } from '../../../../../formats/manifest/namespace.ts';
import { pool, SolpackError } from '../../../../kernel/events/index.ts';
import { type ApplyPlan, isFoundation, objectKey, type PlannedHook, type PlannedObject } from '../desired/index.ts';
import { asHeir, type Inventories, type Owner, ownerOf, rivalOf } from '../memory/index.ts';
import {
  ApiError,
  type ApplySession,
  clusterError,
  definedKind,
  isDefinition,
  isImmutable,
  type LiveObject,
  type ObjectName,
  orRefusal,
  wordsOf,
} from '../server/index.ts';
import { mayPass } from './dry-run-refusals.ts';
import { isReplaceable, unchangeable } from './replace.ts';
import { isDryRunUnsupported } from './transient-refusals.ts';

/** What dry runs showed. */
export interface Preflight {
  /** The keys of the objects that will change, or may. */
  readonly changing: ReadonlySet<string>;
  /** The keys of the objects that are not there. */
  readonly absent: ReadonlySet<string>;
  /** What was found of each object that was looked at, by its key. */
  readonly findings: ReadonlyMap<string, DryRunResult>;
}

/** What the dry run of one object showed. */
export interface DryRunResult {
  readonly planned: PlannedObject;
  /** The object as it is; undefined where it is not there. */
  readonly live: LiveObject | undefined;
  /** Whether applying it will change something, or may. */
  readonly changes: boolean;
  /** The object as it would be; undefined where that could not be tried. */
  readonly tried?: LiveObject;
  /** Whether it has to be deleted and made again. */
  readonly replaced?: true;
  readonly problem?: ApiError | SolpackError;
}

/**
 * Applies every object as a dry run, as far as that is possible before the first change: objects in a namespace or of a
 * kind that does not exist yet are left out, and objects that are `untouched`. `hooks` are those that will run.
 * Collects all problems: throws the first, with the number of the others, which become notices.
 */
export async function preflight(
  plan: ApplyPlan,
  inventories: Inventories,
  hooks: readonly PlannedHook[],
  untouched: ReadonlySet<string>,
  session: ApplySession,
): Promise<Preflight> {
  const stated = [...plan.objects.values(), ...hooks];
  const all = stated.filter(({ key }) => !untouched.has(key));
  const foundation = all.filter(({ object }) => isFoundation(object));
  const owner = ownerOf(plan, inventories);
  const first = await tryAll(foundation, { owner, inventories, unstable: new Set() }, session);
  const changed = new Set(first.filter(({ changes }) => changes).map(({ planned }) => planned.key));
  const { absent, gone } = await absentNamespaces(all, session);
  const rest = all.filter((planned) => !isFoundation(planned.object));
  const inKnownNamespaces = rest.filter(({ name: { namespace } }) => namespace === undefined || !absent.has(namespace));
  const unstable = new Set(
    foundation.flatMap(({ key, object }) => (changed.has(key) ? (definedKind(object) ?? []) : [])),
  );
  const second = await tryAll(inKnownNamespaces, { owner, inventories, unstable }, session);
  const findings = new Map([...first, ...second].map((finding) => [finding.planned.key, finding]));
  // Of what is untouched, a definition of a kind may change that did not before.
  const unsure = stated.filter(({ key, name }) => untouched.has(key) && unstable.has(`${groupOf(name)}/${name.kind}`));
  const changing = [...all.filter(({ key }) => findings.get(key)?.changes ?? true), ...unsure];
  const problems = all.flatMap((planned): SolpackError[] => {
    const nowhere = homeless(planned, absent, stated, plan);
    if (nowhere !== undefined) return [nowhere];
    const problem = findings.get(planned.key)?.problem;
    if (problem instanceof ApiError && mayPass(problem, changing, stated)) return [];
    return problem === undefined ? [] : [asProblem(problem, session)];
  });
  report(problems, session);
  const isAbsent = ({ key, name: { namespace } }: PlannedObject): boolean => {
    const finding = findings.get(key);
    return finding === undefined ? namespace !== undefined && gone.has(namespace) : finding.live === undefined;
  };
  return {
    changing: new Set(changing.map(({ key }) => key)),
    absent: new Set(all.filter(isAbsent).map(({ key }) => key)),
    findings,
  };
}

/** What the dry runs depend on. */
interface Surroundings {
  readonly owner: Owner;
  readonly inventories: Inventories;
  /** Kinds whose definitions will change. */
  readonly unstable: ReadonlySet<string>;
}

async function tryAll(
  objects: readonly PlannedObject[],
  { owner, inventories, unstable }: Surroundings,
  session: ApplySession,
): Promise<DryRunResult[]> {
  const findings: DryRunResult[] = [];
  await pool(objects, { signal: session.flow.signal }, async (planned, signal) => {
    const { name, object } = planned;
    const { api, force } = session;
    const live = await api.read(name, signal);
    const rival = live && rivalOf(live, owner, inventories);
    if (rival !== undefined) findings.push({ planned, live, changes: true, problem: owned(name, rival) });
    else if (live?.metadata.deletionTimestamp !== undefined) findings.push({ planned, live, changes: true });
    // To be checked and encoded takes the server as long as to be stored, because schemas are large; no other
    // definition is here.
    else if (live === undefined && isDefinition(object)) findings.push({ planned, live, changes: true });
    // It would be checked against the present CustomResourceDefinition instead of the new one.
    else if (unstable.has(`${groupOf(name)}/${name.kind}`)) findings.push({ planned, live, changes: true });
    else if ((await api.discover(signal)).find(name.apiVersion, name.kind) === undefined) {
      findings.push({ planned, live, changes: true });
    } else {
      const how = { dryRun: true, force, ...asHeir(live, owner) };
      const tried = await orRefusal(() => api.apply(object, how, signal), signal);
      findings.push(
        tried instanceof ApiError
          ? refusedDry(planned, live, tried)
          : { planned, live, tried, changes: differ(live, tried) },
      );
    }
  });
  return findings;
}

function refusedDry(planned: PlannedObject, live: LiveObject | undefined, error: ApiError): DryRunResult {
  // The server does not answer, or does not accept the credentials: all other objects would fail alike.
  if (error.status === 0 || error.status === 401) throw error;
  const changes = true;
  if (isDryRunUnsupported(error)) return { planned, live, changes };
  if (live === undefined || !isImmutable(error)) return { planned, live, changes, problem: error };
  return isReplaceable(live)
    ? { planned, live, changes, replaced: true }
    : { planned, live, changes, problem: unchangeable(live, error) };
}

/** Decides whether a dry run would change the object. Times of field managers change only with something else. */
function differ(live: LiveObject | undefined, tried: LiveObject): boolean {
  return live === undefined || !isDeepStrictEqual(comparable(live), comparable(tried));
}

function comparable({ metadata, ...rest }: LiveObject): unknown {
  const { resourceVersion: _, managedFields = [], ...own } = metadata;
  return { ...rest, metadata: { ...own, managedFields: managedFields.map(({ time: __, ...fields }) => fields) } };
}

/** Returns the namespaces of objects that do not exist now, and those of them that are not even being deleted. */
async function absentNamespaces(
  objects: readonly PlannedObject[],
  session: ApplySession,
): Promise<{ readonly absent: ReadonlySet<string>; readonly gone: ReadonlySet<string> }> {
  const absent = new Set<string>();
  const gone = new Set<string>();
  const namespaces = new Set(objects.flatMap(({ name: { namespace } }) => namespace ?? []));
  await pool(namespaces, { signal: session.flow.signal }, async (name, signal) => {
    const live = await session.api.read(namespaceName(name), signal);
    if (live === undefined) gone.add(name);
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) absent.add(name);
  });
  return { absent, gone };
}

/**
 * Returns the problem of an object whose namespace neither exists nor is made before it; undefined where there is none.
 */
function homeless(
  { name, solution, component }: PlannedObject,
  absent: ReadonlySet<string>,
  all: readonly PlannedObject[],
  plan: ApplyPlan,
): SolpackError | undefined {
  const { namespace } = name;
  if (namespace === undefined || !absent.has(namespace)) return undefined;
  const home = objectKey(namespaceName(namespace));
  const maker = all.find(({ key }) => key === home)?.solution;
  const order = plan.solutions.map(({ name: one }) => one);
  if (maker !== undefined && order.indexOf(maker) <= order.indexOf(solution)) return undefined;
  return new SolpackError(
    'object-refused',
    wordsOf(name),
    `component ${component} of ${solution} wants it in the namespace ${namespace}, which does not exist`,
    {
      hint: `add a Namespace ${namespace} to the Solution, or create it with "kubectl create namespace ${namespace}"`,
    },
  );
}

function namespaceName(name: string): ObjectName {
  return { apiVersion: 'v1', kind: 'Namespace', name };
}

function owned(name: ObjectName, rival: string): SolpackError {
  return new SolpackError('object-conflict', wordsOf(name), `it belongs to ${rival}`, {
    hint: 'remove it there first, or give it another name here',
  });
}

function asProblem(problem: ApiError | SolpackError, { api }: ApplySession): SolpackError {
  const translated = clusterError(problem, api.server);
  if (translated instanceof SolpackError) return translated;
  throw translated;
}

/** Throws the first problem, and reports the others as notices. */
function report(problems: readonly SolpackError[], { flow }: ApplySession): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  for (const { subject, message } of others) flow.onEvent({ type: 'notice', subject, message });
  if (others.length === 0) throw first;
  const more = `(and ${others.length} more ${others.length === 1 ? 'object is' : 'objects are'} refused)`;
  throw new SolpackError(first.code, first.subject, `${first.message} ${more}`, {
    cause: first,
    ...(first.hint === undefined ? {} : { hint: first.hint }),
  });
}
