import { expect, test } from 'vitest';
import { installedOperators } from '../../../formats/bundle/installed-operators.ts';

const version = (name: string, more: object = {}, phase = 'Succeeded'): object => ({
  metadata: { name, namespace: 'operators', ...more },
  spec: { version: '1.2.3' },
  status: { phase },
});

test('operators of OLM have the package of their Subscription, of their bundle, or of their name', () => {
  const properties = JSON.stringify({ properties: [{ type: 'olm.package', value: { packageName: 'of-bundle' } }] });
  const versions = [
    version('a.v1.2.3'),
    version('b.v1.2.3', { annotations: { 'operatorframework.io/properties': properties } }),
    version('c.v1.2.3', { annotations: { 'operatorframework.io/properties': '[broken' } }),
    version('copy.v1.2.3', { labels: { 'olm.copiedFrom': 'x' } }),
    version('failed.v1.2.3', {}, 'Failed'),
    { metadata: { name: 'odd', namespace: 'operators' }, status: { phase: 'Succeeded' } },
    null,
  ];
  const subscriptions = [
    { metadata: { namespace: 'operators' }, spec: { name: 'of-subscription' }, status: { installedCSV: 'a.v1.2.3' } },
    { metadata: { namespace: 'elsewhere' }, spec: { name: 'other' }, status: { installedCSV: 'c.v1.2.3' } },
  ];
  expect(installedOperators(versions, subscriptions).map(({ name, packageName }) => [name, packageName])).toEqual([
    ['a.v1.2.3', 'of-subscription'],
    ['b.v1.2.3', 'of-bundle'],
    ['c.v1.2.3', 'c'],
  ]);
});
