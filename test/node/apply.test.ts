import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { HOME, setOf } from '../../lib/parts/clusters/kubernetes/desired/applyset.ts';
import { keepsItsPromises } from '../contracts/clusters.ts';
import { map, stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { applying } from '../support/node/applying.ts';
import { component, definition, deployment, request, solution, space } from '../support/node/requests.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const node = sharedNode();
const script = join(import.meta.dirname, '../support/node/apply.ts');
const caller = join(import.meta.dirname, '../support/node/call.ts');
const { tried, applied, seen } = applying(node);

nodeTest('an API server keeps the promises of a target', async () => {
  await keepsItsPromises(async (one) => (await tried(one)).result!);
  await applied(request('contract'));
});

const annotation = 'applyset.kubernetes.io/contains-group-kinds';

describe('a Solution on a real API server', () => {
  const widget = stated('example.com/v1', 'Widget', 'first/w', { spec: { size: 1 } });
  const kinds = definition('widgets', 'Widget', { size: { type: 'integer' } });
  const service = stated('v1', 'Service', 'first/web', {
    spec: { selector: { app: 'first-web' }, ports: [{ port: 80 }] },
  });
  const secret = stated('v1', 'Secret', 'first/key', { stringData: { word: 'open' } });
  const one = request(
    'first',
    solution('first', '1.0.0', [
      component('base', [widget, map('first/a'), map('first/old'), secret, kinds, space('first')]),
      component('web', [deployment('first/web'), service], { after: ['base'] }),
    ]),
  );
  const two = request(
    'first',
    solution('first', '2.0.0', [
      component('base', [map('first/a', '2'), secret, space('first')]),
      component('web', [deployment('first/web')], { after: ['base'] }),
    ]),
  );

  nodeTest('comes up from nothing in phases, whatever order it is stated in', async () => {
    const outcome = await applied(one);
    expect(Object.keys(outcome)).toEqual([
      'Namespace first',
      'ConfigMap first/a',
      'ConfigMap first/old',
      'Secret first/key',
      'CustomResourceDefinition widgets.example.com',
      'Widget first/w',
      'Service first/web',
      'Deployment first/web',
    ]);
    expect(new Set(Object.values(outcome))).toEqual(new Set(['created']));
    expect(
      await node().kubectl('get', 'deployment', '-n', 'first', 'web', '-o', 'jsonpath={.status.availableReplicas}'),
    ).toBe('1');
    expect(await node().kubectl('get', 'secret', '-n', 'first', 'key', '-o', 'jsonpath={.data.word}')).toBe('b3Blbg==');
  });

  nodeTest('is not touched by a second run: no version of any object moves', async () => {
    const before = await seen('first', ({ metadata }) => metadata.resourceVersion);
    expect(Object.keys(before)).toContain(`ConfigMap ${HOME}/solution-first`);
    expect(new Set(Object.values(await applied(one)))).toEqual(new Set(['unchanged']));
    expect(await seen('first', ({ metadata }) => metadata.resourceVersion)).toEqual(before);
  });

  nodeTest('has an inventory that kubectl takes for an ApplySet of another tool', async () => {
    const parent = await node().kubectl('get', 'configmap', '-n', HOME, 'solution-first', '-o', 'json');
    expect(JSON.parse(parent)).toMatchObject({
      metadata: {
        annotations: {
          [annotation]:
            'ConfigMap,CustomResourceDefinition.apiextensions.k8s.io,Deployment.apps,Namespace,Secret,Service,Widget.example.com',
          'applyset.kubernetes.io/additional-namespaces': 'first',
          'applyset.kubernetes.io/tooling': 'solpack/v1',
        },
        labels: { 'applyset.kubernetes.io/id': setOf('first') },
      },
      data: { solution: 'first', version: '1.0.0', configuration: 'first', state: 'ready', components: 'base,web' },
    });
    const taken = await node().run(
      'kubectl',
      ['apply', '-n', HOME, '--prune', '--applyset=configmaps/solution-first', '-f', '-'],
      { env: { KUBECTL_APPLYSET: 'true' }, input: JSON.stringify(map(`${HOME}/x`)) },
    );
    expect(taken.stderr).toContain('is managed by tooling "solpack" instead of "kubectl"');
  });

  nodeTest('loses on an upgrade what the new version does not have, but no CustomResourceDefinition', async () => {
    const pods = () => node().kubectl('get', 'pods', '-n', 'first', '-o', 'name');
    const before = await pods();
    expect(await applied(two)).toEqual({
      'Namespace first': 'unchanged',
      'ConfigMap first/a': 'changed',
      'Secret first/key': 'unchanged',
      'Deployment first/web': 'unchanged',
      'Widget first/w': 'removed',
      'Service first/web': 'removed',
      'ConfigMap first/old': 'removed',
      'CustomResourceDefinition widgets.example.com': 'kept',
    });
    expect(await pods()).toBe(before);
    expect(
      await node().kubectl(
        'get',
        'configmap',
        '-n',
        HOME,
        'solution-first',
        '-o',
        'jsonpath={.data.version} {.metadata.annotations}',
      ),
    ).toMatch(
      /^2\.0\.0 .*"ConfigMap,CustomResourceDefinition\.apiextensions\.k8s\.io,Deployment\.apps,Namespace,Secret"/,
    );
    const versions = await seen('first', ({ metadata }) => metadata.resourceVersion);
    await applied(two);
    expect(await seen('first', ({ metadata }) => metadata.resourceVersion)).toEqual(versions);
  });

  nodeTest('is removed when its configuration no longer has it, and found again by what was kept', async () => {
    expect(await applied(request('first'))).toEqual({
      'Deployment first/web': 'removed',
      'ConfigMap first/a': 'removed',
      'Secret first/key': 'removed',
      'CustomResourceDefinition widgets.example.com': 'kept',
      'Namespace first': 'removed',
    });
    const state = ['get', 'configmap', '-n', HOME, 'solution-first', '-o', 'jsonpath={.data.state}'];
    expect(await node().kubectl(...state)).toBe('removed');
    expect(await applied(request('first'))).toEqual({});
    expect((await applied(one))['CustomResourceDefinition widgets.example.com']).toBe('unchanged');
    expect(await node().kubectl(...state)).toBe('ready');
  });

  nodeTest('takes a definition and objects that only its new schema knows in one go', async () => {
    const wider = definition('widgets', 'Widget', { size: { type: 'integer' }, colour: { type: 'string' } });
    const blue = stated('example.com/v1', 'Widget', 'first/w', { spec: { size: 1, colour: 'blue' } });
    const next = request('first', solution('first', '3.0.0', [space('first'), blue, wider]));
    expect(await applied(next)).toMatchObject({ 'Widget first/w': 'changed' });
    expect(await node().kubectl('get', 'widget', '-n', 'first', 'w', '-o', 'jsonpath={.spec.colour}')).toBe('blue');
    await applied(request('first'));
  });
});

describe('a run that is killed', () => {
  const version = (number: string, objects: Parameters<typeof solution>[2]) =>
    request('killed', solution('killed', number, objects));
  const one = version('1.0.0', [space('killed'), map('killed/a'), map('killed/b'), deployment('killed/web')]);
  const two = version('2.0.0', [space('killed'), map('killed/a', '2'), map('killed/c'), deployment('killed/api')]);

  nodeTest('is finished by the next one, wherever it ended', async () => {
    await applied(one);
    await applied(two);
    const wanted = await seen('killed', ({ data }) => data);
    let killed = 0;
    for (let changes = 1; ; changes += 1) {
      await applied(one);
      const input = JSON.stringify({ kubeconfig: node().kubeconfig, request: two, changes });
      const { code } = await node().run(process.execPath, [caller, script, 'applyUntilKilled'], { input });
      await applied(two);
      expect(await seen('killed', ({ data }) => data)).toEqual(wanted);
      if (code === 0) break;
      killed += 1;
    }
    // The journal, four objects, two removals, and the journal again.
    expect(killed).toBeGreaterThanOrEqual(7);
    await applied(request('killed'));
    expect(await seen('killed', () => true)).toEqual({});
  });
});
