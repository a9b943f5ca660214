import { describe, expect, test } from 'vitest';
import type { ApplyRequest } from '../../../../lib/clusters/kind.ts';
import { MANAGER, nameOf } from '../../../../lib/clusters/kubernetes/api.ts';
import { PART_OF } from '../../../../lib/clusters/kubernetes/applyset.ts';
import { pool } from '../../../../lib/flow.ts';
import { applyTo, contentOf, type Manner, type Told, versionsOf } from '../../../support/cluster/applying.ts';
import { type Call, disturbed, type Mishap } from '../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../support/cluster/index.ts';
import { definition, map, stated } from './support.ts';

const workload = (place: string, version: string) => {
  const labels = { app: place };
  const containers = [{ name: 'app', image: `registry.example.com/app:${version}` }];
  const template = { metadata: { labels }, spec: { containers } };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
};
const job = (place: string, version: string) =>
  stated('batch/v1', 'Job', place, { spec: { template: { spec: { containers: [{ name: 'app', image: version }] } } } });

/** A Solution of components, with all that an install does with objects between its two versions. */
function shop(version: '1.0.0' | '2.0.0'): ApplyRequest {
  const isNew = version === '2.0.0';
  const component = (name: string, after: readonly string[], ...objects: ReturnType<typeof map>[]) => {
    return { name, objects, after, timeout: 60_000 };
  };
  const components = [
    component(
      'base',
      [],
      stated('v1', 'Namespace', 'shop'),
      definition('Widget'),
      stated('example.com/v1', 'Widget', 'shop/w', { spec: { version } }),
      stated('v1', 'Secret', 'shop/key', { stringData: { version } }),
      map(isNew ? 'shop/new' : 'shop/old'),
    ),
    component('database', ['base'], job('shop/migrate', version), workload('shop/database', '1.0.0')),
    component(
      'web',
      ['base', 'database'],
      map('shop/fixed', version, { immutable: true }),
      workload('shop/web', version),
      ...(isNew ? [] : [stated('v1', 'Service', 'shop/web', { spec: { ports: [{ port: 80 }] } })]),
    ),
    ...(isNew ? [] : [component('old', [])]),
  ];
  const record = (about: string, of: string) => ({
    about,
    bytes: Buffer.from(of),
    replaces: isNew ? Buffer.from('1.0.0') : undefined,
  });
  const records = [record('rendered.web', version), ...(isNew ? [] : [record('rendered.old', version)])];
  return { configuration: 'shop', solutions: [{ name: 'shop', version, root: undefined, components, records }] };
}

const nothing: ApplyRequest = { configuration: 'shop', solutions: [] };

/** A cluster in which some requests were applied one after another, to the end. */
async function having(...requests: readonly ApplyRequest[]): Promise<MemoryCluster> {
  const cluster = memoryCluster();
  for (const request of requests) expect((await applyTo(cluster.connect(), request)).error).toBeUndefined();
  cluster.rest();
  return cluster;
}

/** How a run comes to grief at one of its calls. */
interface Grief {
  readonly name: string;
  /** Milliseconds that things are waited for; left out: as long as it takes. */
  readonly patience?: number;
  mishapOf(call: Call, at: number, stop: AbortController): Mishap | undefined;
}

const griefs: readonly Grief[] = [
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

/** What a run that follows another one, which may have left its Lease behind in this very process, does not wait for. */
const following: Manner = { timing: { lease: 30 } };

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

/** The same cluster as an earlier version of solpack left it, whose field manager was one for all configurations. */
function aged(cluster: MemoryCluster): MemoryCluster {
  for (const object of cluster.objects()) {
    cluster.change(nameOf(object), (draft) => {
      const { managedFields = [] } = draft.metadata;
      if (managedFields.length > 0)
        draft.metadata.managedFields = managedFields.map((entry) => ({ ...entry, manager: MANAGER }));
    });
  }
  cluster.rest();
  return cluster;
}

const courses = [
  ['an install', () => having(), shop('1.0.0')],
  ['an upgrade', () => having(shop('1.0.0')), shop('2.0.0')],
  ['an upgrade of what an earlier solpack brought', async () => aged(await having(shop('1.0.0'))), shop('2.0.0')],
  ['a removal', () => having(shop('1.0.0')), nothing],
] as const;

// Each is some hundred installs.
describe.each(griefs)('where a call of it $name', { timeout: 180_000 }, (grief) => {
  test.each(courses)('%s is completed by the next run, whichever call it is', async (_, begin, request) => {
    const begun = await begin();
    const straight = begun.copy();
    await continued(straight, request);
    const undisturbed = contentOf(straight);
    const calls = await atEachCall(async (at) => {
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
    expect(calls).toBeGreaterThan(20);
  });

  test('an install is taken back by the next run, whichever call it is', async () => {
    const kept = contentOf(await having(shop('1.0.0'), nothing));
    await atEachCall(async (at) => {
      const cluster = memoryCluster();
      const happened = await grieved(cluster, shop('1.0.0'), at, grief);
      await continued(cluster, nothing);
      const left = Object.keys(contentOf(cluster));
      expect([at, left.filter((place) => !(place in kept))]).toEqual([at, []]);
      return happened;
    });
  });
});

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
