import { describe, expect, test } from 'vitest';
import type { ApplyRequest } from '../../../../../../../lib/parts/clusters/kind.ts';
import { applyTo, type Told, versionsOf } from '../../../../../../support/cluster/applying.ts';
import { having } from '../../../../../../support/cluster/grief.ts';
import { type MemoryCluster, memoryCluster } from '../../../../../../support/cluster/index.ts';
import { component as brief, definition, map, stated } from '../../support.ts';
import { asking, failing, hook, withHook } from './support.ts';

const component: typeof brief = (...given) => ({ ...brief(...given), timeout: 60_000 });
const space = stated('v1', 'Namespace', 'shop');
const nothing: ApplyRequest = { configuration: 'shop', solutions: [] };

/** The hooks that ran, in order, as `event name`. */
const ranIn = ({ events }: Told): string[] =>
  events.flatMap((event) => /^hook \w+ shop\/(\S+), (\S+) of /.exec(event)?.slice(1, 3).reverse().join(' ') ?? []);

async function applied(cluster: MemoryCluster, request: ApplyRequest): Promise<Told> {
  const told = await applyTo(cluster.connect(), request);
  expect(told.error).toBeUndefined();
  cluster.rest();
  return told;
}

const kinds = (cluster: MemoryCluster, kind: string): string[] =>
  cluster.objects().flatMap((object) => (object.kind === kind ? [object.metadata.name] : []));

const every = (version: string) => [
  map('shop/web', version),
  hook('shop/last', 'post-install', version, { 'hook-weight': '10' }),
  hook('shop/first', 'pre-install', version, { 'hook-weight': '-5' }),
  hook('shop/both', 'pre-install,pre-upgrade', version),
  hook('shop/after', 'post-upgrade', version),
  hook('shop/goodbye', 'pre-delete', version),
  hook('shop/gone', 'post-delete', version),
  hook('shop/probe', 'test', version),
];
const shop = (version: string): ApplyRequest => asking(version, component('web', space, ...every(version)));

describe('hooks run at their events', () => {
  test('of an installation, an upgrade and a removal, by weight, and around what they stand around', async () => {
    const cluster = memoryCluster();
    const installed = await applied(cluster, shop('1.0.0'));
    expect(ranIn(installed)).toEqual(['pre-install first', 'pre-install both', 'post-install last']);
    const order = Object.keys(installed.actions).map((object) => object.split('/').at(-1));
    expect(order).toEqual(['Namespace shop', 'first', 'both', 'web', 'last']);
    expect(ranIn(await applied(cluster, shop('2.0.0')))).toEqual(['pre-upgrade both', 'post-upgrade after']);
    expect(kinds(cluster, 'Job')).toEqual(['after', 'both', 'first', 'last']);
    const removed = await applied(cluster, nothing);
    expect(ranIn(removed)).toEqual(['pre-delete goodbye', 'post-delete gone']);
    expect(removed.actions['Job shop/gone']).toBe('ran');
    expect([kinds(cluster, 'Job'), kinds(cluster, 'Secret')]).toEqual([[], []]);
  });

  test('and not for the same again, even where a Job is gone by then', async () => {
    const cluster = memoryCluster();
    await applied(cluster, shop('1.0.0'));
    cluster.drop({ apiVersion: 'batch/v1', kind: 'Job', name: 'both', namespace: 'shop' });
    const versions = versionsOf(cluster);
    const again = await applied(cluster, shop('1.0.0'));
    expect(ranIn(again)).toEqual([]);
    expect(new Set(Object.values(again.actions))).toEqual(new Set(['unchanged']));
    expect(versionsOf(cluster)).toEqual(versions);
  });

  test('of an installation for a component that is new in a version, and of a removal for one that it lacks', async () => {
    const cluster = memoryCluster();
    const old = component('old', map('shop/old'), hook('shop/farewell', 'pre-delete'));
    const added = component('added', map('shop/added'), hook('shop/hello', 'pre-install,post-upgrade'));
    await applied(cluster, asking('1.0.0', component('web', space), old));
    const told = await applied(cluster, asking('2.0.0', component('web', space), added));
    expect(ranIn(told)).toEqual(['pre-install hello', 'pre-delete farewell']);
    expect(kinds(cluster, 'Job')).toEqual(['hello']);
  });

  test('of an upgrade where the version before had no hooks', async () => {
    const cluster = memoryCluster();
    await applied(cluster, asking('1.0.0', component('web', space, map('shop/web'))));
    expect(ranIn(await applied(cluster, shop('2.0.0')))).toEqual(['pre-upgrade both', 'post-upgrade after']);
  });

  test('of a rollback where it is gone back to, and then none of an upgrade', async () => {
    const cluster = memoryCluster();
    const undo = hook('shop/undo', 'pre-rollback,post-rollback');
    const migrate = hook('shop/migrate', 'pre-upgrade');
    const first = asking('1.0.0', component('web', space, map('shop/web', '1'), undo, migrate));
    await applied(cluster, first);
    await applied(cluster, asking('2.0.0', component('web', space, map('shop/web', '2'))));
    expect(ranIn(await applied(cluster, { ...first, isReturn: true }))).toEqual([
      'pre-rollback undo',
      'post-rollback undo',
    ]);
    expect(ranIn(await applied(cluster, { ...first, isReturn: true }))).toEqual([]);
  });

  test('of no event where another kind of component states the same', async () => {
    const cluster = memoryCluster();
    const odd = withHook(map('shop/odd'), 'crd-install');
    await applied(cluster, asking('1.0.0', component('web', space, odd)));
    expect(kinds(cluster, 'ConfigMap')).toContain('odd');
  });
});

describe('what hooks have made', () => {
  const policies = (policy: string) => ({ 'hook-delete-policy': policy });

  test('is deleted once all of an event have succeeded, where its policy says so', async () => {
    const cluster = memoryCluster();
    const done = hook('shop/done', 'post-install', '1', policies('hook-succeeded'));
    const account = withHook(stated('v1', 'ServiceAccount', 'shop/done'), 'post-install', {
      ...policies('before-hook-creation,hook-succeeded'),
      'hook-weight': '-1',
    });
    const kept = hook('shop/kept', 'post-install', '1', policies('hook-failed'));
    await applied(cluster, asking('1.0.0', component('web', space, done, account, kept)));
    expect(kinds(cluster, 'Job')).toEqual(['kept']);
    expect(kinds(cluster, 'ServiceAccount').filter((name) => name === 'done')).toEqual([]);
  });

  test('stays where a hook fails, unless its policy says otherwise, and what has succeeded before it goes', async () => {
    const run = async (policy: string) => {
      const cluster = memoryCluster();
      const before = hook('shop/before', 'pre-install', '1', { ...policies('hook-succeeded'), 'hook-weight': '-1' });
      const fails = hook('shop/fails', 'pre-install', '1', policies(policy));
      const web = component('web', space, map('shop/web'), before, fails);
      const { error } = await applyTo(failing(cluster, 'fails'), asking('1.0.0', web));
      expect([error?.code, error?.subject]).toEqual(['object-not-ready', 'Job shop/fails']);
      cluster.rest();
      expect(kinds(cluster, 'ConfigMap')).not.toContain('web');
      return kinds(cluster, 'Job');
    };
    expect(await run('before-hook-creation')).toEqual(['fails']);
    expect(await run('hook-failed')).toEqual([]);
  });

  test('is made anew for the next event, a Job always, others where nothing was said or their policy says so', async () => {
    const cluster = memoryCluster();
    const events = 'pre-install,pre-upgrade';
    const request = (version: string) =>
      asking(
        version,
        component(
          'web',
          space,
          map('shop/web', version),
          hook('shop/job', events, '1', policies('hook-failed')),
          withHook(map('shop/anew'), events),
          withHook(map('shop/same'), events, policies('hook-failed')),
        ),
      );
    const uids = () =>
      ['job', 'anew', 'same'].map((name) => cluster.objects().find((one) => one.metadata.name === name)?.metadata.uid);
    await applied(cluster, request('1.0.0'));
    const before = uids();
    await applied(cluster, request('2.0.0'));
    expect(uids().map((uid, at) => uid === before[at])).toEqual([false, false, true]);
  });

  test('is never taken from somebody else', async () => {
    const cluster = await having({ ...asking('1.0.0', component('web', space)), configuration: 'shop' });
    const theirs = stated('batch/v1', 'Job', 'shop/both', { spec: { template: { spec: { containers: [] } } } });
    await cluster.connect().apply(theirs, { manager: 'somebody' }, new AbortController().signal);
    const { error } = await applyTo(cluster.connect(), shop('2.0.0'));
    expect(error?.code).toMatch(/^object-(?:conflict|refused)$/);
    expect(kinds(cluster, 'Job')).toEqual(['both']);
  });

  test('goes with a version that no longer has the hook', async () => {
    const cluster = memoryCluster();
    await applied(cluster, shop('1.0.0'));
    await applied(cluster, asking('2.0.0', component('web', space, map('shop/web', '2'))));
    expect([kinds(cluster, 'Job'), kinds(cluster, 'Secret')]).toEqual([[], ['record-shop.applied']]);
    expect(ranIn(await applied(cluster, nothing))).toEqual([]);
  });
});

test('a hook before an upgrade sees the definitions that were there, and a new one beside it is made first', async () => {
  const cluster = memoryCluster();
  const check = hook('shop/check', 'pre-upgrade');
  const request = (version: string, ...more: Parameters<typeof component>[1][]) =>
    asking(version, component('web', space, definition('Widget', [`v${version[0]}`]), check, ...more));
  await applied(cluster, request('1.0.0'));
  const gadget = stated('example.com/v1', 'Gadget', 'shop/g');
  const { actions } = await applied(cluster, request('2.0.0', definition('Gadget'), gadget));
  expect(Object.keys(actions)).toEqual([
    'Namespace shop',
    'CustomResourceDefinition gadgets.example.com',
    'Job shop/check',
    'CustomResourceDefinition widgets.example.com',
    'Gadget shop/g',
  ]);
});

test('a definition may be a hook, and stays', async () => {
  const cluster = memoryCluster();
  const events = 'pre-install,pre-upgrade';
  const widgets = withHook(definition('Widget'), events, {
    'hook-delete-policy': 'before-hook-creation,hook-succeeded',
  });
  const request = (version: string) =>
    asking(
      version,
      component('web', space, widgets, stated('example.com/v1', 'Widget', 'shop/w', { spec: { version } })),
    );
  await applied(cluster, request('1.0.0'));
  await applied(cluster, request('2.0.0'));
  expect([kinds(cluster, 'CustomResourceDefinition'), kinds(cluster, 'Widget')]).toEqual([
    ['widgets.example.com'],
    ['w'],
  ]);
});

test('hooks of a removal are left out where their component was never begun, or its namespace is gone', async () => {
  const cluster = memoryCluster();
  const request = shop('1.0.0');
  const failed = await applyTo(failing(cluster, 'first'), request);
  expect(failed.error?.code).toBe('object-not-ready');
  expect(ranIn(await applied(cluster, nothing))).toEqual([]);

  const other = await having(request);
  other.drop({ apiVersion: 'v1', kind: 'Namespace', name: 'shop' });
  const told = await applied(other, nothing);
  expect(ranIn(told)).toEqual([]);
  expect(told.events.join('\n')).toContain('are skipped, because the namespace shop does not exist');
});

describe('tests of charts', () => {
  test('run once all is ready, where they are asked for, and each time', async () => {
    const cluster = memoryCluster();
    await applied(cluster, shop('1.0.0'));
    for (const _ of ['once', 'again']) {
      const told = await applied(cluster, { ...shop('1.0.0'), test: true });
      expect(ranIn(told)).toEqual(['test probe']);
      expect(told.result?.tests).toEqual([{ solution: 'shop', component: 'web', object: 'Job shop/probe', log: [] }]);
    }
  });

  test('that fail say so, and what was installed is in place', async () => {
    const cluster = memoryCluster();
    const { error } = await applyTo(failing(cluster, 'probe'), { ...shop('1.0.0'), test: true });
    expect([error?.code, error?.subject]).toEqual(['test-failed', 'Job shop/probe']);
    const again = await applied(cluster, shop('1.0.0'));
    expect(new Set(Object.values(again.actions))).toEqual(new Set(['unchanged']));
  });
});
