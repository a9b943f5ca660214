import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import type { KubernetesObject } from '../../formats/manifest/object.ts';
import { manifestParts } from '../../lib/flows/agent/manifests/index.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { lessened } from '../support/lessened.ts';
import { dockerRegistry } from '../support/registry.ts';

const cwd = scratch('agent-manifests');
const plane = sharedControlPlane();
const registry = dockerRegistry(cwd);
const parts = manifestParts().map(({ name }) => name);
const serve = ['--served-at', 'http://127.0.0.1:5000'];

interface Printed {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources?: readonly string[]; readonly verbs: readonly string[] }[];
  // biome-ignore lint/suspicious/noExplicitAny: of any kind.
  readonly spec?: any;
}

function printed(...words: readonly string[]): Promise<string> {
  return succeeds(['agent', '--manifests', ...words], { cwd });
}

async function objectsOf(...words: readonly string[]): Promise<Printed[]> {
  return parseAllDocuments(await printed(...words)).map((document) => document.toJS());
}

async function loaderWith(...words: readonly string[]): Promise<Printed> {
  const objects = await objectsOf('--part', 'loader', ...serve, ...words);
  return objects.find(({ kind }) => kind === 'Job')!;
}

beforeAll(async () => {
  writeFiles(cwd, {
    'solution.toml':
      'name = "shop"\nversion = "1.0.0"\n[[components]]\nname = "all"\nkind = "manifests"\npath = "all.yaml"\n',
    'all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n',
    'solutions.yaml':
      'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: [shop.iso]\nactive: {shop: latest}\n',
  });
  await succeeds(['pack', '-o', 'shop.iso', '--quiet'], { cwd });
});

describe.each(parts)('what is printed for the part %s', (part) => {
  controlPlaneTest('is taken by an API server as it is, twice, without a warning', async () => {
    const input = await printed('--part', part, ...serve, '--archives-from', '/srv/solutions');
    for (const outcome of ['created', 'unchanged']) {
      const { code, stdout, stderr } = await plane().tried(['apply', '-f', '-'], { input });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toContain(outcome);
    }
  });

  test('has no right to everything, where it is known which Solutions come', async () => {
    const rules = (await objectsOf('--part', part, ...serve, '-f', 'solutions.yaml')).flatMap((one) => one.rules ?? []);
    expect(rules.length).toBeGreaterThan(3);
    expect(rules.filter(({ resources = [], verbs }) => [...resources, ...verbs].includes('*'))).toEqual([]);
    expect(rules.flatMap(({ verbs }) => verbs)).not.toContain('escalate');
  });

  test('runs nothing as root, with capabilities or with a root file system that can be written', async () => {
    const objects = await objectsOf('--part', part, ...serve);
    const { spec } = objects.at(-1)!;
    const pod = (spec.jobTemplate?.spec ?? spec).template.spec;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    for (const { securityContext } of [...pod.containers, ...(pod.initContainers ?? [])]) {
      expect(securityContext).toEqual({
        ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
        capabilities: { drop: ['ALL'] },
      });
    }
  });
});

describe('the Job of a loader', () => {
  test('has another name where it is another one', async () => {
    const one = await loaderWith();
    expect(one.metadata.name).toMatch(/^solpack-loader-[0-9a-f]{8}$/);
    expect((await loaderWith()).metadata.name).toBe(one.metadata.name);
    expect((await loaderWith('--image', 'solpack:2')).metadata.name).not.toBe(one.metadata.name);
  });

  test('is not tried again for exit codes that another try does not change, nor counts the end of a node', async () => {
    const { spec } = await loaderWith();
    expect(spec.podFailurePolicy.rules).toEqual([
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { containerName: 'loader', operator: 'In', values: [1, 2, 3, 70] } },
    ]);
  });

  test('installs by the flags of the command line, with the policy of its settings unless a key is named', async () => {
    const argsOf = ({ spec }: Printed): string[] => spec.template.spec.containers[0].args;
    const words = (...more: readonly string[]): Promise<string[]> => loaderWith(...more).then(argsOf);
    expect(await words('--timeout', '9m', '--lease', 'a/b')).toEqual([
      ...['install', '-f', '/etc/solpack/solutions.yaml', ...serve, '--timeout', '9m', '--trust-state', '/state'],
      ...['--policy', '/etc/solpack/trust.toml'],
      ...['--allow-files', '/etc/solpack', '--allow-variable', 'SITE_*'],
      ...['--progress-to', 'solpack-loader/solpack-loader', '--progress-as', '$(POD_NAME)'],
    ]);
    expect(await words('--key', '/etc/solpack/a.pub')).not.toContain('--policy');
  });

  test('lets nobody set a variable that its process goes by', async () => {
    const [{ envFrom }] = (await loaderWith()).spec.template.spec.containers;
    expect(envFrom.map(({ prefix }: { prefix: string }) => prefix)).toEqual(['SITE_', 'SITE_']);
  });

  test('reaches an API server without a Service, where it is reported', async () => {
    const { spec } = await loaderWith('--server', '10.0.0.1:6443');
    for (const { env } of [...spec.template.spec.containers, ...spec.template.spec.initContainers]) {
      expect(env).toContainEqual({ name: 'KUBERNETES_SERVICE_HOST', value: '10.0.0.1' });
      expect(env).toContainEqual({ name: 'KUBERNETES_SERVICE_PORT', value: '6443' });
    }
  });

  test('is followed by a repair that asks whom it trusts, and nothing else of the command line', async () => {
    const argsOf = async (...words: readonly string[]): Promise<string[]> => {
      const objects = await objectsOf('--part', 'repair', ...serve, '--timeout', '9m', ...words);
      return objects.at(-1)!.spec.jobTemplate.spec.template.spec.containers[0].args;
    };
    expect(await argsOf()).toEqual(['repair', '--policy', '/etc/solpack/trust.toml']);
    const root = `sha256:${'a'.repeat(64)}`;
    expect(await argsOf('--key', '/etc/solpack/a.pub', '--allow-unsigned', root)).toEqual([
      ...['repair', '--key', '/etc/solpack/a.pub', '--allow-unsigned', root],
    ]);
    expect(await argsOf('--insecure-skip-verify')).toEqual(['repair']);
  });

  test('takes no name, since its settings say what it installs', async () => {
    const { code, stderr } = await solpack(['agent', 'edge', '--manifests', '--part', 'loader', ...serve], { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^solpack: edge: cannot name a loader; .*\[usage-invalid\]\n$/),
    ]);
  });
});

test('the Deployment of an agent lets its configuration name what is mounted for that, and not its own settings', async () => {
  const objects = await objectsOf('edge', ...serve, '--archives-from', 'claim:archives');
  const [{ args, volumeMounts }] = objects.at(-1)!.spec.template.spec.containers;
  const allowed = args.filter((_: string, at: number) => args[at - 1] === '--allow-files');
  expect(allowed).toEqual(['/archives', '/etc/solpack-site']);
  const mounted = volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  expect(allowed.filter((path: string) => !mounted.includes(path))).toEqual([]);
  expect(mounted).toContain('/etc/solpack');
});

test('a part that there is none of is refused with those that there are', async () => {
  const { code, stderr } = await solpack(['agent', '--manifests', '--part', 'medic', ...serve], { cwd });
  expect([code, stderr]).toEqual([
    2,
    'solpack: --part: "medic" is not a part; name one of agent, loader, repair [usage-invalid]\n',
  ]);
});

describe('the rights that are printed', () => {
  let url = '';
  /** A version brings a namespace that says which one it is, and an account and a role of its own. */
  const small = (version: string): string => `apiVersion: v1
kind: Namespace
metadata: {name: small, labels: {version: v${version}}}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: v${version}, namespace: small}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: v${version}, namespace: small}
rules: [{apiGroups: [apps], resources: [deployments/scale], verbs: [update]}]
`;
  const configuration = (version: string): string => `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: small}
solutions: [{name: small, archives: [small-${version}.iso]}]
`;

  beforeAll(async () => {
    for (const version of ['1.0.0', '2.0.0']) {
      writeFiles(cwd, {
        [`small-${version}.yaml`]: small(version),
        [`small-${version}.toml`]: `name = "small"\nversion = "${version}"\n
[[components]]\nname = "all"\nkind = "manifests"\npath = "small-${version}.yaml"\n`,
        [`of-${version}.yaml`]: configuration(version),
      });
      await packHere(join(cwd, `small-${version}.toml`), join(cwd, `small-${version}.iso`));
    }
  });

  /** The roles that are printed for a part; what is printed beside them, and does not run, is there by then. */
  async function rolesOf(part: string): Promise<KubernetesObject[]> {
    const words = ['agent', '--manifests', '--part', part, '-f', 'of-2.0.0.yaml', '--registry', url];
    const { stdout } = await solpackHere(words, { cwd });
    const all = parseDocuments(stdout, part);
    const apart = all.filter(({ kind }) => ['Namespace', 'ConfigMap'].includes(kind)).map((one) => JSON.stringify(one));
    await plane().tried(['apply', '-f', '-'], { input: apart.join('\n---\n') });
    return all.filter(({ kind }) => /^(?:Cluster)?Role$/.test(kind));
  }

  /** Makes a user who has these roles alone; returns his kubeconfig. */
  async function has(user: string, all: readonly KubernetesObject[]): Promise<string> {
    const group = 'rbac.authorization.k8s.io';
    const made = all.flatMap(({ kind, rules, metadata: { namespace } }) => {
      const metadata = { name: user, ...(namespace === undefined ? {} : { namespace }) };
      return [
        { apiVersion: `${group}/v1`, kind, metadata, rules },
        {
          ...{ apiVersion: `${group}/v1`, kind: `${kind}Binding`, metadata },
          roleRef: { apiGroup: group, kind, name: user },
          subjects: [{ apiGroup: group, kind: 'User', name: user }],
        },
      ];
    });
    await plane().tried(['apply', '-f', '-'], { input: made.map((one) => JSON.stringify(one)).join('\n---\n') });
    return plane().userKubeconfig(user);
  }

  const brings = (version: string): string[] => [
    ...['install', '-f', `of-${version}.yaml`, '--insecure-skip-verify', '--timeout', '30s'],
    ...['--registry', url, '--hosts-dir', 'certs.d'],
  ];
  const asAdministrator = (args: readonly string[]): Promise<Outcome> =>
    solpackHere([...args, '--kubeconfig', plane().kubeconfig], { cwd });

  /** Whether a run has left its Lease behind, since it may not remove it. */
  const isHeld = async (): Promise<boolean> => {
    const left = await plane().kubectl('get', 'leases', '-n', 'solpack-system', '-o', 'name');
    await plane().tried(['delete', 'leases', '--all', '-n', 'solpack-system']);
    return left !== '';
  };

  /**
   * Runs it with the rights of a part, which are enough, and without each verb of them; lists the verbs that it does
   * without.
   */
  async function unneeded(part: string, args: readonly string[], begin: () => Promise<unknown>): Promise<string[]> {
    const all = await rolesOf(part);
    const found: string[] = [];
    for (const [place, one] of all.entries()) {
      for (const [words, rules] of lessened(one)) {
        await begin();
        const less = all.map((other) => (other === one ? { ...one, rules } : other));
        const user = await has(`${part}-${place}-${words}`, less);
        const { code, stderr } = await solpackHere([...args, '--kubeconfig', user], { cwd });
        const [index, verb] = words.split('-');
        const { resources } = (one['rules'] as { resources: string[] }[])[Number(index)]!;
        if (code === 0 && !/may not|rights are not checked/.test(stderr) && !(await isHeld()))
          found.push(`${verb} ${resources} in ${one.metadata.namespace ?? 'the cluster'}`);
      }
    }
    await begin();
    const whole = await solpackHere([...args, '--kubeconfig', await has(part, all)], { cwd });
    expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringMatching(/may not|forbidden/)]);
    return found;
  }

  controlPlaneTest('are enough for a loader and for a repair, and each verb of them is needed', async () => {
    ({ url } = await registry());
    // On a cluster that gives nobody anything by default.
    await plane().kubectl(
      'delete',
      'clusterrolebinding',
      'system:discovery',
      'system:basic-user',
      'system:public-info-viewer',
    );
    const loaded = async (): Promise<void> => {
      expect((await asAdministrator(brings('1.0.0'))).code).toBe(0);
    };
    const loads = [...brings('2.0.0'), '--progress-to', 'solpack-loader/solpack-loader'];
    expect.soft(await unneeded('loader', loads, loaded)).toEqual([
      // By it a refusal names the user.
      'create selfsubjectreviews in the cluster',
      // What is printed has made it; and one that is no longer wanted is kept, since others may have something in it.
      'create namespaces in the cluster',
      'delete namespaces in the cluster',
      // Where nothing is left of a Solution.
      'delete configmaps in solpack-system',
      // Where something does not come up, and for the container that tells of one that was killed: test/node has
      // both.
      'list events in small',
      'get pods in solpack-loader',
    ]);
    const drift = async (): Promise<void> => {
      await plane().kubectl('label', 'namespace', 'small', 'version=none', '--overwrite');
      await plane().tried(['delete', 'role/v2.0.0', 'serviceaccount/v2.0.0', '-n', 'small']);
    };
    expect
      .soft(await unneeded('repair', ['repair', 'small'], drift))
      .toEqual(['create namespaces in the cluster', 'list events in small']);
  });
});
