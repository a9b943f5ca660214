import { beforeEach, describe, expect, test } from 'vitest';
import { nameOf } from '../../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { applyTo, type Told, versionsOf } from '../../../../../support/cluster/applying.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../support/cluster/index.ts';
import { component, map, solution, stated } from '../support.ts';

const job = (image: string, more: object = { ttlSecondsAfterFinished: 0 }) =>
  stated('batch/v1', 'Job', 'default/once', {
    spec: { ...more, template: { spec: { containers: [{ name: 'app', image }] } } },
  });
const request = (...objects: ReturnType<typeof job>[]) => ({
  configuration: 'here',
  solutions: [solution('shop', component('web', map('default/a'), ...objects))],
});

let cluster: MemoryCluster;
beforeEach(() => {
  cluster = memoryCluster();
});
const apply = async (...objects: ReturnType<typeof job>[]): Promise<Told> => {
  const told = await applyTo(cluster.connect(), request(...objects));
  expect(told.error).toBeUndefined();
  cluster.rest();
  return told;
};
/** What Kubernetes does once the time to live of the Job is over. */
const expire = (): void => cluster.drop(nameOf(job('')));
const versions = () => Object.entries(versionsOf(cluster)).filter(([place]) => !place.startsWith('Lease '));

describe('a Job that is gone since it has ended well', () => {
  test('does not run again for the same version', async () => {
    await apply(job('app:1'));
    expire();
    const before = versions();
    const { actions } = await apply(job('app:1'));
    expect(actions).toEqual({ 'ConfigMap default/a': 'unchanged', 'Job default/once': 'unchanged' });
    expect(versions()).toEqual(before);
  });

  test('runs again where it is another one now, and is remembered as that', async () => {
    await apply(job('app:1'));
    expire();
    expect((await apply(job('app:2'))).actions).toMatchObject({ 'Job default/once': 'created' });
    expire();
    expect((await apply(job('app:2'))).actions).toMatchObject({ 'Job default/once': 'unchanged' });
    expect((await apply(job('app:1'))).actions).toMatchObject({ 'Job default/once': 'created' });
  });

  test('runs again where nothing said that it would go by itself', async () => {
    await apply(job('app:1', {}));
    expire();
    expect((await apply(job('app:1', {}))).actions).toMatchObject({ 'Job default/once': 'created' });
  });

  test('runs again once its Solution was removed', async () => {
    await apply(job('app:1'));
    expire();
    await applyTo(cluster.connect(), { configuration: 'here', solutions: [] });
    expect(cluster.objects().filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect((await apply(job('app:1'))).actions).toMatchObject({ 'Job default/once': 'created' });
  });

  test('is no longer removed when it is no longer wanted, since it is not there', async () => {
    await apply(job('app:1'));
    expire();
    expect((await apply()).actions).toEqual({ 'ConfigMap default/a': 'unchanged' });
  });
});

test('a Job that has not ended well is not taken for one that has', async () => {
  cluster = memoryCluster({ stuck: ['once'] });
  const impatient = request(job('app:1'));
  const solutions = impatient.solutions.map((one) => ({
    ...one,
    components: one.components.map((each) => ({ ...each, timeout: 20 })),
  }));
  const { error } = await applyTo(cluster.connect(), { ...impatient, solutions });
  expect(error?.code).toBe('object-not-ready');
  expire();
  expect(cluster.objects().filter(({ kind }) => kind === 'Secret')).toEqual([]);
});
