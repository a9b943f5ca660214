import { describe, expect, test } from 'vitest';
import { operatorName, operatorStatus } from '../../../../lib/flows/agent/cluster-operator.ts';
import type { AgentFinding } from '../../../../lib/flows/agent/conditions.ts';

const source = { kind: 'config-map', namespace: 'site', name: 'edge' } as const;
const then = '2026-01-01T00:00:00Z';
const now = '2026-01-02T00:00:00Z';
const solutions = [{ name: 'shop', version: '1.0.0' }];

type Status = { conditions: { type: string; status: string; lastTransitionTime: string }[]; relatedObjects: unknown[] };

const statusFor = (
  state: AgentFinding['state'],
  reason: string,
  before?: unknown,
  namespaces: readonly string[] | undefined = ['shop'],
  at = now,
): Status =>
  operatorStatus({ source, finding: { state, reason, message: 'm' }, solutions, namespaces }, before, at) as Status;

const words = ({ conditions }: Status): string => conditions.map(({ type, status }) => `${type}=${status}`).join(' ');

describe('the status of a ClusterOperator', () => {
  test.each([
    ['ready', 'Installed', 'Available=True Progressing=False Degraded=False Upgradeable=True'],
    ['progressing', 'Installing', 'Available=False Progressing=True Degraded=False Upgradeable=False'],
    ['degraded', 'NotReady', 'Available=False Progressing=False Degraded=True Upgradeable=True'],
    ['degraded', 'NotTrusted', 'Available=False Progressing=False Degraded=True Upgradeable=True'],
    ['waiting', 'Waiting', 'Available=Unknown Progressing=False Degraded=False Upgradeable=True'],
  ] as const)('of a configuration that is %s (%s)', (state, reason, wanted) => {
    expect(words(statusFor(state, reason))).toBe(wanted);
  });

  test('stays available while something is installed, or was refused, and keeps the time of that', () => {
    const before = statusFor('ready', 'Installed', undefined, ['shop'], then);
    for (const [state, reason] of [
      ['progressing', 'Installing'],
      ['degraded', 'NotTrusted'],
    ] as const) {
      const [available] = statusFor(state, reason, before).conditions;
      expect(available).toMatchObject({ type: 'Available', status: 'True', lastTransitionTime: then });
    }
    expect(statusFor('degraded', 'NotReady', before).conditions[0]).toMatchObject({
      status: 'False',
      lastTransitionTime: now,
    });
  });

  test('names what is followed and the namespaces of its Solutions, also where these were not seen this time', () => {
    const before = statusFor('ready', 'Installed');
    expect(before.relatedObjects).toEqual([
      { group: '', resource: 'configmaps', namespace: 'site', name: 'edge' },
      { group: '', resource: 'namespaces', name: 'solpack-system' },
      { group: '', resource: 'namespaces', name: 'shop' },
    ]);
    const report = {
      source,
      finding: { state: 'degraded', reason: 'x', message: 'm' },
      solutions,
      namespaces: undefined,
    } as const;
    expect(operatorStatus(report, before, now)).toMatchObject({ relatedObjects: before.relatedObjects });
    expect(operatorStatus(report, 'strange', now)).toMatchObject({ relatedObjects: [] });
  });
});

test('a ClusterOperator is named after what is followed', () => {
  expect(operatorName(source)).toBe('solpack-site-edge');
  expect(operatorName({ kind: 'custom-resource', name: 'edge' })).toBe('solpack-edge');
});
