import { describe, expect, test } from 'vitest';
import { SolpackError } from '../../../../../../../lib/kernel/events/errors.ts';
import type { Flow } from '../../../../../../../lib/kernel/events/flow.ts';
import type { ApplyRequest } from '../../../../../../../lib/parts/clusters/kind.ts';
import {
  boardOver,
  type ProgressBoard,
} from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/board.ts';
import type { RunProgress } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/document.ts';
import { reportOn } from '../../../../../../../lib/parts/clusters/kubernetes/health/progress/report.ts';
import { targetOver } from '../../../../../../../lib/parts/clusters/kubernetes/target.ts';
import { prompt } from '../../../../../../support/cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { testFlow } from '../../../../../../support/flow.ts';
import { map, stated } from '../../support.ts';

const place = { namespace: 'default', name: 'edge' };

function boardOf(cluster: MemoryCluster): ProgressBoard {
  return boardOver(cluster.connect(), place);
}

/** What the ConfigMap says, for people and as a whole. */
function told(cluster: MemoryCluster): { data: Record<string, string>; progress: RunProgress } {
  const found = cluster.objects().find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === place.name);
  const data = (found?.['data'] ?? {}) as Record<string, string>;
  return { data, progress: JSON.parse(data['progress.json'] ?? '{}') };
}

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web:1' }] } };
const deployment = (name: string): ApplyRequest['solutions'][number]['components'][number]['objects'][number] =>
  stated('apps/v1', 'Deployment', `shop/${name}`, { spec: { selector: { matchLabels: { app: 'web' } }, template } });

const request: ApplyRequest = {
  configuration: 'edge',
  solutions: [
    {
      ...{ name: 'shop', version: '1.0.0', root: undefined },
      components: [
        { name: 'base', after: [], timeout: 50, objects: [stated('v1', 'Namespace', 'shop'), map('shop/a')] },
        { name: 'web', after: ['base'], timeout: 50, objects: [deployment('web')] },
        { name: 'late', after: ['web'], timeout: 50, objects: [map('shop/late')] },
      ],
    },
  ],
};

function applying(cluster: MemoryCluster): (flow: Flow) => Promise<unknown> {
  const target = targetOver('memory', async () => cluster.connect(), { timing: prompt, force: false });
  return (flow) => target.apply(request, flow);
}

describe('a run that tells how far it has come', () => {
  test('says of each component that it is ready in the end', async () => {
    const cluster = memoryCluster();
    await reportOn(boardOf(cluster), 'pod-1', testFlow(), applying(cluster));
    const { data, progress } = told(cluster);
    expect(data).toMatchObject({ state: 'ready' });
    expect(progress).toMatchObject({ schemaVersion: 1, state: 'ready', attempt: 1, runner: 'pod-1' });
    expect(progress.components.map(({ component, state }) => `${component} ${state}`)).toEqual([
      'base ready',
      'web ready',
      'late ready',
    ]);
    for (const { since } of progress.components) expect(new Date(since).toISOString()).toBe(since);
  });

  test('says which component failed and why, and that those after it were not begun', async () => {
    const cluster = memoryCluster({ stuck: ['web'] });
    const failed = reportOn(boardOf(cluster), 'pod-1', testFlow(), applying(cluster));
    await expect(failed).rejects.toMatchObject({ code: 'object-not-ready' });
    const { data, progress } = told(cluster);
    expect(data).toMatchObject({ state: 'failed', code: 'object-not-ready' });
    expect(data['reason']).toContain('component web of shop');
    expect(progress.components).toMatchObject([
      { component: 'base', state: 'ready' },
      { component: 'web', state: 'failed', reason: expect.stringContaining('Deployment shop/web') },
      { component: 'late', state: 'pending' },
    ]);
  });

  test('says that it was interrupted, with what it did last', async () => {
    const cluster = memoryCluster();
    const stopped = new AbortController();
    const flow = { ...testFlow(), signal: stopped.signal };
    const run = reportOn(boardOf(cluster), 'pod-1', flow, async ({ onEvent, signal }) => {
      onEvent({ type: 'step', step: 'verify', subject: 'shop-1.0.0.iso' });
      stopped.abort();
      signal.throwIfAborted();
    });
    await expect(run).rejects.toThrow();
    expect(told(cluster).progress).toMatchObject({ state: 'interrupted', step: 'verify shop-1.0.0.iso' });
  });

  test('counts those before it that did not get to the end, and says how the last one ended', async () => {
    const cluster = memoryCluster();
    const refused = new SolpackError('file-missing', '/media/shop.iso', 'no such file', { hint: 'mount it' });
    const failing = reportOn(boardOf(cluster), 'pod-1', testFlow(), () => Promise.reject(refused));
    await expect(failing).rejects.toBe(refused);
    expect(told(cluster).data).toMatchObject({
      code: 'file-missing',
      reason: '/media/shop.iso: no such file; mount it',
    });
    await reportOn(boardOf(cluster), 'pod-2', testFlow(), async () => {
      expect(told(cluster).progress).toMatchObject({
        ...{ state: 'running', attempt: 2, runner: 'pod-2' },
        reason: 'pod-1 failed: /media/shop.iso: no such file; mount it [file-missing]',
      });
    });
    expect(told(cluster).data).not.toHaveProperty('code');
    await reportOn(boardOf(cluster), 'pod-3', testFlow(), async () => {
      expect(told(cluster).progress).toMatchObject({ attempt: 1 });
    });
  });

  test('goes on where something else than progress is in the ConfigMap', async () => {
    const cluster = memoryCluster();
    const api = cluster.connect();
    for (const text of ['', 'no JSON', '{"state": "ready"}', '[]']) {
      const object = stated('v1', 'ConfigMap', 'default/edge', { data: { 'progress.json': text } });
      await api.apply(object, { manager: 'somebody', force: true }, testFlow().signal);
      await reportOn(boardOf(cluster), 'pod-1', testFlow(), async () => undefined);
      expect(told(cluster).progress).toMatchObject({ state: 'ready', attempt: 1 });
    }
  });
});
