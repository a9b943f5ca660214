import { expect, test } from 'vitest';
import { mostTelling, notReady } from '../../../../../../lib/parts/clusters/kubernetes/health/not-ready.ts';
import { definition, map, members, stated } from '../support.ts';

const awaited = (state: 'waiting' | 'failed', apiVersion: string, kind: string) => ({
  state,
  planned: members(stated(apiVersion, kind, 'n/a'))[0]!,
});

test('what has failed is asked before what is late, and workloads before what waits for them', () => {
  const ingress = awaited('waiting', 'networking.k8s.io/v1', 'Ingress');
  const claim = awaited('waiting', 'v1', 'PersistentVolumeClaim');
  const deployment = awaited('waiting', 'apps/v1', 'Deployment');
  const widget = awaited('failed', 'example.com/v1', 'Widget');
  expect(mostTelling([ingress, claim, deployment, widget])).toBe(widget);
  expect(mostTelling([ingress, claim, deployment])).toBe(deployment);
  expect(mostTelling([ingress, claim])).toBe(claim);
  const other = awaited('waiting', 'networking.k8s.io/v1', 'Ingress');
  expect(mostTelling([ingress, other])).toBe(ingress);
  expect(mostTelling([])).toBeUndefined();
});

const late = { planned: members(map('n/a'))[0]!, state: 'waiting' } as const;
const where = { solution: 'shop', component: 'web', elapsed: 61_400, others: 0, previous: undefined };

test('the error names component, time, cause, events, the others, and what is still there', () => {
  const diagnosis = { cause: 'no luck', events: ['Failed: a', 'BackOff: b (x3)'], hint: 'try harder' };
  expect(notReady(late, diagnosis, { ...where, others: 2, previous: '1.0.0' })).toMatchObject({
    code: 'object-not-ready',
    subject: 'ConfigMap n/a',
    message:
      'component web of shop: not ready after 61 s: no luck; last events: Failed: a; BackOff: b (x3); 2 more of its objects are not ready',
    hint: 'try harder; nothing of shop 1.0.0 was removed',
  });
});

test('the error says no more than is known', () => {
  const diagnosis = { cause: 'no luck', events: [], hint: 'try harder' };
  const failed = { planned: members(definition('Widget'))[0]!, state: 'failed' } as const;
  const told = notReady(failed, diagnosis, { ...where, others: 1 });
  expect(told.message).toBe('component web of shop: failed after 61 s: no luck; 1 more of its objects is not ready');
  expect(told.hint).toBe('try harder');
});
