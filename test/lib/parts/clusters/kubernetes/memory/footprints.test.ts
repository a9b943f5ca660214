import { describe, expect, test } from 'vitest';
import { HOME } from '../../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { nameOf } from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { applyTo } from '../../../../../support/cluster/applying.ts';
import { disturbed } from '../../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../support/cluster/index.ts';
import { component, map, solution, stated } from '../support.ts';

const { signal } = new AbortController();
const space = (name: string) => stated('v1', 'Namespace', name);
const shop = (...objects: ReturnType<typeof map>[]) => ({
  configuration: 'here',
  solutions: [solution('shop', component('all', ...objects))],
});

const workload = (place: string) => {
  const labels = { app: place };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
};

describe('what is as it was applied', () => {
  const web = shop(space('here'), map('here/a'), map('here/b'), workload('here/web'));
  const asked = async (cluster: MemoryCluster, request = web): Promise<readonly string[]> => {
    const verbs: string[] = [];
    const api = disturbed(cluster.connect(), ({ verb, subject }) => {
      if (['apply', 'read', 'try'].includes(verb) && !/ solpack-system|^Lease/.test(subject))
        verbs.push(`${verb} ${subject}`);
      return undefined;
    });
    expect((await applyTo(api, request)).error).toBeUndefined();
    cluster.rest();
    return verbs;
  };

  test('is neither read nor tried nor applied, but for what has to be ready', async () => {
    const cluster = memoryCluster();
    await asked(cluster);
    expect(await asked(cluster)).toEqual(['read Deployment here/web']);
  });

  test('is looked at where somebody has changed, replaced or removed it, and nothing else is', async () => {
    const cluster = memoryCluster();
    await asked(cluster);
    await cluster.connect().apply(map('here/a', 'theirs'), { manager: 'kubectl', force: true }, signal);
    cluster.drop(nameOf(map('here/b')));
    const told = await applyTo(cluster.connect(), web, { force: true });
    expect(told.actions).toMatchObject({
      'ConfigMap here/a': 'changed',
      'ConfigMap here/b': 'created',
      'Deployment here/web': 'unchanged',
    });
    cluster.rest();
    expect((await asked(cluster)).join()).not.toContain('ConfigMap');
  });

  test('is looked at where it would be another, and where nobody remembers it', async () => {
    const cluster = memoryCluster();
    await asked(cluster);
    const other = shop(space('here'), map('here/a', '2'), map('here/b'), workload('here/web'));
    expect((await asked(cluster, other)).toSorted()).toEqual([
      'apply ConfigMap here/a',
      'read ConfigMap here/a',
      'read ConfigMap here/a',
      'read Deployment here/web',
      'read Namespace here',
      'try ConfigMap here/a',
    ]);
    cluster.drop({ apiVersion: 'v1', kind: 'Secret', name: 'record-shop.applied', namespace: HOME });
    expect((await asked(cluster, other)).filter((one) => one.startsWith('try')).length).toBe(4);
  });
});
