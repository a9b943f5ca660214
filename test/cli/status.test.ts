import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type JsonResults, jsonSchemas } from '../../cli/view/json.ts';
import { writeMirrors } from '../../lib/parts/mirrors/index.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { scratch } from '../support/judges.ts';
import { makeKey } from '../support/policies.ts';
import { dockerRegistry } from '../support/registry.ts';
import { verticalAutoscaler } from '../support/vertical-autoscaler.ts';

const folder = scratch('status');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const image = 'registry.example.com/shop/web:1';

const shop = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
data: {colour: green, size: "3"}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: shop}
stringData: {password: tr0ub4dor-and-three}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  selector: {app: web}
  ports: [{name: dns, port: 53, protocol: UDP}, {name: dns-tcp, port: 53}, {name: http, port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, annotations: {}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, creationTimestamp: null}
    spec:
      tolerations: []
      volumes: [{name: scratch, emptyDir: {}}]
      containers:
        - name: web
          image: "${image}"
          args: [one, two]
          env: [{name: COLOUR, value: green}]
          ports: [{containerPort: 8080}, {containerPort: 53, protocol: UDP}]
          volumeMounts: [{name: scratch, mountPath: /tmp}]
          resources: {requests: {cpu: 1m}}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: shop}
rules: [{apiGroups: [""], resources: [pods], verbs: [get, list]}]
---
apiVersion: batch/v1
kind: Job
metadata: {name: report, namespace: shop}
spec:
  suspend: true
  template:
    spec: {restartPolicy: Never, containers: [{name: report, image: "${image}"}]}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: carts.shop.example.com}
spec:
  group: shop.example.com
  names: {kind: Cart, plural: carts}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}
---
apiVersion: shop.example.com/v1
kind: Cart
metadata: {name: first, namespace: shop}
spec: {wheels: 4, owners: [a, b], deep: {list: [{name: x, value: 1}]}}
`;

const extra = `apiVersion: v1
kind: ConfigMap
metadata: {name: extra, namespace: default}
data: {value: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: stays, namespace: default, annotations: {helm.sh/resource-policy: keep}}
data: {value: one}
`;

beforeAll(async () => {
  writeFiles(folder, {
    'shop.yaml': shop,
    'extra.yaml': extra,
    'shop.toml': `name = "shop"\nversion = "1.0.0"\n\n[[components]]\nname = "web"\nkind = "manifests"\npath = "shop.yaml"\n
[[images]]\nreference = "${image}"\nsource = "oci:image:${image}"\n`,
    'extra.toml': `name = "extra"\nversion = "2.0.0"\n\n[[components]]\nname = "more"\nkind = "manifests"\npath = "extra.yaml"\n`,
    'edge.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, archives: [shop.iso]}, {name: extra, archives: [extra.iso]}]
`,
  });
  await writeLayout(at('image'), [{ name: image, image: buildImage({ platforms: ['linux/amd64'], seed: 'shop' }) }]);
  for (const name of ['shop', 'extra'])
    await succeeds(['pack', at(`${name}.toml`), '-o', at(`${name}.iso`), '--quiet']);
});

type Status = JsonResults['status'];

async function statusOf(...more: readonly string[]): Promise<{ code: number; status: Status; stderr: string }> {
  const kubeconfig = more.includes('--kubeconfig') ? [] : ['--kubeconfig', plane().kubeconfig];
  const { code, stdout, stderr } = await solpack(['status', ...kubeconfig, '--json', '--quiet', ...more]);
  if (code > 1) throw new Error(stderr);
  return { code, status: jsonSchemas.status.parse(JSON.parse(stdout)) as Status, stderr };
}

/** What is not as it should be, by object. */
const amiss = ({ solutions }: Status): Record<string, string> =>
  Object.fromEntries(
    solutions
      .flatMap(({ objects }) => objects)
      .filter(({ state }) => state !== 'ready')
      .map(({ object, state, reason }) => [object, `${state}: ${reason}`]),
  );

const driftIn = ({ solutions }: Status, object: string) =>
  solutions.flatMap(({ objects }) => objects).find((one) => one.object === object)?.drift;

const patch = (kind: string, name: string, change: object, ...more: readonly string[]): Promise<string> =>
  plane().kubectl('patch', kind, name, '-n', 'shop', '--type', 'merge', '-p', JSON.stringify(change), ...more);

const install = async (): Promise<void> => {
  const { url } = await registry();
  const where = ['--kubeconfig', plane().kubeconfig, '--registry', url, '--timeout', '30s'];
  await succeeds(['install', '-f', at('edge.yaml'), '--insecure-skip-verify', ...where, '--quiet']);
};

describe('status', () => {
  controlPlaneTest(
    'is ready for what was just installed, whatever it is, and names where its images are missing',
    async () => {
      await install();
      const { code, status } = await statusOf();
      expect(amiss(status)).toEqual({});
      expect(code).toBe(0);
      expect(status).toMatchObject({ configuration: 'edge', generation: 1, state: 'ready' });
      expect(status.solutions.map(({ name, version, state, images }) => ({ name, version, state, images }))).toEqual([
        { name: 'extra', version: '2.0.0', state: 'ready', images: { asked: true, missing: [], reasons: {} } },
        { name: 'shop', version: '1.0.0', state: 'ready', images: { asked: true, missing: [], reasons: {} } },
      ]);
      expect(status.solutions[1]?.objects.map(({ object }) => object)).toContain('Namespace//shop');
    },
  );

  controlPlaneTest('is a page for a browser as well, with what the cluster remembers', async () => {
    const page = at('status.html');
    const { code, stdout } = await solpack(['status', '--kubeconfig', plane().kubeconfig, '--html', page]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^wrote .*status\.html/)]);
    expect(readFileSync(page, 'utf8')).toMatch(/<title>edge: ready<\/title>.*<strong>1: .*shop 1\.0\.0/s);
  });

  controlPlaneTest(
    'is drifted where somebody changed or removed a field, or an object, and says who and when',
    async () => {
      await patch('configmap', 'settings', { data: { colour: 'red', more: 'is no drift' } });
      await patch('secret', 'key', { data: { password: Buffer.from('guessed-by-nobody').toString('base64') } });
      await patch('clusterrole', 'shop', { rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }] });
      await patch('cart', 'first', { spec: { wheels: 3, owners: ['a'], deep: null } });
      await plane().kubectl('label', 'service', 'web', '-n', 'shop', 'applyset.kubernetes.io/part-of-');
      const ports = {
        spec: {
          ports: [
            { name: 'http', port: 80, targetPort: 9090 },
            { name: 'dns', port: 53, protocol: 'UDP' },
          ],
        },
      };
      await patch('service', 'web', ports);
      const container = { name: 'web', env: [{ name: 'COLOUR', value: 'red' }], args: ['three'] };
      const template = { spec: { template: { spec: { containers: [container] } } } };
      await patch('deployment', 'web', template, '--type', 'strategic');
      await plane().kubectl('delete', 'job', 'report', '-n', 'shop');
      const { code, status } = await statusOf('shop');
      expect(code).toBe(1);
      expect(status).toMatchObject({ state: 'drifted', solutions: [{ name: 'shop', state: 'drifted' }] });
      expect(status.solutions).toHaveLength(1);
      expect(Object.keys(amiss(status)).sort()).toEqual([
        'Cart/shop/first',
        'ClusterRole//shop',
        'ConfigMap/shop/settings',
        'Deployment/shop/web',
        'Job/shop/report',
        'Secret/shop/key',
        'Service/shop/web',
      ]);
      expect(amiss(status)['Job/shop/report']).toBe('drifted: object Job/shop/report is gone');
      const since = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/);
      const by = { manager: 'kubectl-patch', since };
      expect(driftIn(status, 'ConfigMap/shop/settings')).toEqual([
        { path: 'data.colour', wanted: 'green', found: 'red', ...by },
      ]);
      expect(driftIn(status, 'Secret/shop/key')).toEqual([
        { path: 'data.password', wanted: '***', found: '***', ...by },
      ]);
      expect(driftIn(status, 'ClusterRole//shop')).toMatchObject([{ path: 'rules', ...by }]);
      expect(driftIn(status, 'Cart/shop/first')).toEqual([
        { path: 'spec.wheels', wanted: 4, found: 3, ...by },
        { path: 'spec.owners', wanted: ['a', 'b'], found: ['a'], ...by },
        { path: 'spec.deep.list', wanted: [{ name: 'x', value: 1 }], found: null, manager: null, since: null },
      ]);
      expect(driftIn(status, 'Service/shop/web')).toEqual([
        {
          ...{ path: 'metadata.labels.applyset.kubernetes.io/part-of', found: null, manager: null, since: null },
          wanted: expect.any(String),
        },
        { path: 'spec.ports[dns-tcp]', wanted: { name: 'dns-tcp', port: 53 }, found: null, manager: null, since: null },
        { path: 'spec.ports[http].targetPort', wanted: 8080, found: 9090, ...by },
      ]);
      expect(driftIn(status, 'Deployment/shop/web')).toEqual([
        { path: 'spec.template.spec.containers[web].args', wanted: ['one', 'two'], found: ['three'], ...by },
        { path: 'spec.template.spec.containers[web].env[COLOUR].value', wanted: 'green', found: 'red', ...by },
      ]);
      const shown = await solpack(['status', '--kubeconfig', plane().kubeconfig, '--no-images']);
      expect(shown.stdout).toContain('data.colour: "green" was applied, it is "red", set by kubectl-patch at 20');
      expect(shown.stdout + JSON.stringify(status)).not.toMatch(/tr0ub4dor|guessed-by|dHIwdWI0|Z3Vlc3NlZC/);
    },
  );

  controlPlaneTest('needs no other rights than to read', async () => {
    const rules = readFileSync(join(import.meta.dirname, '../../docs/rights.md'), 'utf8');
    const role = rules.split(/^(?:---|```.*)$/m).find((one) => one.includes('name: solpack-status}'));
    expect(role).toMatch(/verbs: \[get, list\]/);
    writeFiles(folder, { 'role.yaml': role ?? '' });
    await plane().kubectl('apply', '-f', at('role.yaml'));
    await plane().kubectl('create', 'clusterrolebinding', 'reader', '--clusterrole=solpack-status', '--user=reader');
    const kubeconfig = await plane().userKubeconfig('reader');
    const [own, admin] = [await statusOf('--kubeconfig', kubeconfig), await statusOf()];
    expect(own).toEqual(admin);
  });
});

describe('repair', () => {
  controlPlaneTest(
    'puts back what drifted or was deleted, and nothing else, and names whose changes it overrides',
    async () => {
      const repairs = (...words: readonly string[]) =>
        solpack(['repair', 'edge', '--kubeconfig', plane().kubeconfig, '--json', '-q', ...words]);
      makeKey(folder, 'stranger');
      const refused = await repairs('--key', at('stranger.pub'));
      expect([refused.code, JSON.parse(refused.stdout).error.code]).toEqual([3, 'not-trusted']);
      expect(refused.stderr).toMatch(/generation 1 of edge: is not restored.*shop 1.0.0.*\[not-trusted\]/);
      const { code, stdout, stderr } = await repairs();
      expect(stderr).toMatch(/^.*repair: trust was not checked: --policy.*\n$/);
      expect(code).toBe(0);
      const { repaired, left, generation } = jsonSchemas.repair.parse(JSON.parse(stdout));
      expect([left, generation]).toEqual([[], 1]);
      expect(repaired).toContainEqual({
        ...{ object: 'ConfigMap/shop/settings', action: 'changed', restored: [] },
        overrode: [{ manager: 'kubectl-patch', fields: ['data.colour'] }],
      });
      expect(repaired).toContainEqual({ object: 'Job/shop/report', action: 'created', overrode: [], restored: [] });
      expect(repaired).toHaveLength(7);
      expect(amiss((await statusOf()).status)).toEqual({});
      const data = await plane().kubectl('get', 'configmap', 'settings', '-n', 'shop', '-o', 'jsonpath={.data}');
      // What somebody has added was never applied.
      expect(JSON.parse(data)).toEqual({ colour: 'green', size: '3', more: 'is no drift' });
      await plane().kubectl('delete', 'configmap', 'extra', '-n', 'default');
      await patch('configmap', 'settings', { data: { colour: 'blue' } });
      const one = JSON.parse(await succeeds(['repair', 'shop', '--kubeconfig', plane().kubeconfig, '--json', '-q']));
      expect(one.repaired).toMatchObject([{ object: 'ConfigMap/shop/settings' }]);
      expect(amiss((await statusOf('--no-images')).status)).toEqual({
        'ConfigMap/default/extra': 'drifted: object ConfigMap/default/extra is gone',
      });
      await succeeds(['repair', '--kubeconfig', plane().kubeconfig, '-q']);
      const again = await solpack([
        'repair',
        '-f',
        at('edge.yaml'),
        '--kubeconfig',
        plane().kubeconfig,
        '--json',
        '-q',
      ]);
      expect(JSON.parse(again.stdout)).toMatchObject({ repaired: [], left: [], generation: 1 });
      await install();
      expect((await statusOf()).status.generation).toBe(1);
    },
  );

  controlPlaneTest('leaves what an autoscaler may set, which is no drift, but not what a person has', async () => {
    const scaled = async (): Promise<unknown> => driftIn((await statusOf('--no-images')).status, 'Deployment/shop/web');
    await plane().kubectl('scale', 'deployment', 'web', '-n', 'shop', '--replicas=2');
    expect(await scaled()).toMatchObject([{ path: 'spec.replicas', wanted: 0, found: 2, manager: 'kubectl' }]);
    await plane().kubectl('autoscale', 'deployment', 'web', '-n', 'shop', '--min=1', '--max=3');
    expect(await scaled()).toEqual([]);
    await patch('deployment', 'web', { metadata: { annotations: null }, spec: { progressDeadlineSeconds: 700 } });
    const container = { name: 'web', env: [{ name: 'COLOUR', value: 'blue' }] };
    await patch(
      'deployment',
      'web',
      { spec: { template: { spec: { containers: [container] } } } },
      '--type',
      'strategic',
    );
    await succeeds(['repair', '--kubeconfig', plane().kubeconfig, '--quiet']);
    const now = await plane().kubectl(
      'get',
      'deployment',
      'web',
      '-n',
      'shop',
      '-o',
      'jsonpath={.spec.replicas} {..env[0].value}',
    );
    expect(now).toMatch(/^[1-3] green$/);
    await plane().kubectl('delete', 'hpa', 'web', '-n', 'shop');
    await succeeds(['repair', '--kubeconfig', plane().kubeconfig, '--quiet']);
    expect(await scaled()).toEqual([]);
    await plane().kubectl('set', 'resources', 'deployment', 'web', '-n', 'shop', '--requests=cpu=2m');
    const path = 'spec.template.spec.containers[web].resources.requests.cpu';
    expect(await scaled()).toMatchObject([{ path, wanted: '1m', found: '2m' }]);
    await verticalAutoscaler(plane(), 'web');
    expect(await scaled()).toEqual([]);
    await plane().kubectl('delete', 'crd', 'verticalpodautoscalers.autoscaling.k8s.io');
    await succeeds(['repair', '--kubeconfig', plane().kubeconfig, '--quiet']);
    expect(await scaled()).toEqual([]);
  });

  controlPlaneTest('brings back a definition, and the objects that went with it', async () => {
    await plane().kubectl('delete', 'crd', 'carts.shop.example.com');
    await plane().kubectl('delete', 'namespace', 'shop');
    expect(Object.keys(amiss((await statusOf('--no-images')).status))).toHaveLength(8);
    await succeeds(['repair', '--kubeconfig', plane().kubeconfig, '--quiet']);
    expect(amiss((await statusOf('--no-images')).status)).toEqual({});
  });
});

describe('uninstall', () => {
  const uninstalls = (name: string, ...more: readonly string[]) =>
    solpack(['uninstall', name, '--kubeconfig', plane().kubeconfig, '--json', '-q', ...more]);

  controlPlaneTest('removes a Solution as a new generation, tells what stays and why, and does it once', async () => {
    const { code, stdout } = await uninstalls('extra');
    expect(code).toBe(0);
    expect(jsonSchemas.uninstall.parse(JSON.parse(stdout))).toMatchObject({
      ...{ configuration: 'edge', generation: 2, staying: [{ name: 'shop', version: '1.0.0' }] },
      removed: [{ name: 'extra', version: '2.0.0' }],
      kept: [{ object: 'ConfigMap default/stays', reason: 'its annotation helm.sh/resource-policy says so' }],
    });
    expect(await plane().kubectl('get', 'configmap', 'extra', '--ignore-not-found')).toBe('');
    const { code: ready, status } = await statusOf('--no-images');
    expect([ready, status.generation, status.solutions.map(({ name }) => name)]).toEqual([0, 2, ['shop']]);
    const again = await uninstalls('extra');
    expect([again.code, JSON.parse(again.stdout)]).toMatchObject([0, { removed: [], generation: 2 }]);
    const history = JSON.parse(await succeeds(['history', '--kubeconfig', plane().kubeconfig, '--json', '-q']));
    expect(history.generations[0]).toMatchObject({ number: 2, cause: 'uninstall', state: 'ready' });
  });

  controlPlaneTest('refuses a name that nothing has ever had, and takes that of a configuration', async () => {
    const { code, stderr } = await uninstalls('nobody');
    expect(`${code} ${stderr}`).toMatch(/^2 .*nobody: is neither .* of edge \(shop 1.0.0\).*\[solution-unknown\]/);
    const hostsDir = join(folder, 'mirrors');
    const { written } = await writeMirrors(hostsDir, ['registry.example.com'], 'http://127.0.0.1:5000', 'edge');
    const all = JSON.parse((await uninstalls('edge', '--hosts-dir', hostsDir)).stdout);
    expect(jsonSchemas.uninstall.parse(all).mirrors).toEqual({ removed: written, stay: [] });
    expect(all).toMatchObject({ removed: [{ name: 'shop' }], staying: [], generation: 3 });
    expect(all.kept).toMatchObject([{ object: 'CustomResourceDefinition carts.shop.example.com' }]);
    const { code: ready, status } = await statusOf();
    expect([ready, status.solutions]).toEqual([0, []]);
    expect(JSON.parse((await uninstalls('shop')).stdout)).toMatchObject({ removed: [], generation: 3 });
    // It can be gone back to.
    await succeeds(['rollback', '1', '--kubeconfig', plane().kubeconfig, '--allow-missing-images', '--quiet']);
    expect(amiss((await statusOf()).status)).toEqual({});
  });
});
