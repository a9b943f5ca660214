import { describe, expect, test } from 'vitest';
import { HOME, parentName, setOf } from '../../../../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { ApiError, type KubernetesApi, nameOf } from '../../../../../lib/parts/clusters/kubernetes/server/api.ts';
import { keepsItsPromises } from '../../../../contracts/clusters.ts';
import { applyTo, contentOf, type Manner, type Told, versionsOf } from '../../../../support/cluster/applying.ts';
import { disturbed } from '../../../../support/cluster/faults.ts';
import { type MemoryCluster, memoryCluster } from '../../../../support/cluster/index.ts';
import { component, definition, map, solution, stated } from './support.ts';

const { signal } = new AbortController();
const space = (name: string) => stated('v1', 'Namespace', name);
const shop = (...objects: ReturnType<typeof map>[]) => ({
  configuration: 'here',
  solutions: [solution('shop', component('all', ...objects))],
});
const nothing = { configuration: 'here', solutions: [] };

const workload = (place: string, app = place) => {
  const labels = { app };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  return stated('apps/v1', 'Deployment', place, { spec: { selector: { matchLabels: labels }, template } });
};

const apply = (cluster: MemoryCluster, request: Parameters<typeof applyTo>[1], manner?: Manner): Promise<Told> =>
  applyTo(cluster.connect(), request, manner);

test('a cluster keeps the promises of a target', async () => {
  const cluster = memoryCluster();
  await keepsItsPromises(async (request) => (await apply(cluster, request)).result!);
});

describe('what a request may not do is reported before anything is changed', () => {
  const refused = async (cluster: MemoryCluster, request: Parameters<typeof applyTo>[1]): Promise<Told> => {
    const before = versionsOf(cluster);
    const told = await apply(cluster, request);
    expect(versionsOf(cluster)).toEqual(before);
    return told;
  };

  test('a kind that nobody knows', async () => {
    const { error } = await refused(memoryCluster(), shop(stated('no.such/v1', 'Foo', 'default/f')));
    expect(error).toMatchObject({ code: 'kind-unknown', subject: 'Foo default/f' });
  });

  test('a namespace that is neither there nor brought', async () => {
    const { error } = await refused(memoryCluster(), shop(map('nowhere/a')));
    expect(error).toMatchObject({ code: 'object-refused', subject: 'ConfigMap nowhere/a' });
    expect(error?.message).toContain('wants it in the namespace nowhere, which does not exist');
  });

  test('every object that the server refuses, not the first alone', async () => {
    const wrong = (name: string) => ({ ...map(`default/${name}`), data: { value: 1 } });
    const { error, events } = await refused(memoryCluster(), shop(map('default/good'), wrong('a'), wrong('b')));
    expect(error).toMatchObject({ code: 'object-refused', subject: 'ConfigMap default/a' });
    expect(error?.message).toMatch(/expected string.*\(and 1 more object is refused\)$/);
    expect(events.at(-1)).toMatch(/^note ConfigMap default\/b: .*expected string/);
  });

  test('fields of another manager, unless they are to be taken over', async () => {
    const cluster = memoryCluster();
    await cluster.connect().apply(map('default/theirs', 'theirs'), { manager: 'gitops' }, signal);
    const { error } = await refused(cluster, shop(map('default/theirs')));
    expect(error).toMatchObject({ code: 'object-conflict', message: 'fields belong to "gitops": .data.value' });
    const { actions } = await apply(cluster, shop(map('default/theirs')), { force: true });
    expect(actions).toEqual({ 'ConfigMap default/theirs': 'changed' });
  });

  test('an object of another configuration', async () => {
    const cluster = memoryCluster();
    await apply(cluster, shop(map('default/a')));
    const other = { configuration: 'other', solutions: [solution('else', component('all', map('default/a')))] };
    const { error } = await refused(cluster, other);
    expect(error).toMatchObject({ code: 'object-conflict', subject: 'ConfigMap default/a' });
    expect(error?.message).toContain('belongs to the Solution shop 1.0.0 of the configuration here');
  });

  test('a field that cannot change of what may hold something', async () => {
    const cluster = memoryCluster();
    await apply(cluster, shop(space('shop'), workload('shop/web')));
    const { error } = await refused(cluster, shop(space('shop'), workload('shop/web', 'other')));
    expect(error).toMatchObject({ code: 'object-refused', subject: 'Deployment shop/web' });
    expect(error?.hint).toContain('kubectl delete deployment web -n shop');
  });

  test('nothing where the server does not answer while it is tried', async () => {
    const cluster = memoryCluster();
    const before = versionsOf(cluster);
    const api = disturbed(cluster.connect(), ({ verb }) => (verb === 'try' ? 'unheard' : undefined));
    const { error } = await applyTo(api, shop(map('default/a')));
    expect([error?.code, versionsOf(cluster)]).toEqual(['cluster-unreachable', before]);
  });

  test('what a webhook says that knows no dry runs is no problem, nor that it could not be asked', async () => {
    const words = 'admission webhook "w.example.com" does not support dry run';
    const blind = new ApiError({ verb: 'apply', subject: '' }, { status: 400 }, words);
    const api = disturbed(memoryCluster().connect(), ({ verb }) => (verb === 'try' ? blind : undefined));
    expect((await applyTo(api, shop(map('default/a')))).actions).toEqual({ 'ConfigMap default/a': 'created' });
  });
});

describe('an object', () => {
  test('that cannot be changed is replaced where nothing is lost', async () => {
    const cluster = memoryCluster();
    const fixed = (value: string) => map('default/a', value, { immutable: true });
    await apply(cluster, shop(fixed('1')));
    const { actions, events } = await apply(cluster, shop(fixed('2')));
    expect(actions).toEqual({ 'ConfigMap default/a': 'replaced' });
    expect(events).toContain('replace ConfigMap default/a');
  });

  test('that is being deleted is waited for, and made again', async () => {
    const cluster = memoryCluster();
    const api = cluster.connect();
    const { metadata, ...rest } = map('default/a');
    await api.apply({ ...rest, metadata: { ...metadata, finalizers: ['example.com/hold'] } }, {}, signal);
    await api.remove(nameOf(map('default/a')), { propagation: 'Background' }, signal);
    const releasing: KubernetesApi['read'] = async (name, own) => {
      const live = await api.read(name, own);
      if (live?.metadata.deletionTimestamp !== undefined && ++reads === 9) {
        cluster.change(name, (draft) => {
          draft.metadata.finalizers = [];
        });
      }
      return live;
    };
    let reads = 0;
    const { actions, events } = await applyTo({ ...api, read: releasing }, shop(map('default/a')));
    expect(actions).toEqual({ 'ConfigMap default/a': 'created' });
    expect(events).toContain('remove ConfigMap default/a: held by finalizer example.com/hold');
  });

  test('is applied again where two writers met, and what is waited for is reported once', async () => {
    const met = new ApiError({ verb: 'apply', subject: '' }, { status: 409, reason: 'Conflict' }, 'modified');
    let refusals = 0;
    const api = disturbed(memoryCluster().connect(), ({ verb, subject }) => {
      return verb === 'apply' && subject === 'ConfigMap default/a' && ++refusals < 4 ? met : undefined;
    });
    const { actions, events } = await applyTo(api, shop(map('default/a')));
    expect(actions).toEqual({ 'ConfigMap default/a': 'created' });
    expect(events.filter((event) => event.startsWith('wait '))).toEqual(['wait ConfigMap default/a: modified']);
  });

  test('that is refused when its turn comes is reported in words', async () => {
    const denied = new ApiError({ verb: 'apply', subject: 'ConfigMap default/a' }, { status: 400 }, 'no such luck');
    const api = disturbed(memoryCluster().connect(), ({ verb, subject }) => {
      return verb === 'apply' && subject === 'ConfigMap default/a' ? denied : undefined;
    });
    const { error } = await applyTo(api, shop(map('default/a')));
    expect(error).toMatchObject({ code: 'object-refused', message: 'apply is refused: no such luck' });
  });
});

describe('waiting', () => {
  test('fails with the cause where an object is late, and says what is still there', async () => {
    const cluster = memoryCluster({ stuck: ['web'] });
    await apply(cluster, shop(space('shop'), map('shop/old')));
    const late = { ...component('all', space('shop'), workload('shop/web')), timeout: 60 };
    const second = { configuration: 'here', solutions: [{ ...solution('shop', late), version: '2.0.0' }] };
    const { error, events } = await apply(cluster, second, { timing: { patience: 10, poll: 5 } });
    expect(error).toMatchObject({ code: 'object-not-ready', subject: 'Deployment shop/web' });
    expect(error?.message).toMatch(/^component all of shop: not ready after \d+ s: /);
    expect(error?.hint).toMatch(/nothing of shop 1\.0\.0 was removed$/);
    const notes = events.filter((event) => event.startsWith('note Deployment shop/web: '));
    expect(notes.length).toBe(1);
    // Whoever watches the component knows the cause no later.
    expect(events.slice(0, events.indexOf(notes[0]!))).toContain(notes[0]!.replace('note ', 'component all: '));
    expect(Object.keys(contentOf(cluster))).toContain('ConfigMap shop/old');
  });

  test('fails at once where an object says that it has failed, and not where its Job has gone by itself', async () => {
    const cluster = memoryCluster({ stuck: ['run', 'brief'] });
    const api = cluster.connect();
    const job = (name: string, more: object = {}) =>
      stated('batch/v1', 'Job', `default/${name}`, { spec: { template: {}, ...more } });
    const failing: KubernetesApi['apply'] = async (object, options, own) => {
      const live = await api.apply(object, options, own);
      if (options.dryRun || object.kind !== 'Job') return live;
      if (live.metadata.name === 'brief') cluster.drop(nameOf(live));
      else {
        cluster.change(nameOf(live), (draft) => {
          draft['status'] = { conditions: [{ type: 'Failed', status: 'True', reason: 'Broken', message: 'no luck' }] };
        });
      }
      return live;
    };
    const brief = await applyTo({ ...api, apply: failing }, shop(job('brief', { ttlSecondsAfterFinished: 0 })));
    expect(brief.actions).toEqual({ 'Job default/brief': 'created' });
    const { error } = await applyTo({ ...api, apply: failing }, shop(job('run')));
    expect(error).toMatchObject({ code: 'object-not-ready', subject: 'Job default/run' });
    expect(error?.message).toMatch(/failed after \d+ s/);
  });

  test('goes on while objects cannot be read, and ends with that error where it stays so', async () => {
    const ready = (reads: number) =>
      disturbed(memoryCluster().connect(), ({ verb, subject }) => {
        const isWatched = verb === 'read' && subject === 'Deployment default/a' && ++seen > 1;
        return isWatched && seen < reads ? 'unheard' : undefined;
      });
    let seen = 0;
    const briefly = await applyTo(ready(6), shop(workload('default/a')));
    expect(briefly.actions).toEqual({ 'Deployment default/a': 'created' });
    expect(briefly.events).toContain('wait Deployment default/a: cannot be read: read ECONNRESET');
    seen = 0;
    const short = { ...component('all', workload('default/a')), timeout: 30 };
    const request = { configuration: 'here', solutions: [solution('shop', short)] };
    expect((await applyTo(ready(Number.POSITIVE_INFINITY), request)).error?.code).toBe('cluster-unreachable');
  });

  test('ends where a kind that was defined is not served in time', async () => {
    const cluster = memoryCluster();
    const api = cluster.connect();
    const stale = await api.discover(signal);
    const request = {
      configuration: 'here',
      solutions: [
        solution('shop', {
          ...component('all', definition('Widget'), stated('example.com/v1', 'Widget', 'default/w')),
          timeout: 30,
        }),
      ],
    };
    const { error } = await applyTo({ ...api, discover: async () => stale }, request);
    expect(error).toMatchObject({ code: 'object-not-ready', subject: 'Widget default/w' });
    expect(error?.message).toContain('the API server does not serve Widget (example.com/v1) yet');
  });
});

describe('definitions', () => {
  const widget = 'CustomResourceDefinition widgets.example.com';
  const calls: string[] = [];
  const heard = (cluster: MemoryCluster): KubernetesApi =>
    disturbed(cluster.connect(), ({ verb, subject }) => {
      calls.push(`${verb} ${subject}`);
      return undefined;
    });

  test('come after what needs none of them, the largest first, are waited for by what does, and are not read meanwhile', async () => {
    const cluster = memoryCluster();
    const api = heard(cluster);
    let looks = 0;
    const late: KubernetesApi['apply'] = async (object, options, own) => {
      const after = await api.apply(object, options, own);
      if (object.kind === 'CustomResourceDefinition' && !options.dryRun) looks = 3;
      return object.kind === 'CustomResourceDefinition' ? { ...after, status: {} } : after;
    };
    const discover: KubernetesApi['discover'] = async (own, fresh) => {
      const found = await api.discover(own, fresh);
      looks -= 1;
      const isServed = looks < 1;
      const find: typeof found.find = (version, kind) =>
        kind === 'Widget' && !isServed ? undefined : found.find(version, kind);
      return { ...found, find };
    };
    const large = definition('Gadget');
    const objects = [
      stated('example.com/v1', 'Widget', 'default/w'),
      definition('Widget'),
      { ...large, metadata: { ...large.metadata, annotations: { about: 'a schema'.repeat(1000) } } },
      map('default/a'),
    ];
    const { error, actions } = await applyTo({ ...api, apply: late, discover }, shop(...objects), {
      timing: { poll: 300 },
    });
    expect(error).toBeUndefined();
    expect(Object.keys(actions)).toHaveLength(4);
    const order = ['ConfigMap default/a', 'CustomResourceDefinition gadgets.example.com', widget, 'Widget default/w'];
    const places = order.map((name) => calls.lastIndexOf(`apply ${name}`));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(calls.slice(places[1])).not.toContain(`read ${widget}`);
  });

  test('are neither applied nor tried by the same run once more, also where nothing needs them', async () => {
    const cluster = memoryCluster();
    const request = shop(definition('Widget'), map('default/a'));
    await applyTo(cluster.connect(), request);
    const api = heard(cluster);
    const from = calls.length;
    const { error } = await applyTo(api, request);
    expect(error).toBeUndefined();
    expect(calls.slice(from).filter((call) => call.includes(widget))).toEqual([]);
  });

  test('are read where their kinds are not served for long, for what is wrong with them', async () => {
    const cluster = memoryCluster();
    const api = cluster.connect();
    const refused = { status: { conditions: [{ type: 'NamesAccepted', status: 'False', message: 'taken' }] } };
    const read: KubernetesApi['read'] = async (name, own) => {
      const live = await api.read(name, own);
      return live && name.kind === 'CustomResourceDefinition' ? { ...live, ...refused } : live;
    };
    const apply: KubernetesApi['apply'] = async (object, options, own) => {
      const after = await api.apply(object, options, own);
      return object.kind === 'CustomResourceDefinition' ? { ...after, status: {} } : after;
    };
    const discover: KubernetesApi['discover'] = async (own, fresh) => {
      const found = await api.discover(own, fresh);
      const find: typeof found.find = (version, kind) => (kind === 'Widget' ? undefined : found.find(version, kind));
      return { ...found, find };
    };
    const hidden = { ...api, read, apply, discover };
    const { error } = await applyTo(hidden, shop(definition('Widget')), { timing: { poll: 5 } });
    expect(error).toMatchObject({ code: 'object-not-ready', subject: widget });
    expect(error?.message).toContain('its names are taken by another CustomResourceDefinition');
  });
});

describe('what is no longer wanted', () => {
  test('goes, but for a definition, and what says that it is to be kept', async () => {
    const cluster = memoryCluster();
    const { metadata, ...rest } = map('default/kept');
    const kept = { ...rest, metadata: { ...metadata, annotations: { 'helm.sh/resource-policy': 'keep' } } };
    await apply(cluster, shop(space('shop'), map('shop/a'), kept, definition('Widget')));
    const { actions, events } = await apply(cluster, nothing);
    expect(actions).toEqual({
      'ConfigMap shop/a': 'removed',
      'ConfigMap default/kept': 'kept',
      'CustomResourceDefinition widgets.example.com': 'kept',
      'Namespace shop': 'removed',
    });
    expect(events.filter((event) => event.startsWith('note '))).toHaveLength(2);
    const again = await apply(cluster, nothing);
    expect([again.actions, again.result?.removed, again.events.filter((event) => event.startsWith('note '))]).toEqual([
      {},
      [],
      [],
    ]);
  });

  test('is kept where others live in it, and goes once nobody does', async () => {
    const cluster = memoryCluster();
    await apply(cluster, shop(space('shop')));
    await cluster.connect().apply(map('shop/foreign'), { manager: 'somebody' }, signal);
    const { actions, events } = await apply(cluster, nothing);
    expect(actions).toEqual({ 'Namespace shop': 'kept' });
    expect(events.join('\n')).toContain('wanted, but kept: it contains objects of others: ConfigMap foreign');
    cluster.drop(nameOf(map('shop/foreign')));
    expect((await apply(cluster, nothing)).actions).toEqual({ 'Namespace shop': 'removed' });
  });

  test('is kept where what lives in it cannot be seen', async () => {
    const cluster = memoryCluster();
    await apply(cluster, shop(space('shop')));
    const forbidden = new ApiError({ verb: 'list', subject: 'pods' }, { status: 403 }, 'pods are nobody’s business');
    const api = disturbed(cluster.connect(), ({ verb, subject }) => {
      return verb === 'list' && subject === 'pods' ? forbidden : undefined;
    });
    const { events } = await applyTo(api, nothing);
    expect(events.at(-1)).toContain('its contents cannot be listed: pods are nobody’s business');
  });

  test('that a finalizer holds is named, and the next run goes on when it is let go', async () => {
    const cluster = memoryCluster();
    const { metadata, ...rest } = map('default/a');
    await apply(cluster, shop({ ...rest, metadata: { ...metadata, finalizers: ['example.com/hold'] } }));
    const { error } = await apply(cluster, nothing, { timing: { removal: 30 } });
    expect(error).toMatchObject({ code: 'object-not-removed', subject: 'ConfigMap default/a' });
    expect(error?.message).toContain('held by finalizer example.com/hold');
    cluster.change(nameOf(map('default/a')), (draft) => {
      draft.metadata.finalizers = [];
    });
    expect((await apply(cluster, nothing)).error).toBeUndefined();
    expect(Object.keys(contentOf(cluster)).filter((place) => place.includes('solution-'))).toEqual([]);
  });

  test('stays for now where a request prunes nothing', async () => {
    const cluster = memoryCluster();
    await apply(cluster, shop(map('default/a'), map('default/b')));
    const less = shop(map('default/a'));
    expect((await apply(cluster, { ...less, prune: false })).actions).toEqual({ 'ConfigMap default/a': 'unchanged' });
    expect((await apply(cluster, less)).actions).toMatchObject({ 'ConfigMap default/b': 'removed' });
  });
});

test('where an inventory has to be somebody else has an object, which is left alone', async () => {
  const cluster = memoryCluster();
  const api = cluster.connect();
  await api.apply(space(HOME), {}, signal);
  const theirs = map(`${HOME}/${parentName('shop')}`);
  await api.apply(theirs, { manager: 'somebody' }, signal);
  const { error } = await apply(cluster, shop(map('default/a')));
  expect(error).toMatchObject({ code: 'object-conflict', subject: `ConfigMap ${HOME}/${parentName('shop')}` });
  expect(error?.message).toContain("it is somebody else's, but has the name of the inventory of solpack");
  expect((await api.read(nameOf(theirs), signal))?.['data']).toEqual({ value: '1' });
});

test('the namespace of the inventories is made again where somebody is deleting it', async () => {
  const cluster = memoryCluster();
  const api = cluster.connect();
  await apply(cluster, shop(map('default/a')));
  await api.remove({ apiVersion: 'v1', kind: 'Namespace', name: HOME }, { propagation: 'Background' }, signal);
  const { actions } = await apply(cluster, shop(map('default/a')));
  expect(actions).toEqual({ 'ConfigMap default/a': 'unchanged' });
  const parents = await api.list(
    (await api.discover(signal)).find('v1', 'ConfigMap')!,
    { namespace: HOME, labels: `applyset.kubernetes.io/id=${setOf('shop')}` },
    signal,
  );
  expect(parents).toHaveLength(1);
});
