import { describe, expect } from 'vitest';
import { HOME, PART_OF, setOf } from '../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { applying } from '../support/node/applying.ts';
import { component, deployment, job, pod, request, solution, space } from '../support/node/requests.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { eventually } from '../support/until.ts';

const node = sharedNode();
const { tried, applied, refused, seen } = applying(node);

describe('what a request may not do is reported before anything is changed', () => {
  const of = (...objects: Parameters<typeof solution>[2]) => request('checked', solution('checked', '1.0.0', objects));
  const untouched = async (): Promise<void> => {
    expect(await seen('checked', () => true)).toEqual({});
  };

  nodeTest('a kind that nobody knows, with every object of such a kind', async () => {
    const told = await refused(
      of(space('unknown'), stated('no.such/v1', 'Foo', 'f'), stated('apps/v9', 'Deployment', 'd')),
    );
    expect(told).toMatchObject({ code: 'kind-unknown', subject: 'Foo f' });
    expect(told.message).toMatch(/Foo \(no\.such\/v1\), Deployment \(apps\/v9\).*Foo f.*Deployment d/);
    await untouched();
  });

  nodeTest('a namespace that is neither there nor brought', async () => {
    const told = await refused(of(map('nowhere/a'), map('default/b')));
    expect(told).toMatchObject({ code: 'object-refused', subject: 'ConfigMap nowhere/a' });
    expect(told.message).toMatch(/component all of checked wants it in the namespace nowhere/);
    await untouched();
  });

  nodeTest('every object that the server refuses, not the first alone', async () => {
    const broken = deployment('default/broken');
    const negative = { ...broken, spec: { ...(broken['spec'] as object), replicas: -1 } };
    const numbers = { ...map('default/numbers'), data: { value: 1 } };
    const told = await tried(of(map('default/good'), negative, numbers));
    expect(told.error).toMatchObject({ code: 'object-refused', subject: 'Deployment default/broken' });
    expect(told.error?.message).toMatch(/spec\.replicas.*\(and 1 more object is refused\)$/);
    expect(told.events.join('\n')).toMatch(/^note ConfigMap default\/numbers: .*expected string/m);
    await untouched();
  });

  nodeTest('a policy of the cluster, and a quota that the request itself raises is none', async () => {
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }];
    const group = 'admissionregistration.k8s.io/v1';
    const policy = stated(group, 'ValidatingAdmissionPolicy', 'no-evil', {
      spec: {
        matchConstraints: { resourceRules: rules },
        validations: [{ expression: "object.metadata.name != 'evil'", message: 'evil is not wanted' }],
      },
    });
    const binding = stated(group, 'ValidatingAdmissionPolicyBinding', 'no-evil', {
      spec: { policyName: 'no-evil', validationActions: ['Deny'] },
    });
    await applied(request('policies', solution('policies', '1.0.0', [policy, binding])));
    // A policy counts only some time after it was made, and this one only for what does not exist yet.
    const evil = ['create', 'configmap', 'evil', '--dry-run=server'];
    await eventually(async () => (await node().run('kubectl', evil)).stderr).toContain('not wanted');
    expect((await refused(of(map('default/evil')))).message).toContain('evil is not wanted');
    await untouched();
    await applied(request('policies'));
    const quota = (pods: string) => stated('v1', 'ResourceQuota', 'full/pods', { spec: { hard: { pods } } });
    const robot = stated('v1', 'ServiceAccount', 'full/robot');
    await applied(of(space('full'), quota('1'), pod('full/a')));
    expect(await refused(of(space('full'), quota('1'), pod('full/a'), pod('full/b')))).toMatchObject({
      code: 'object-refused',
      subject: 'Pod full/b',
      message: expect.stringContaining('exceeded quota'),
    });
    const more = [space('full'), quota('2'), pod('full/a'), robot, pod('full/b', { serviceAccountName: 'robot' })];
    expect(await applied(of(...more))).toMatchObject({ 'ResourceQuota full/pods': 'changed', 'Pod full/b': 'created' });
    await applied(request('checked'));
  });

  nodeTest('fields of another manager, unless they are to be taken over', async () => {
    await node().kubectl('create', 'configmap', 'theirs', '--from-literal=value=theirs');
    const told = await refused(of(map('default/theirs')));
    expect(told).toMatchObject({ code: 'object-conflict', subject: 'ConfigMap default/theirs' });
    expect(told.message).toContain('kubectl-create');
    await untouched();
    expect(await applied(of(map('default/theirs')), { force: true })).toEqual({
      'ConfigMap default/theirs': 'changed',
    });
    await applied(request('checked'));
  });

  nodeTest('a field that cannot change; where nothing is lost, the object is replaced instead', async () => {
    const fixed = (value: string) => map('fixed/a', value, { immutable: true });
    const spaces = space('fixed');
    await applied(of(spaces, fixed('1'), job('fixed/run', 'true'), deployment('fixed/web')));
    const told = await refused(of(spaces, fixed('2'), deployment('fixed/web', {}, 'other')));
    expect(told).toMatchObject({ code: 'object-refused', subject: 'Deployment fixed/web' });
    expect(told.hint).toContain('kubectl delete deployment web -n fixed');
    expect(await applied(of(spaces, fixed('2'), job('fixed/run', 'sleep 0'), deployment('fixed/web')))).toEqual({
      'Namespace fixed': 'unchanged',
      'ConfigMap fixed/a': 'replaced',
      'Job fixed/run': 'replaced',
      'Deployment fixed/web': 'unchanged',
    });
    await applied(request('checked'));
  });
});

describe('Solutions side by side', () => {
  const shared = [space('both'), map('both/shared')];
  const a = solution('a', '1.0.0', [...shared, map('both/a')]);
  const b = solution('b', '1.0.0', [...shared, map('both/b')]);
  const owner = (name: string) =>
    node()
      .kubectl('get', 'configmap', '-n', 'both', name, '-o', 'jsonpath={.metadata.labels}')
      .then((labels) => JSON.parse(labels)[PART_OF]);

  nodeTest('share what both bring; it outlives the first of them', async () => {
    await applied(request('both', a, b));
    expect(await owner('shared')).toBe(setOf('a'));
    const versions = [
      await seen('a', ({ metadata }) => metadata.resourceVersion),
      await seen('b', ({ metadata }) => metadata.resourceVersion),
    ];
    await applied(request('both', a, b));
    expect([
      await seen('a', ({ metadata }) => metadata.resourceVersion),
      await seen('b', ({ metadata }) => metadata.resourceVersion),
    ]).toEqual(versions);
    expect(await applied(request('both', b))).toMatchObject({
      'ConfigMap both/shared': 'changed',
      'ConfigMap both/a': 'removed',
    });
    expect(await owner('shared')).toBe(setOf('b'));
  });

  nodeTest('of another configuration keep what is theirs', async () => {
    const told = await refused(request('else', solution('c', '1.0.0', [map('both/shared')])));
    expect(told).toMatchObject({ code: 'object-conflict', subject: 'ConfigMap both/shared' });
    expect(told.message).toContain('belongs to the Solution b 1.0.0 of the configuration both');
  });

  nodeTest('of a request that prunes nothing stay as they are, and are removed later', async () => {
    const less = solution('b', '1.1.0', [space('both')]);
    expect(await applied({ ...request('both', less), prune: false })).toEqual({ 'Namespace both': 'unchanged' });
    expect(await owner('b')).toBe(setOf('b'));
    expect(await applied(request('both', less))).toMatchObject({ 'ConfigMap both/b': 'removed' });
  });

  nodeTest('leave a namespace in which somebody else lives, and take it once nobody does', async () => {
    await node().kubectl('create', 'configmap', 'foreign', '-n', 'both');
    const told = await tried(request('both'));
    expect(told.events).toContain(
      'note Namespace both: no longer wanted, but kept: it contains objects of others: ConfigMap foreign',
    );
    await node().kubectl('delete', 'configmap', 'foreign', '-n', 'both');
    expect(await applied(request('both'))).toEqual({ 'Namespace both': 'removed' });
    expect(
      await node().kubectl('get', 'configmaps', '-n', HOME, '-l', 'applyset.kubernetes.io/id', '-o', 'name'),
    ).not.toMatch(/solution-b/);
  });

  nodeTest('that go together are not in each other’s way', async () => {
    const place = solution('place', '1.0.0', [space('guests')]);
    await applied(request('guests', place, solution('zoo', '1.0.0', [map('guests/lion')])));
    expect(await applied(request('guests'))).toEqual({
      'ConfigMap guests/lion': 'removed',
      'Namespace guests': 'removed',
    });
  });
});

describe('waiting', () => {
  nodeTest('begins a component only when those it comes after are ready', async () => {
    const parts = [
      component('schema', [space('order'), job('order/migrate', 'sleep 1')]),
      component('free', [map('order/free')]),
      component('app', [map('order/app')], { after: ['schema'] }),
    ];
    const { events } = await tried(request('order', solution('order', '1.0.0', parts)));
    const at = (text: string): number => events.findIndex((event) => event.includes(text));
    expect(at('apply order 1.0.0, free')).toBeLessThan(at('wait Job order/migrate: '));
    expect(at('wait Job order/migrate: 0 of 1')).toBeLessThan(at('apply order 1.0.0, app'));
    await applied(request('order'));
  });

  nodeTest('tells a cause early, and in the end fails with it while the version before is still there', async () => {
    const one = solution('late', '1.0.0', [space('late'), map('late/old'), deployment('late/web')]);
    await applied(request('late', one));
    const image = { image: 'absent.solpack.test/app:1', imagePullPolicy: 'Never' };
    const objects = [space('late'), deployment('late/web', image), map('late/new')];
    const two = solution('late', '2.0.0', [component('all', objects, { timeout: 8_000 })]);
    const { error, events } = await tried(request('late', two));
    expect(error).toMatchObject({ code: 'object-not-ready', subject: 'Deployment late/web' });
    expect(error?.message).toMatch(/^component all of late: not ready after \d+ s: .*absent\.solpack\.test\/app:1/);
    expect(error?.hint).toMatch(/nothing of late 1\.0\.0 was removed$/);
    expect(events.filter((event) => event.startsWith('note Deployment late/web: '))).not.toEqual([]);
    expect(
      await node().kubectl('get', 'pods', '-n', 'late', '--field-selector=status.phase=Running', '-o', 'name'),
    ).not.toBe('');
    expect(await node().kubectl('get', 'configmap', '-n', 'late', 'old', '-o', 'name')).toContain('old');
    await applied(request('late', one));
    await applied(request('late'));
  });

  nodeTest('fails at once where an object says that it has failed', async () => {
    const told = await refused(
      request('sad', solution('sad', '1.0.0', [space('sad'), job('sad/run', 'echo no luck; exit 3')])),
    );
    expect(told).toMatchObject({ code: 'object-not-ready', subject: 'Job sad/run' });
    expect(told.message).toMatch(/failed after \d+ s/);
    await applied(request('sad'));
  });

  nodeTest('names the finalizer that holds what was deleted; the next run goes on when it lets go', async () => {
    const held = { ...map('held/a'), metadata: { name: 'a', namespace: 'held', finalizers: ['example.com/hold'] } };
    await applied(request('held', solution('held', '1.0.0', [space('held'), held])));
    const told = await refused(request('held'), { timing: { removal: 1_000 } });
    expect(told).toMatchObject({ code: 'object-not-removed', subject: 'ConfigMap held/a' });
    expect(told.message).toContain('held by finalizer example.com/hold');
    const again = tried(request('held', solution('held', '1.0.0', [space('held'), map('held/a')])));
    const free = '[{"op":"remove","path":"/metadata/finalizers"}]';
    await node().kubectl('patch', 'configmap', 'a', '-n', 'held', '--type=json', '-p', free);
    expect((await again).result?.solutions[0]?.objects).toContainEqual({
      object: 'ConfigMap held/a',
      action: 'created',
      component: 'all',
    });
    expect(await applied(request('held'))).toEqual({ 'ConfigMap held/a': 'removed', 'Namespace held': 'removed' });
  });

  nodeTest('never deletes a claim, nor the namespace that it is in', async () => {
    const volume = stated('v1', 'PersistentVolume', 'disk', {
      spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Mi' }, hostPath: { path: '/tmp/disk' } },
    });
    const claim = stated('v1', 'PersistentVolumeClaim', 'data/claim', {
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        volumeName: 'disk',
        resources: { requests: { storage: '1Mi' } },
      },
    });
    const all = request('data', solution('data', '1.0.0', [space('data'), volume, claim, map('data/a')]));
    await applied(all);
    expect(await applied(request('data'))).toEqual({
      'PersistentVolumeClaim data/claim': 'kept',
      'PersistentVolume disk': 'kept',
      'ConfigMap data/a': 'removed',
      'Namespace data': 'kept',
    });
    expect(await applied(all)).toMatchObject({
      'PersistentVolumeClaim data/claim': 'unchanged',
      'ConfigMap data/a': 'created',
    });
  });
});
