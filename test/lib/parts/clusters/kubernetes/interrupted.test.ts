import { describe, expect, test } from 'vitest';
import type { ApplyRequest } from '../../../../../lib/parts/clusters/kind.ts';
import { MANAGER, nameOf } from '../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { completedAtEachCall, griefs, having, takenBackAtEachCall } from '../../../../support/cluster/grief.ts';
import type { MemoryCluster } from '../../../../support/cluster/index.ts';
import { definition, map, stated } from './support.ts';

const workload = (place: string, version: string) => {
  const labels = { app: place };
  const containers = [{ name: 'app', image: `registry.example.com/app:${version}` }];
  const template = { metadata: { labels }, spec: { containers } };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
};
const job = (place: string, version: string) =>
  stated('batch/v1', 'Job', place, {
    spec: { ttlSecondsAfterFinished: 60, template: { spec: { containers: [{ name: 'app', image: version }] } } },
  });

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
describe.each(griefs)('where a call of it $name', (grief) => {
  test.each(courses)('%s is completed by the next run, whichever call it is', async (_, begin, request) => {
    expect(await completedAtEachCall(await begin(), request, grief)).toBeGreaterThan(20);
  });

  test('an install is taken back by the next run, whichever call it is', async () => {
    await takenBackAtEachCall(shop('1.0.0'), grief);
  });
});
