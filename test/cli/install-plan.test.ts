import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import type { InstallPlan, PlannedAction } from '../../formats/solution/install-plan.ts';
import type { AppliedObject } from '../../lib/parts/clusters/index.ts';
import type { LiveObject } from '../../lib/parts/clusters/kubernetes/server/api.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('install-plan');
const cwd = folder;
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const password = 'correct horse/battery+staple';
const drowned = 'a-value-of-a-Secret';
const env = { DB_PASSWORD: password };

/** The chart of a version: what differs is what a plan of an upgrade has to tell. */
const chart = (version: string): string => `apiVersion: v1
kind: Secret
metadata: {name: db, labels: {tier: "${version}"}}
stringData: {password: {{ .Values.password | quote }}, fixed: "${drowned}-${version}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {version: "${version}", login: "app:{{ .Values.password }}:${version}"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "only-${version}"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}, annotations: {release: "${version}"}}
    spec: {containers: [{name: web, image: "registry.example.com/shop/web:${version}"}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: "before-${version}", annotations: {helm.sh/hook: "pre-install,pre-upgrade"}}
`;

beforeAll(async () => {
  await succeeds(['keygen', '-o', 'k'], { cwd });
  for (const version of ['1.0.0', '1.1.0', '1.2.0-rc.1']) {
    const source = `shop-${version}`;
    const image = buildImage({ platforms: ['linux/amd64'], seed: version, files: { 'etc/shared': 'by all\n' } });
    await writeLayout(join(folder, source, 'images'), [{ name: `registry.example.com/shop/web:${version}`, image }]);
    writeFiles(join(folder, source), {
      'solution.toml': `name = "shop"
version = "${version}"
sequence = 1
[[images]]
reference = "registry.example.com/shop/web:${version}"
source = "oci:images:registry.example.com/shop/web:${version}"
[[components]]
name = "base"
kind = "manifests"
path = "base.yaml"
[[components]]
name = "web"
kind = "helm"
path = "web"
namespace = "shop"
after = ["base"]
`,
      'base.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/values.yaml': 'password: ""\n',
      'web/templates/all.yaml': chart(version),
    });
    await succeeds(['pack', source, '-o', `${source}.iso`, '--sign', 'k.key'], { cwd });
  }
});

/** Writes a configuration with these archives and this version, and installs it with more arguments. */
async function install(active: string, ...args: string[]): Promise<Outcome> {
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  const archives = 'archives: [shop-1.0.0.iso, shop-1.1.0.iso, shop-1.2.0-rc.1.iso]';
  const secrets = 'secrets: {web: [{path: password, env: DB_PASSWORD}]}';
  const solution = `solutions:\n- name: shop\n  activeVersion: "${active}"\n  ${archives}\n  ${secrets}\n`;
  writeFileSync(join(folder, 'solutions.yaml'), `${head}metadata: {name: edge}\n${solution}`);
  const { url } = await registry();
  const places = ['--registry', url, '--hosts-dir', 'certs.d', '--trust-state', 'state'];
  return solpack(['install', '-f', 'solutions.yaml', '--key', 'k.pub', ...places, ...args], { cwd, env });
}

async function planned(active: string, kubeconfig: string, ...more: string[]): Promise<InstallPlan> {
  const { code, stdout, stderr } = await install(active, '--kubeconfig', kubeconfig, '--plan', '--json', ...more);
  expect([code, stderr.split('\n').filter((line) => line.includes('error'))]).toEqual([0, []]);
  writeFileSync(join(folder, 'plan.json'), stdout);
  const plan = JSON.parse(stdout);
  expect(jsonSchemas['install-plan'].strict().parse(plan)).toEqual(plan);
  return plan;
}

/** All that an install may change: objects with their versions, what the registry holds, files. */
async function everything(): Promise<Record<'objects' | 'applied' | 'files', string[]> & { catalog: string }> {
  const { kubectl } = plane();
  const kinds = (await kubectl('api-resources', '--verbs=list', '-o', 'name')).trim().split('\n');
  const own = kinds.filter(
    (kind) => !/^(events|leases|componentstatuses|apiservices|ipaddresses|servicecidrs)/.test(kind),
  );
  const listed = await kubectl('get', own.join(','), '-A', '-o', 'json');
  const objects = JSON.parse(listed).items.map(
    ({ kind, metadata: { namespace = '', name, uid, resourceVersion } }: LiveObject) =>
      `${kind} ${namespace}/${name} ${uid} ${resourceVersion}`,
  );
  // Also what was made and removed again has been asked for: objects are applied, and no dry run is counted here.
  const metrics = (await kubectl('get', '--raw', '/metrics')).split('\n');
  const applied = metrics.filter((line) => /^apiserver_request_total\{.*dry_run="".*verb="APPLY"/.test(line));
  const { url } = await registry();
  const catalog = await (await fetch(`${url}/v2/_catalog`)).text();
  const files = readdirSync(folder, { recursive: true }).filter(
    (path) => path !== 'plan.json' && path !== 'solutions.yaml',
  );
  return { objects, applied, catalog, files: files.map(String).sort() };
}

/** What an install says that it did to objects, and what a plan said that it would. */
const didIn = (result: string): string[] =>
  JSON.parse(result)
    .solutions[0].objects.filter(({ action }: AppliedObject) => action !== 'unchanged')
    .map(({ object, action }: AppliedObject) => `${action} ${object.replace(' ', '/')}`);
const past: Readonly<Record<string, string>> = { create: 'created', change: 'changed', remove: 'removed', run: 'ran' };
const saidIn = ({ steps }: InstallPlan): string[] =>
  steps.filter(({ kind }) => kind === 'apply').map(({ subject, action }) => `${past[action]} ${subject}`);

const told = ({ subject, action }: PlannedAction): string => `${action} ${subject}`;

/** Makes another user who may do everything. */
async function planner(): Promise<string> {
  const { kubectl, userKubeconfig } = plane();
  await kubectl('create', 'clusterrolebinding', 'planners', '--clusterrole=cluster-admin', '--user=planner');
  return userKubeconfig('planner');
}

controlPlaneTest('a plan tells what an install does, and the install does that', async () => {
  const kubeconfig = await planner();
  const before = await everything();
  const plan = await planned('1.0.0', kubeconfig);
  expect(await everything()).toEqual(before);
  expect([existsSync(join(folder, 'certs.d')), existsSync(join(folder, 'state'))]).toEqual([false, false]);
  expect(plan.choices).toEqual([
    {
      name: 'shop',
      version: '1.0.0',
      reason: 'the configuration wants 1.0.0',
      passedOver: ['1.2.0-rc.1', '1.1.0'],
    },
  ]);
  expect(plan.steps.filter(({ kind }) => kind === 'apply').map(told)).toEqual([
    'create Namespace/shop',
    'run ConfigMap/shop/before-1.0.0',
    'create Secret/shop/db',
    'create ConfigMap/shop/settings',
    'create ConfigMap/shop/only-1.0.0',
    'create Deployment/shop/web',
  ]);
  const view = await install('1.0.0', '--kubeconfig', kubeconfig, '--plan');
  expect([view.code, view.stdout]).toEqual([0, expect.stringContaining('6 to create, 1 hook to run')]);

  const { code, stdout, stderr } = await install(
    '1.0.0',
    ...['--kubeconfig', plane().kubeconfig, '--confirm', 'plan.json', '--json'],
  );
  expect([code, stderr.includes('[plan-') ? stderr : '']).toEqual([0, '']);
  expect(didIn(stdout)).toEqual(saidIn(plan));
  const result = JSON.parse(stdout);
  expect(result.movedBytes).toBe(plan.bytes);
  expect(plan.bytes).toBeGreaterThan(0);
  expect(result.mirrors).toEqual(plan.steps.filter(({ kind }) => kind === 'mirror').map(({ subject }) => subject));

  const again = await planned('1.0.0', kubeconfig);
  expect(again.steps.map(({ action }) => action)).toEqual(again.steps.map(() => 'none'));
  const refused = await install('1.1.0', '--kubeconfig', plane().kubeconfig, '--confirm', 'plan.json');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('shop was planned as 1.0.0, and is now 1.1.0'),
  ]);
});

controlPlaneTest('a plan of an upgrade tells fields, removals and restarts, and no value of a Secret', async () => {
  const { kubeconfig, kubectl } = plane();
  const before = await everything();
  expect(before.applied).not.toEqual([]);
  const plan = await planned('1.1.0', kubeconfig);
  expect(await everything()).toEqual(before);
  const objects = plan.steps.filter(({ kind }) => kind === 'apply');
  expect(objects.map(told)).toEqual([
    'run ConfigMap/shop/before-1.1.0',
    'change Secret/shop/db',
    'change ConfigMap/shop/settings',
    'create ConfigMap/shop/only-1.1.0',
    'change Deployment/shop/web',
    'remove ConfigMap/shop/before-1.0.0',
    'remove ConfigMap/shop/only-1.0.0',
  ]);
  const of = (subject: string): PlannedAction => objects.find((one) => one.subject === subject)!;
  expect(of('Secret/shop/db').changes).toEqual([
    { path: 'data.fixed' },
    { path: 'metadata.labels.tier', from: '1.0.0', to: '1.1.0' },
  ]);
  expect(of('ConfigMap/shop/settings').changes).toEqual([
    { path: 'data.login', from: 'app:***:1.0.0', to: 'app:***:1.1.0' },
    { path: 'data.version', from: '1.0.0', to: '1.1.0' },
  ]);
  const deployment = of('Deployment/shop/web');
  expect([deployment.restarts, deployment.changes.map(({ path }) => path)]).toEqual([
    0,
    ['spec.template.metadata.annotations.release', 'spec.template.spec.containers[web].image'],
  ]);

  await kubectl(
    'patch',
    'configmap',
    'settings',
    '-n',
    'shop',
    '-p',
    '{"data":{"version":"by hand"}}',
    '--field-manager=solpack-edge',
  );
  const view = await install('1.1.0', '--kubeconfig', kubeconfig, '--plan', '--force-conflicts');
  expect(view.stdout).toContain('data.version: "by hand" -> "1.1.0"');
  for (const text of [readFileSync(join(folder, 'plan.json'), 'utf8'), view.stdout, view.stderr]) {
    for (const secret of [password, drowned, Buffer.from(drowned).toString('base64').slice(0, 20), 'battery']) {
      expect(text).not.toContain(secret);
    }
  }
  const touched = await everything();
  const refused = await install('1.1.0', '--kubeconfig', kubeconfig, '--confirm', 'plan.json', '--force-conflicts');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('ConfigMap/shop/settings: change of data.version is different');
  expect(await everything()).toEqual(touched);
  const anew = await planned('1.1.0', kubeconfig, '--force-conflicts');
  const done = await install(
    '1.1.0',
    '--kubeconfig',
    kubeconfig,
    '--confirm',
    'plan.json',
    '--force-conflicts',
    '--json',
  );
  expect([done.code, didIn(done.stdout)]).toEqual([0, saidIn(anew)]);
});

controlPlaneTest(
  'a plan is not confirmed where a secret of the site is another one, or the file is no plan',
  async () => {
    const { kubeconfig } = plane();
    await planned('1.0.0', kubeconfig);
    const args = ['--kubeconfig', kubeconfig, '--confirm', 'plan.json'];
    const { url } = await registry();
    const places = ['--registry', url, '--hosts-dir', 'certs.d', '--trust-state', 'state'];
    const line = ['install', '-f', 'solutions.yaml', '--key', 'k.pub', ...places, ...args];
    const other = await solpack(line, { cwd, env: { DB_PASSWORD: 'another one' } });
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('plan-outdated')]);
    writeFileSync(join(folder, 'plan.json'), '{"steps": 1}');
    const none = await solpack(line, { cwd, env });
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('plan-invalid')]);
    const both = await solpack([...line, '--plan'], { cwd, env });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--plan: contradicts --confirm')]);
  },
);
