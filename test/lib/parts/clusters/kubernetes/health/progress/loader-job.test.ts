import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../../../../../formats/manifest/object.ts';
import type { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import { loadBy } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/loader-job.ts';
import {
  ApiError,
  type KubernetesApi,
  type LiveObject,
} from '../../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';

const namespace = 'solpack-loader';
const labels = { 'app.kubernetes.io/name': 'solpack-loader' };
const named = (name: string): { name: string; namespace: string; labels: typeof labels } => ({
  name,
  namespace,
  labels,
});
const loader = (name: string): KubernetesObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: named(name),
  spec: { template: { spec: { containers: [] } } },
});
const job = loader('solpack-loader-1');
const map: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named('solpack-loader') };
const later: KubernetesObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: named('later') };
const jobName = (name = 'solpack-loader-1') => ({ apiVersion: 'batch/v1', kind: 'Job', name, namespace });

interface Report {
  readonly runner: string;
  readonly state: string;
  readonly attempt?: number;
  readonly code?: string;
  readonly reason?: string;
  readonly step?: string;
  readonly components?: readonly object[];
}

/** What happens at each look at the Job, one after the other. */
type Happening = (cluster: MemoryCluster, api: KubernetesApi) => unknown;

const signal = new AbortController().signal;
const progress =
  (report: Report): Happening =>
  (_, api) => {
    const time = '2026-01-01T00:00:00.000Z';
    const whole = { since: time, renewed: time, attempt: 1, components: [], ...report };
    return api.apply(
      { ...map, data: { 'progress.json': JSON.stringify(whole) } },
      { manager: 'pod', force: true },
      signal,
    );
  };
const ends =
  (type: string, message = ''): Happening =>
  (cluster) => {
    const conditions = [{ type, status: 'True', reason: 'Why', message }];
    cluster.change(jobName(), (one) => Object.assign(one, { status: { conditions } }));
  };
const pod =
  (status: object): Happening =>
  async (cluster, api) => {
    const metadata = {
      ...named('solpack-loader-1-abc'),
      labels: { 'batch.kubernetes.io/job-name': 'solpack-loader-1' },
    };
    await api.apply({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [] } }, {}, signal);
    const name = { apiVersion: 'v1', kind: 'Pod', name: metadata.name, namespace };
    cluster.change(name, (one) => Object.assign(one, { status }));
  };

async function boot(happenings: readonly Happening[], limit = 60_000, before: Happening = () => undefined) {
  const cluster = memoryCluster({ stuck: ['solpack-loader-1'] });
  const api = cluster.connect();
  await api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, {}, signal);
  await before(cluster, api);
  const rest = [...happenings];
  const watched: KubernetesApi = {
    ...api,
    read: async (name, own): Promise<LiveObject | undefined> => {
      if (name.kind === 'Job') await rest.shift()?.(cluster, api);
      return api.read(name, own);
    },
  };
  const flow = testFlow();
  const request = { objects: [map], job, progress: 'solpack-loader', limit, afterwards: [later] };
  const run = await loadBy(watched, request, flow, 1).catch((error: SolpackError) => error);
  const notices = flow.events.flatMap((one) => (one.type === 'notice' ? [`${one.subject}: ${one.message}`] : []));
  const laterIsThere =
    (await api.read({ apiVersion: 'v1', kind: 'ConfigMap', name: 'later', namespace }, signal)) !== undefined;
  return { run, notices, events: flow.events, api, laterIsThere };
}

const runner = 'solpack-loader-1-abc';
const component = { solution: 'edge', version: '1.0.0', component: 'web', since: '2026-01-01T00:00:00.000Z' };

describe('a loader that is followed', () => {
  test('reports what its install reports, ends with it, and then makes what comes afterwards', async () => {
    const { run, events, laterIsThere } = await boot([
      progress({
        runner,
        state: 'running',
        step: 'wait Deployment edge/web',
        components: [{ ...component, state: 'waiting' }],
      }),
      progress({ runner, state: 'ready', components: [{ ...component, state: 'ready' }] }),
      ends('Complete'),
    ]);
    expect(run).toEqual({
      namespace,
      job: 'solpack-loader-1',
      attempt: 1,
      components: [{ ...component, state: 'ready' }],
    });
    expect(events).toContainEqual({ type: 'step', step: 'wait', subject: 'Deployment edge/web' });
    expect(events.flatMap((one) => (one.type === 'component' ? [one.state] : []))).toEqual(['waiting', 'ready']);
    expect(laterIsThere).toBe(true);
  });

  test('ends with the error of its install', async () => {
    const { run, laterIsThere } = await boot([
      progress({ runner, state: 'failed', code: 'not-trusted', reason: 'edge-1.0.0.iso: is signed by nobody' }),
      ends('Failed', 'Container loader failed with exit code 3'),
    ]);
    expect(run).toMatchObject({ code: 'not-trusted', exit: 3, subject: `Job ${namespace}/solpack-loader-1` });
    expect((run as SolpackError).message).toContain('edge-1.0.0.iso: is signed by nobody');
    expect(laterIsThere).toBe(false);
  });

  test('takes no report of an earlier Job for its own', async () => {
    const { run } = await boot([
      progress({ runner: 'solpack-loader-0-abc', state: 'failed', code: 'not-trusted', reason: 'before' }),
      ends('Failed', 'Job has reached the specified backoff limit'),
    ]);
    expect(run).toMatchObject({
      code: 'object-not-ready',
      message: expect.stringContaining('specified backoff limit'),
    });
  });

  test('that was killed too often says how', async () => {
    const reason = 'its container was killed (OOMKilled), and ended with 137';
    const { run, notices } = await boot([
      progress({ runner, state: 'interrupted', reason }),
      progress({ runner: `${runner}2`, state: 'running', attempt: 2, reason: `${runner} was interrupted: ${reason}` }),
      progress({ runner: `${runner}2`, state: 'interrupted', attempt: 2, reason }),
      ends('Failed', 'Job has reached the specified backoff limit'),
    ]);
    expect(run).toMatchObject({ code: 'object-not-ready', message: expect.stringContaining('OOMKilled') });
    expect(notices).toEqual([`${runner}2: begins attempt 2: ${runner} was interrupted: ${reason}`]);
  });

  test.each<[string, object, string]>([
    [
      'is never scheduled',
      { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }] },
      'is not scheduled: 0/1 nodes are available',
    ],
    [
      'has no image',
      {
        phase: 'Pending',
        containerStatuses: [
          { name: 'loader', state: { waiting: { reason: 'ImagePullBackOff', message: 'not found' } } },
        ],
      },
      'does not start: ImagePullBackOff: not found',
    ],
    [
      'is evicted',
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
      'is evicted: The node was low on resource: memory.',
    ],
  ])('whose Pod %s says so once, and ends with that in the end', async (_, status, words) => {
    const { run, notices } = await boot([pod(status)], 50);
    expect(notices).toEqual([`Pod ${namespace}/${runner}: ${words}`]);
    expect(run).toMatchObject({ code: 'object-not-ready', message: expect.stringContaining(words) });
  });

  test('whose Job somebody deletes says so', async () => {
    const { run } = await boot([
      () => undefined,
      (_, api) => api.remove(jobName(), { propagation: 'Background' }, signal),
    ]);
    expect(run).toMatchObject({
      code: 'object-not-ready',
      message: expect.stringContaining('was deleted by somebody'),
    });
  });

  test('is waited for while the API server does not answer', async () => {
    const gone = (): never => {
      throw new ApiError({ verb: 'read', subject: 'Job' }, { status: 0 }, 'connect ECONNREFUSED');
    };
    const { run, notices } = await boot([gone, gone, ends('Complete')]);
    expect(run).toMatchObject({ job: 'solpack-loader-1' });
    expect(notices).toHaveLength(1);
  });
});

describe('a loader that was there before', () => {
  test('is followed if it runs', async () => {
    const { run, notices } = await boot([ends('Complete')], 60_000, (_, api) => api.apply(job, {}, signal));
    expect(run).toMatchObject({ job: 'solpack-loader-1' });
    expect(notices).toEqual([`Job ${namespace}/solpack-loader-1: still runs, and is followed`]);
  });

  test('is made again if it has ended', async () => {
    let uid: string | undefined;
    const { api, run } = await boot(
      [() => undefined, () => undefined, () => undefined, ends('Complete')],
      60_000,
      async (cluster, own) => {
        uid = (await own.apply(job, {}, signal)).metadata.uid;
        await ends('Failed')(cluster, own);
      },
    );
    expect(run).toMatchObject({ job: 'solpack-loader-1' });
    expect((await api.read(jobName(), signal))?.metadata.uid).not.toBe(uid);
  });

  test('is ended if it has another content', async () => {
    const { api } = await boot([() => undefined, () => undefined, ends('Complete')], 60_000, (_, own) =>
      own.apply(loader('solpack-loader-0'), {}, signal),
    );
    expect(await api.read(jobName('solpack-loader-0'), signal)).toBeUndefined();
  });
});
