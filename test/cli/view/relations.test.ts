import { expect, test } from 'vitest';
import { relationsView } from '../../../cli/view/relations.ts';

test('what a Solution asks of others, and offers, is reported a line each', () => {
  expect(
    relationsView({
      requires: { 'cert-manager': '>=1.12 <2', cni: '*' },
      anyOf: [{ postgres: '^16', cockroach: '*' }],
      recommends: { metrics: '*' },
      provides: { cni: '1.0.0', dns: '2.0.0' },
      exclusive: ['cni'],
      conflicts: { legacy: '<3' },
      replaces: { shop: '*' },
    }),
  ).toEqual([
    '  requires cert-manager >=1.12 <2, cni',
    '  requires postgres ^16 or cockroach',
    '  recommends metrics',
    '  provides cni 1.0.0, dns 2.0.0',
    '  and nothing else may provide cni',
    '  conflicts with legacy <3',
    '  replaces shop',
  ]);
});

test('nothing is told of a Solution by itself', () => {
  expect([relationsView(), relationsView({})]).toEqual([[], []]);
});
