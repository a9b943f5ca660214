import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { programOf } from '../../cli/program.ts';
import { jsonSchemas } from '../../cli/view/json.ts';
import { pluralOf } from '../../formats/kubernetes/plural.ts';
import { quietIo } from '../../scripts/package/quiet-io.ts';
import { plant, plugin } from '../lib/parts/components/support.ts';
import { writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { lessened } from '../support/lessened.ts';
import { dockerRegistry } from '../support/registry.ts';
import { allowed, pageRoles, userWith } from '../support/rights.ts';

const folder = scratch('rights');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);
const image = 'registry.example.com/own/tool:1';
const { block, roles } = pageRoles();

const objects = (colour: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: own}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: own}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: own}
data: {colour: ${colour}}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: own}
stringData: {password: tr0ub4dor-and-three}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: own-robot}
rules:
  - {apiGroups: [""], resources: [configmaps], verbs: [get, watch]}
  - {apiGroups: [""], resources: [secrets], verbs: [watch]}
  - {apiGroups: [""], resources: [pods/exec], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: own-robot}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: own-robot}
subjects: [{kind: ServiceAccount, name: robot, namespace: own}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: tool, namespace: own}
spec:
  replicas: 0
  selector: {matchLabels: {app: tool}}
  template:
    metadata: {labels: {app: tool}}
    spec: {containers: [{name: tool, image: "${image}"}]}
`;

beforeAll(async () => {
  await writeLayout(at('image'), [{ name: image, image: buildImage({ platforms: ['linux/amd64'], seed: 'own' }) }]);
  for (const [version, colour] of [
    ['1.0.0', 'green'],
    ['1.1.0', 'blue'],
  ] as const) {
    writeFiles(folder, {
      [`${version}.yaml`]: objects(colour),
      [`${version}.toml`]: `name = "own"\nversion = "${version}"\n
[[images]]\nreference = "${image}"\nsource = "oci:image:${image}"\n
[[components]]\nname = "all"\nkind = "manifests"\npath = "${version}.yaml"\n
[[components.ready]]\napiVersion = "v1"\nkind = "ServiceAccount"\nname = "default"\nnamespace = "own"\ncel = "has(self.metadata.uid)"\n`,
      [`solutions-${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: own, archives: [${version}.iso]}]
`,
    });
    await packHere(at(`${version}.toml`), at(`${version}.iso`));
  }
  writeFiles(folder, {
    'tree.d/010-base/kustomization.yaml': 'resources: [all.yaml]\n',
    'tree.d/010-base/all.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: loaded, namespace: default}
${objects('red')
  .split('---')
  .filter((one) => one.includes('kind: ClusterRole'))
  .map((one) => `---${one}`.replaceAll('own-robot', 'loaded'))
  .join('')}`,
  });
});

/** The namespaces of the roles that are no cluster's. */
const home: Readonly<Record<string, string>> = {
  history: 'solpack-system',
  resolve: 'solpack-system',
  settle: 'default',
};

/** Makes a user who has the role of that name, with those rules, and nothing else; returns his kubeconfig. */
const userOf = (role: string, rules: unknown, user = role): Promise<string> =>
  userWith(plane(), { user, rules, namespace: home[role] });

const run = async (role: string, ...args: readonly string[]): Promise<Outcome> =>
  solpackHere([...args, '--kubeconfig', await userOf(role, roles.get(role)!['rules'])], { cwd: folder });

let url = '';
const installs = (version: string): string[] => [
  ...['install', '-f', `solutions-${version}.yaml`, '--insecure-skip-verify', '--timeout', '30s'],
  ...['--registry', url, '--hosts-dir', 'certs.d'],
];

interface Command {
  readonly role: string;
  readonly args: readonly string[];
  /** Makes that there is something to do, before each run. */
  readonly before?: () => Promise<unknown>;
  /** Rules and verbs of which nothing is seen here. */
  readonly spare?: readonly string[];
  /** Whether it has not done all that it is for, for want of a right; left out: it ends with `cluster-forbidden`. */
  readonly isShort?: (outcome: Outcome) => boolean | Promise<boolean>;
}

const isForbidden = ({ code, stderr }: Outcome): boolean => code === 5 && stderr.includes('cluster-forbidden');

/** A command does what it is for with its role of the page, and with no verb less. */
async function needs({ role, args, before, spare = [], isShort = isForbidden }: Command): Promise<void> {
  for (const [words, rules] of lessened(roles.get(role)!)) {
    if (spare.includes(words)) continue;
    await before?.();
    const user = `${role}-${words}`;
    const less = await solpackHere([...args, '--kubeconfig', await userOf(role, rules, user)], { cwd: folder });
    expect([`without ${words}`, await isShort(less), less.stderr]).toEqual([
      `without ${words}`,
      true,
      expect.anything(),
    ]);
  }
  await before?.();
  const whole = await run(role, ...args);
  expect([role, whole.code, whole.stderr]).toEqual([role, 0, expect.anything()]);
  expect(await isShort(whole)).toBe(false);
}

/** Makes a Pod whose container has ended. */
async function ended(name: string): Promise<void> {
  const containers = [{ name, image: 'registry.example.com/own/tool:1' }];
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec: { containers } };
  await plane().tried(['create', '-f', '-'], { input: JSON.stringify(pod) });
  const terminated = { exitCode: 0, reason: 'Completed' };
  const containerStatuses = [{ name, ready: false, restartCount: 0, image: '', imageID: '', state: { terminated } }];
  const patch = JSON.stringify({ status: { containerStatuses } });
  const status = ['--subresource=status', '--type=merge', '-p', patch];
  await plane().kubectl('patch', 'pod', name, '-n', 'default', ...status);
}

/** The commands that have an option. */
async function commandsWith(option: string): Promise<string[]> {
  const found = (await programOf(quietIo(), '', () => undefined)).commands.filter((one) =>
    one.options.some(({ long }) => long === option),
  );
  return found.map((one) => one.name()).sort();
}

const colour = async (): Promise<string> =>
  (await plane().tried(['get', 'configmap', 'settings', '-n', 'own', '-o', 'jsonpath={.data.colour}'])).stdout;

describe('the role of the page', () => {
  test('is there for each command that asks a cluster', async () => {
    const commands = [...block.matchAll(/^# ([a-z ,-]+?)(?:(?::|, where) .*)?$/gm)].flatMap(([, words]) =>
      words!.split(', '),
    );
    // The agent prints its own rights, approvals have a table, boot is for an administrator, setup goes on where it may not
    // count nodes, and profile only prints settings.
    const named = new Set(
      [...commands, 'agent', 'approval', 'boot', 'setup', 'profile']
        .map((one) => one.split(' ')[0]!)
        .filter((one) => one[0] !== '-'),
    );
    expect([...named].sort()).toEqual(await commandsWith('--kubeconfig'));
    expect(commands.sort()).toEqual([
      '--progress-to',
      'history',
      'install',
      'install --plan',
      'load',
      'repair',
      'resolve --kubeconfig',
      'rollback',
      'seed',
      'serve --kubeconfig',
      'settle',
      'status',
      'support-bundle',
      'uninstall',
    ]);
  });

  controlPlaneTest('is enough for its command, and each verb of it is needed', async () => {
    ({ url } = await registry());
    // Nobody is bound to what does not exist yet: that shows below, where it is.
    await needs({ role: 'plan', args: [...installs('1.0.0'), '--plan'], spare: ['1-bind'] });
    expect(await colour()).toBe('');
    await needs({ role: 'install', args: installs('1.0.0'), spare: ['2-update'] });
    expect(await colour()).toBe('green');
    await needs({ role: 'status', args: ['status', '--no-images'] });
    // Only of an install that has not ended is the Lease looked at.
    await needs({ role: 'history', args: ['history', 'edge'], spare: ['1-get'] });
    const lacking = ({ stdout }: Outcome): boolean => /may not|forbidden/.test(stdout);
    const bundle = ['support-bundle', '-o', 'bundle.tar.gz', '--json'];
    await needs({
      role: 'support-bundle',
      args: bundle,
      before: async () => rmSync(at('bundle.tar.gz'), { force: true }),
      isShort: lacking,
    });
    // Whoever may not remove a Lease leaves it behind.
    const isHeld = async (outcome: Outcome): Promise<boolean> =>
      isForbidden(outcome) || (await plane().kubectl('get', 'leases', '-n', 'solpack-system', '-o', 'name')) !== '';
    const drop = (): Promise<unknown> =>
      plane().tried(['delete', 'clusterrole/own-robot', 'clusterrolebinding/own-robot']);
    const drift = async (): Promise<void> => {
      const patch = ['-n', 'own', '--type=merge', '-p', '{"data":{"colour":"red"}}'];
      await plane().kubectl('patch', 'configmap', 'settings', ...patch);
      await drop();
    };
    await needs({ role: 'repair', args: ['repair', 'edge'], before: drift, isShort: isHeld });
    expect(await colour()).toBe('green');
    const unbind = (): Promise<unknown> => plane().tried(['delete', 'clusterrolebinding/own-robot']);
    await needs({
      role: 'plan',
      args: [...installs('1.1.0'), '--plan'],
      before: unbind,
      spare: ['0-create', '1-escalate'],
    });
    expect(await run('install', ...installs('1.1.0'))).toMatchObject({ code: 0 });
    const { stdout } = await run('status', 'history', 'edge', '--json');
    const { generations } = jsonSchemas.history.parse(JSON.parse(stdout));
    const first = generations.findLast(({ state }) => state === 'ready')!.number;
    await needs({
      role: 'rollback',
      args: ['rollback', String(first), '--name', 'edge'],
      before: drop,
      isShort: isHeld,
    });
    expect(await colour()).toBe('green');
    const unload = async (): Promise<void> => {
      await plane().tried(['delete', 'clusterrole/loaded', 'clusterrolebinding/loaded']);
    };
    const load = { role: 'install', args: ['load', 'tree.d'], spare: ['2-update'] };
    await needs({ ...load, before: unload, isShort: isHeld });
    const seeding = ['-f', 'solutions-1.0.0.yaml', '--insecure-skip-verify', '--registry', url];
    const seed = ['seed', 'own', ...seeding, '--hosts-dir', 'certs.d', '--no-pin'];
    await needs({ role: 'seed', args: seed, isShort: isHeld });
    await needs({ role: 'resolve', args: ['resolve', '-f', 'solutions-1.0.0.yaml'] });
    const forget = (): Promise<unknown> => plane().tried(['delete', 'configmap', 'progress', '-n', 'default']);
    await ended('loader');
    await needs({ role: 'settle', args: ['settle', 'default/progress', '--pod', 'loader'], before: forget });
    await needs({ role: 'uninstall', args: ['uninstall', 'own'] });
    expect(await colour()).toBe('');
  });
});

describe('inspect --rights', () => {
  controlPlaneTest('lists what is enough to install, and nothing that goes without saying', async () => {
    const { code, stdout } = await solpackHere(['inspect', '--rights', '--json', '1.0.0.iso'], { cwd: folder });
    expect(code).toBe(0);
    const { needed, subjects, unknown } = jsonSchemas['inspect-rights'].parse(JSON.parse(stdout));
    expect(unknown).toEqual([]);
    expect(subjects).toMatchObject([
      {
        subject: 'ServiceAccount own/robot',
        rights: [
          { resource: 'secrets', verbs: ['watch'], power: 'reads the Secrets of all namespaces' },
          { resource: 'pods/exec', power: 'runs commands in Pods' },
          { resource: 'configmaps', verbs: ['get', 'watch'] },
        ],
      },
    ]);
    ({ url } = await registry());
    const rulesIn = (place: string): unknown[] =>
      needed
        .filter(({ namespace }) => namespace === place)
        .map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs }));
    const user = await userOf('listed', rulesIn('*'));
    for (const namespace of new Set(needed.map((one) => one.namespace))) {
      if (namespace === '*') continue;
      await plane().tried(['create', 'namespace', namespace]);
      await allowed(plane(), {
        role: `solpack-listed-${namespace}`,
        user: 'listed',
        rules: rulesIn(namespace),
        namespace,
      });
    }
    const run = [...installs('1.0.0'), '--kubeconfig', user];
    const planned = await solpackHere([...run, '--plan', '--json'], { cwd: folder });
    expect([planned.code, planned.stderr]).toEqual([0, expect.not.stringContaining('may not')]);
    expect(jsonSchemas['install-plan'].parse(JSON.parse(planned.stdout)).rights).toEqual({ subjects, needed });
    const installed = await solpackHere(run, { cwd: folder });
    expect([installed.code, installed.stderr]).toEqual([0, expect.not.stringContaining('may not')]);
    const removed = await solpackHere(['uninstall', 'own', '--kubeconfig', user], { cwd: folder });
    expect([removed.code, removed.stderr]).toEqual([0, expect.anything()]);
  });

  controlPlaneTest('names resources as API servers do', async () => {
    const table = await plane().kubectl('api-resources', '--no-headers');
    const served = table
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/));
    const told = served.map((columns) => [columns.at(-1)!, columns[0]!] as const);
    expect(told.length).toBeGreaterThan(50);
    expect(told.map(([kind]) => pluralOf(kind))).toEqual(told.map(([, plural]) => plural));
  });

  test('tells which components it does not know, and why', async () => {
    writeFiles(folder, {
      'odd.toml': 'name = "odd"\nversion = "1.0.0"\n\n[[components]]\nname = "made"\nkind = "plugin"\npath = "made"\n',
    });
    plant(at('made'), { plugin: plugin('exit 1') });
    await packHere(at('odd.toml'), at('odd.iso'));
    const { stdout } = await solpackHere(['inspect', '--rights', 'odd.iso'], { cwd: folder });
    expect(stdout).toContain('not known component made: plugins are not run');
    const refusal = await solpackHere(['inspect', '--rights', '--provenance', 'odd.iso'], { cwd: folder });
    expect([refusal.code, refusal.stderr]).toEqual([2, expect.stringContaining('contradicts --provenance')]);
  });
});
