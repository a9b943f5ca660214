import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { kustomization } from '../lib/flows/load/support.ts';
import { configMap, plant, plugin } from '../lib/parts/components/support.ts';
import { scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';

const folder = scratch('node-load');
const node = sharedNode();
const tree = join(folder, 'components.d');

interface Result {
  version: string;
  components: { name: string; state: string }[];
  objects: { object: string; action: string; component?: string }[];
}

beforeAll(() => {
  cpSync(join(import.meta.dirname, '../../fixtures/components.d'), tree, { recursive: true });
});

/** Loads a tree into the cluster, which has to end well. */
async function loads(path: string, ...more: readonly string[]): Promise<Result> {
  const args = ['load', path, '--kubeconfig', node().kubeconfig, '--timeout', '60s', '--json', ...more];
  return JSON.parse(await node().succeeds(args));
}

/** The names of the objects of a kind that are in a namespace, one a line. */
const names = (kind: string, namespace: string): Promise<string> =>
  node().kubectl('get', kind, '-n', namespace, '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\n"}{end}');

/** Name and resourceVersion of all that the example brings. */
async function versions(): Promise<string> {
  const shown = '{.metadata.name}={.metadata.resourceVersion}';
  const namespace = await node().kubectl('get', 'namespace', 'edge', '-o', `jsonpath=${shown}`);
  const labelled = ['configmap,serviceaccount', '-A', '-l', 'app.kubernetes.io/part-of=edge'];
  return `${namespace} ${await node().kubectl('get', ...labelled, '-o', `jsonpath={range .items[*]}${shown} {end}`)}`;
}

describe('load on a node', () => {
  nodeTest('brings the example tree up, and changes nothing the second time', async () => {
    const first = await loads(tree, '--variable', 'MICROSHIFT_NODENAME=edge-1');
    expect(first.objects.map(({ object, action, component }) => [object, action, component])).toEqual([
      ['Namespace edge', 'created', 'base'],
      ['ServiceAccount edge/agent', 'created', 'base'],
      [expect.stringMatching(/^ConfigMap edge\/settings-[a-z0-9]{10}$/), 'created', 'settings'],
      ['ConfigMap edge/motd', 'created', 'motd'],
    ]);
    expect(await node().get('configmap', 'motd', '-n', 'edge')).toMatchObject({
      data: { node: 'edge-1', domain: '', motd: 'Welcome to the edge.\n' },
    });
    const before = await versions();
    expect(before).toContain('motd=');
    const second = await loads(tree, '--variable', 'MICROSHIFT_NODENAME=edge-1');
    expect(second.version).toBe(first.version);
    expect(new Set(second.objects.map(({ action }) => action))).toEqual(new Set(['unchanged']));
    expect(await versions()).toBe(before);
  });

  nodeTest('keeps what a failed component brought before, and removes nothing meanwhile', async () => {
    const partly = plant(join(folder, 'partly'), {
      ...kustomization('010-good', 'of-good'),
      '020-bad/plugin': plugin('[ ! -e stop ] || { echo "no disk" >&2; exit 1; }; cat map.yaml'),
      '020-bad/map.yaml': configMap('of-bad'),
      ...kustomization('030-gone', 'of-gone'),
    });
    await loads(partly);
    plant(partly, { '020-bad/stop': '', '010-good/map.yaml': configMap('of-good', 'changed') });
    rmSync(join(partly, '030-gone'), { recursive: true });
    const args = ['load', partly, '--kubeconfig', node().kubeconfig, '--keep-going', '--quiet'];
    const { code, stdout, stderr } = await node().solpack(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('(code 1): no disk; ')]);
    expect(stdout).toMatch(/^loaded in part partly /);
    expect(await node().get('configmap', 'of-good')).toMatchObject({ data: { key: 'changed' } });
    expect(await names('configmap', 'default')).toMatch(/^of-bad\n(?:.*\n)*of-gone\n/m);
    rmSync(join(partly, '020-bad/stop'));
    expect((await loads(partly)).objects).toEqual([
      { object: 'ConfigMap default/of-good', action: 'unchanged', component: 'good' },
      { object: 'ConfigMap default/of-bad', action: 'unchanged', component: 'bad' },
      { object: 'ConfigMap default/of-gone', action: 'removed' },
    ]);
  });

  nodeTest('removes what the tree no longer has, and touches no other Solution', async () => {
    const other = plant(join(folder, 'other'), {
      ...kustomization('010-a', 'of-a'),
      '020-b/plugin': plugin(`cat <<END\n${configMap('of-b')}END`),
    });
    await loads(tree);
    await loads(other);
    rmSync(join(other, '010-a'), { recursive: true });
    expect((await loads(other)).objects).toEqual([
      { object: 'ConfigMap default/of-b', action: 'unchanged', component: 'b' },
      { object: 'ConfigMap default/of-a', action: 'removed' },
    ]);
    expect(await names('configmap', 'default')).not.toContain('of-a');
    expect(await names('configmap', 'edge')).toContain('motd\n');
    rmSync(join(other, '020-b'), { recursive: true });
    expect((await loads(other, '--allow-empty')).objects).toMatchObject([{ action: 'removed' }]);
    expect(await names('serviceaccount', 'edge')).toContain('agent\n');
  });

  nodeTest('waits for a definition before it applies an object of that kind', async () => {
    const custom = plant(join(folder, 'custom'), {
      '010-object/plugin': plugin('cat object.yaml'),
      '010-object/object.yaml': 'apiVersion: example.com/v1\nkind: Lamp\nmetadata: {name: desk, namespace: default}\n',
      '020-definition/kustomization.yaml': 'resources: [crd.yaml]\n',
      '020-definition/crd.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: lamps, singular: lamp, kind: Lamp}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
    });
    expect((await loads(custom)).components).toMatchObject([{ state: 'loaded' }, { state: 'loaded' }]);
    expect(await names('lamps', 'default')).toBe('desk\n');
  });

  nodeTest('ends before it runs a plugin where the API server does not answer', async () => {
    const marked = plant(join(folder, 'marked'), { '010-a/plugin': plugin('touch ran', 'touch ran; echo v1') });
    const config = await node().ok('sed', ['s/:6443/:1/; s#https://[^"]*#https://127.0.0.1:1#', node().kubeconfig]);
    plant(folder, { 'nowhere.conf': config });
    const args = ['load', marked, '--kubeconfig', join(folder, 'nowhere.conf'), '--quiet'];
    expect(await node().solpack(args)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('[cluster-unreachable]'),
    });
    expect(existsSync(join(marked, '010-a/ran'))).toBe(false);
  });
});
