import { describe, expect, test } from 'vitest';
import { boardOver } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/board.ts';
import type { RunProgress } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/document.ts';
import { settleOn } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/settle.ts';
import { memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { stated } from '../../support.ts';

const request = { namespace: 'default', pod: 'loader-x', container: 'loader' };
const at = '2026-01-05T09:30:00.000Z';
const running: RunProgress = {
  ...{ state: 'running', since: at, renewed: at, runner: 'loader-x', attempt: 2, step: 'apply shop 1.0.0, web' },
  components: [
    { solution: 'shop', version: '1.0.0', component: 'base', state: 'ready', since: at },
    { solution: 'shop', version: '1.0.0', component: 'web', state: 'applying', since: at },
  ],
};

/** Settles what a ConfigMap says, where the container of the Pod has ended so; undefined where it has not. */
async function settled(before: RunProgress | undefined, terminated: object | undefined, aborted = false) {
  const cluster = memoryCluster();
  const api = cluster.connect();
  const { signal } = testFlow();
  const data = before === undefined ? {} : { 'progress.json': JSON.stringify({ schemaVersion: 1, ...before }) };
  await api.apply(stated('v1', 'ConfigMap', 'default/edge', { data }), { manager: 'solpack-progress' }, signal);
  const state = terminated === undefined ? { running: {} } : { terminated };
  const status = {
    containerStatuses: [
      { name: 'other', state: { terminated: { exitCode: 9 } } },
      { name: 'loader', state },
    ],
  };
  const spec = { containers: [{ name: 'loader', image: 'loader:1' }] };
  await api.apply(stated('v1', 'Pod', 'default/loader-x', { spec }), { manager: 'somebody' }, signal);
  cluster.rest();
  cluster.change({ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'loader-x' }, (pod) => {
    pod['status'] = status;
  });
  const board = boardOver(api, { namespace: 'default', name: 'edge' });
  const stop = new AbortController();
  if (aborted) stop.abort();
  const result = await settleOn(board, request, stop.signal, { pause: 1, grace: 5 });
  expect(await board.read(signal)).toEqual(result.progress);
  return result;
}

describe('what is told of a run that ended without a report', () => {
  test.each([
    [
      'by the kernel, for memory',
      { exitCode: 137, reason: 'OOMKilled' },
      'its container was killed (OOMKilled), and ended with 137',
    ],
    ['by somebody', { exitCode: 137, reason: 'Error' }, 'its container was killed by signal 9, and ended with 137'],
  ])('says that it was killed %s', async (_, terminated, reason) => {
    const { progress, wasSilent } = await settled(running, terminated);
    expect(wasSilent).toBe(true);
    expect(progress).toMatchObject({ state: 'interrupted', reason, attempt: 2, step: 'apply shop 1.0.0, web' });
    expect(progress.components).toMatchObject([
      { component: 'base', state: 'ready', since: at },
      { component: 'web', state: 'failed', reason },
    ]);
  });

  test('has the last line that it printed, where it told nothing at all', async () => {
    const message = 'note: something\nsolpack: policy.toml:1:1: is no policy [policy-invalid]\n';
    const before = { ...running, runner: 'loader-earlier', state: 'interrupted', reason: 'killed' } as const;
    const { progress } = await settled(before, { exitCode: 2, reason: 'Error', message });
    expect(progress).toMatchObject({ state: 'failed', runner: 'loader-x', attempt: 3, components: [] });
    expect(progress.reason).toBe('solpack: policy.toml:1:1: is no policy [policy-invalid]');
    expect((await settled(undefined, { exitCode: 2 })).progress.reason).toBe('its container ended with 2');
  });

  test('says that its Pod was ended, where nobody knows how the container did', async () => {
    const { progress } = await settled(running, undefined, true);
    expect(progress).toMatchObject({ state: 'interrupted', reason: 'the Pod loader-x was ended' });
  });

  test('is ready, where the container ended well and only its last word was lost', async () => {
    expect((await settled(running, { exitCode: 0, reason: 'Completed' })).progress).toMatchObject({ state: 'ready' });
  });
});

test('what a run has told of its own end stays', async () => {
  const before = {
    ...running,
    state: 'failed',
    reason: 'the registry does not answer',
    code: 'registry-unreachable',
  } as const;
  expect(await settled(before, { exitCode: 4, reason: 'Error' })).toEqual({ progress: before, wasSilent: false });
});
