import { describe, expect, test } from 'vitest';
import { conditionsOf, findingOf, reasonOfCode, summaryOf } from '../../../../lib/flows/agent/conditions.ts';
import { errorInfo } from '../../../../lib/kernel/events/errors.ts';
import type { SolutionStatus } from '../../../../lib/parts/clusters/presence.ts';

const solution = (name: string, state: SolutionStatus['state'], reason?: string): SolutionStatus => {
  return { name, version: '1.0.0', state, reason, objects: [] };
};
const [then, now] = ['2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'];

describe('conditions', () => {
  test('keep the time of their last change as long as their status stays', () => {
    const installing = { state: 'progressing', reason: 'Installing', message: 'installs' } as const;
    const before = conditionsOf(installing, [], then, 1);
    const after = conditionsOf({ state: 'ready', reason: 'Installed', message: 'all is well' }, before, now, 2);
    expect(after.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime])).toEqual([
      ['Ready', 'True', now],
      ['Progressing', 'False', now],
      ['Degraded', 'False', then],
    ]);
    expect(new Set(after.map(({ observedGeneration }) => observedGeneration))).toEqual(new Set([2]));
  });

  test.each([
    ['ready', []],
    ['progressing', ['Reconciling']],
    ['degraded', ['Stalled']],
    ['waiting', []],
  ] as const)('of kstatus are there only while they are true: %s', (state, more) => {
    const all = conditionsOf({ state, reason: 'Some', message: 'm' }, [], now, 1);
    const beside = all.filter(({ type }) => !['Ready', 'Progressing', 'Degraded'].includes(type));
    expect(beside.map(({ type, status }) => [type, status])).toEqual(more.map((type) => [type, 'True']));
  });

  test('take what was reported before for what it is, whatever somebody has made of it', () => {
    const strange = [null, 1, { type: 'Ready' }, { type: 'Ready', status: 'True', lastTransitionTime: 4 }];
    const [ready] = conditionsOf({ state: 'ready', reason: 'Installed', message: '' }, strange, now, undefined);
    expect(ready).toEqual({ type: 'Ready', status: 'True', reason: 'Installed', message: '', lastTransitionTime: now });
  });

  test('have reasons as Kubernetes has them, for every code of an error', () => {
    const reasons = Object.keys(errorInfo).map(reasonOfCode);
    expect(reasons).toContain('NotTrusted');
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z][A-Za-z0-9]*$/);
  });

  test('tell the worst of all Solutions, and of which one it is', () => {
    const all = [
      solution('a', 'ready'),
      solution('b', 'drifted', 'ConfigMap/x is gone'),
      solution('c', 'degraded', 'it crashes'),
    ];
    expect(summaryOf(all)).toEqual({ state: 'degraded', reason: 'NotReady', message: 'c: it crashes' });
    expect(summaryOf(all.slice(0, 2))).toEqual({
      state: 'progressing',
      reason: 'Drifted',
      message: 'b: ConfigMap/x is gone',
    });
    expect(summaryOf(all.slice(0, 1))).toMatchObject({ state: 'ready', reason: 'Installed' });
    expect(findingOf(solution('d', 'interrupted', 'generation 2 has failed'))).toMatchObject({
      state: 'degraded',
      reason: 'Interrupted',
    });
  });
});
