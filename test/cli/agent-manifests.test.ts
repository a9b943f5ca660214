import { beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { manifestParts } from '../../lib/agent/manifests/index.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';

const cwd = scratch('agent-manifests');
const plane = sharedControlPlane();
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
}, 60_000);

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
      ...['--progress-to', 'solpack-loader/solpack-loader', '--progress-as', '$(POD_NAME)'],
    ]);
    expect(await words('--key', '/etc/solpack/a.pub')).not.toContain('--policy');
  });

  test('reaches an API server without a Service, where it is told', async () => {
    const { spec } = await loaderWith('--server', '10.0.0.1:6443');
    for (const { env } of [...spec.template.spec.containers, ...spec.template.spec.initContainers]) {
      expect(env).toContainEqual({ name: 'KUBERNETES_SERVICE_HOST', value: '10.0.0.1' });
      expect(env).toContainEqual({ name: 'KUBERNETES_SERVICE_PORT', value: '6443' });
    }
  });

  test('takes no name, since its settings say what it installs', async () => {
    const { code, stderr } = await solpack(['agent', 'edge', '--manifests', '--part', 'loader', ...serve], { cwd });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^solpack: edge: is no name for a loader; .*\[usage-invalid\]\n$/),
    ]);
  });
});

test('a part that there is none of is refused with those that there are', async () => {
  const { code, stderr } = await solpack(['agent', '--manifests', '--part', 'medic', ...serve], { cwd });
  expect([code, stderr]).toEqual([
    2,
    'solpack: --part: "medic" is no part; name one of agent, loader, repair [usage-invalid]\n',
  ]);
});
