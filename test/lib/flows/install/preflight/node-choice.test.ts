import { describe, expect, test } from 'vitest';
import { mayRunOn } from '../../../../../lib/flows/install/preflight/node-choice.ts';

const node = {
  name: 'edge',
  os: 'linux',
  architecture: 'arm64',
  labels: { 'kubernetes.io/arch': 'arm64', zone: 'a' },
  taints: [],
};
const required = (...matchExpressions: object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  },
});

describe('a Pod may run on a node', () => {
  test.each<[string, unknown, boolean]>([
    ['where it asks for nothing', {}, true],
    ['where its spec is none', 'none', true],
    ['whose labels it selects', { nodeSelector: { zone: 'a' } }, true],
    ['but not where it selects others', { nodeSelector: { 'kubernetes.io/arch': 'amd64' } }, false],
    ['that it names', { nodeName: 'edge' }, true],
    ['but not where it names another one', { nodeName: 'other' }, false],
    [
      'whose platform is among those it wants',
      required({ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }),
      true,
    ],
    [
      'but not where it wants others',
      required({ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }),
      false,
    ],
    ['but not where it wants none such', required({ key: 'zone', operator: 'NotIn', values: ['a'] }), false],
    ['that has a label', required({ key: 'zone', operator: 'Exists' }), true],
    ['but not where that may not be', required({ key: 'zone', operator: 'DoesNotExist' }), false],
    ['where it asks for what nobody knows here', required({ key: 'zone', operator: 'Gt', values: ['1'] }), true],
  ])('%s', (_, spec, expected) => {
    expect(mayRunOn(spec, node)).toBe(expected);
  });

  const taint = { key: 'role', value: 'build', effect: 'NoSchedule' };
  test.each<[string, (typeof taint)[], object[], boolean]>([
    ['but not where a taint keeps it away', [taint], [], false],
    ['whose taint it tolerates', [taint], [{ key: 'role', value: 'build', effect: 'NoSchedule' }], true],
    ['of any value of the taint', [taint], [{ key: 'role', operator: 'Exists' }], true],
    ['of any taint', [taint], [{ operator: 'Exists' }], true],
    ['but not where it tolerates another value', [taint], [{ key: 'role', value: 'other' }], false],
    [
      'but not where it tolerates another effect',
      [taint],
      [{ key: 'role', value: 'build', effect: 'NoExecute' }],
      false,
    ],
    ['that is cordoned now', [{ ...taint, key: 'node.kubernetes.io/unschedulable' }], [], true],
    ['that would rather not', [{ ...taint, effect: 'PreferNoSchedule' }], [], true],
  ])('%s', (_, taints, tolerations, expected) => {
    expect(mayRunOn({ tolerations }, { ...node, taints })).toBe(expected);
  });
});
