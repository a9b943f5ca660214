import { expect } from 'vitest';
import { pool } from '../../../lib/kernel/events/flow.ts';
import type { ApplyRequest } from '../../../lib/parts/clusters/kind.ts';
import { PART_OF } from '../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { applyTo, contentOf, type Manner, type Told, versionsOf } from './applying.ts';
import { type Call, disturbed, type Mishap } from './faults.ts';
import { type MemoryCluster, memoryCluster } from './index.ts';

/** A cluster in which some requests were applied one after another, to the end. */
export async function having(...requests: readonly ApplyRequest[]): Promise<MemoryCluster> {
  const cluster = memoryCluster();
  for (const request of requests) expect((await applyTo(cluster.connect(), request)).error).toBeUndefined();
  cluster.rest();
  return cluster;
}

/** How a run comes to grief at one of its calls. */
export interface Grief {
  readonly name: string;
  /** Milliseconds that things are waited for; left out: as long as it takes. */
  readonly patience?: number;
  mishapOf(call: Call, at: number, stop: AbortController): Mishap | undefined;
}

export const griefs: readonly Grief[] = [
  { name: 'is not heard', mishapOf: ({ count }, at) => (count === at ? 'unheard' : undefined) },
  {
    name: 'is done twice, since its answer was lost',
    mishapOf: ({ count }, at) => (count === at ? 'repeated' : undefined),
  },
  { name: 'is done, but the answer is lost', mishapOf: ({ count }, at) => (count === at ? 'unanswered' : undefined) },
  {
    name: 'is done, and the last that is answered',
    // What is waited for may well be read later.
    patience: 200,
    mishapOf: ({ count }, at) => (count > at ? 'unheard' : undefined),
  },
  {
    name: 'hangs until the user gives up',
    mishapOf: ({ count }, at, stop) => {
      if (count === at) setImmediate(() => stop.abort(new Error('interrupted')));
      return count === at ? 'hanging' : undefined;
    },
  },
];

/** Runs a request that comes to grief at its call number `at`; false where it has not so many. */
async function grieved(cluster: MemoryCluster, request: ApplyRequest, at: number, grief: Grief): Promise<boolean> {
  const stop = new AbortController();
  let happened = false;
  const api = disturbed(cluster.connect(), (call) => {
    const mishap = grief.mishapOf(call, at, stop);
    happened ||= mishap !== undefined;
    return mishap;
  });
  const { patience } = grief;
  const solutions = request.solutions.map(({ components, ...solution }) => {
    return { ...solution, components: components.map((one) => ({ ...one, timeout: patience ?? one.timeout })) };
  });
  const timing = patience === undefined ? {} : { removal: patience };
  await applyTo(api, { ...request, solutions }, { signal: stop.signal, timing }).catch((error) => {
    if (!stop.signal.aborted) throw error;
  });
  return happened;
}

/**
 * What a run that follows another one, which may have left its Lease behind in this very process, does not wait for.
 */
const following: Manner = { timing: { lease: 150 } };

/** Brings a request about in a cluster where another run came to grief, and returns what that came to. */
async function continued(cluster: MemoryCluster, request: ApplyRequest): Promise<Told> {
  const told = await applyTo(cluster.connect(), request, following);
  expect(told.error).toBeUndefined();
  return told;
}

/** Does `work` for each call that the request makes, until it has no further ones. Returns how many there are. */
async function atEachCall(work: (at: number) => Promise<boolean>): Promise<number> {
  let calls = Number.POSITIVE_INFINITY;
  const numbers = Array.from({ length: 1000 }, (_, index) => index + 1);
  await pool(numbers, { limit: 16, signal: new AbortController().signal }, async (at) => {
    if (at < calls && !(await work(at))) calls = Math.min(calls, at);
  });
  return calls - 1;
}

/**
 * Lets a request come to grief at each of its calls in turn, and expects of each that the next run ends in the cluster
 * of an undisturbed one, and that the one after it changes nothing. Returns how many calls there are.
 */
export async function completedAtEachCall(begun: MemoryCluster, request: ApplyRequest, grief: Grief): Promise<number> {
  const straight = begun.copy();
  await continued(straight, request);
  const undisturbed = contentOf(straight);
  return atEachCall(async (at) => {
    const cluster = begun.copy();
    const happened = await grieved(cluster, request, at, grief);
    expect([at, unremembered(cluster)]).toEqual([at, []]);
    await continued(cluster, request);
    expect([at, contentOf(cluster)]).toEqual([at, undisturbed]);
    const versions = versionsOf(cluster);
    const { actions } = await continued(cluster, request);
    expect([at, Object.values(actions).filter((action) => action !== 'unchanged')]).toEqual([at, []]);
    expect([at, withoutLeases(versionsOf(cluster))]).toEqual([at, withoutLeases(versions)]);
    return happened;
  });
}

/**
 * Lets an install come to grief at each of its calls in turn, and expects that the next run takes it back, down to what
 * it keeps of a whole one.
 */
export async function takenBackAtEachCall(request: ApplyRequest, grief: Grief): Promise<void> {
  const nothing = { ...request, solutions: [] };
  const kept = contentOf(await having(request, nothing));
  await atEachCall(async (at) => {
    const cluster = memoryCluster();
    const happened = await grieved(cluster, request, at, grief);
    await continued(cluster, nothing);
    const left = Object.keys(contentOf(cluster));
    expect([at, left.filter((place) => !(place in kept))]).toEqual([at, []]);
    return happened;
  });
}

/** Members of the Solution that its inventory does not cover, so that nobody would find them again. */
function unremembered(cluster: MemoryCluster): string[] {
  const objects = cluster.objects();
  const parent = objects.find(({ metadata }) => metadata.name === 'solution-shop');
  const covered = (name: string): string[] =>
    parent?.metadata.annotations?.[`applyset.kubernetes.io/${name}`]?.split(',') ?? [];
  const kinds = covered('contains-group-kinds').map((groupKind) => groupKind.split('.')[0]);
  const spaces = [undefined, ...covered('additional-namespaces')];
  return objects
    .filter(({ metadata }) => metadata.labels?.[PART_OF] !== undefined)
    .filter(({ kind, metadata }) => !kinds.includes(kind) || !spaces.includes(metadata.namespace))
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`);
}

function withoutLeases(versions: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(versions).filter(([place]) => !place.startsWith('Lease ')));
}
