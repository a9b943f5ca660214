import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatDocuments } from '../../formats/manifest/documents.ts';
import type { KubernetesObject } from '../../formats/manifest/object.ts';
import { admitNobody, openStore, startRegistry } from '../../lib/parts/registry-server/index.ts';
import { stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { listen } from '../support/apiserver.ts';
import { writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { packHere } from '../support/flow.ts';
import { solpackHere } from '../support/here.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, type Outcome, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';

const plane = sharedControlPlane();
const folder = scratch('install-preflight');
const cwd = folder;
const reference = 'registry.example.com/tool:1';

/** A CustomResourceDefinition whose field `spec.size` is of that schema, in those versions. */
function widgets(size: object, versions: readonly string[] = ['v1']): KubernetesObject {
  const spec = { type: 'object', properties: { size } };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return stated('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'widgets.example.com', {
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' },
      scope: 'Namespaced',
      versions: versions.map((name, at) => ({ name, served: true, storage: at === 0, schema: { openAPIV3Schema } })),
    },
  });
}

function tool(pod: object = {}): KubernetesObject {
  const labels = { app: 'tool' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'tool', image: reference }], ...pod } };
  return stated('apps/v1', 'Deployment', 'shop/tool', {
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  });
}

const space = stated('v1', 'Namespace', 'shop');
const map = stated('v1', 'ConfigMap', 'shop/words', { data: { a: '1' } });

/** Packs a Solution of those objects, which bring one image for linux/amd64, and returns its configuration. */
async function packed(
  name: string,
  objects: readonly KubernetesObject[],
  {
    kubernetes = '',
    seed = 'tool',
    solution = 'shop',
    version = '1.0.0',
  }: { kubernetes?: string; seed?: string; solution?: string; version?: string } = {},
): Promise<string> {
  const at = join(folder, name);
  const images = objects.some(({ kind }) => kind === 'Deployment');
  mkdirSync(at);
  await writeLayout(join(at, 'images'), [{ name: reference, image: buildImage({ platforms: ['linux/amd64'], seed }) }]);
  writeFiles(at, {
    'solution.toml': `name = "${solution}"
version = "${version}"
${kubernetes}
${images ? `[[images]]\nreference = "${reference}"\nsource = "oci:images:${reference}"\n` : ''}
[[components]]
name = "all"
kind = "manifests"
path = "all.yaml"
`,
    'all.yaml': formatDocuments(objects),
    'solutions.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: ${solution}s}
solutions: [{name: ${solution}, archives: [shop.iso]}]
`,
  });
  await packHere(join(at, 'solution.toml'), join(at, 'shop.iso'));
  return join(at, 'solutions.yaml');
}

function install(configuration: string, ...more: readonly string[]): Promise<Outcome> {
  return solpackHere(['install', '-f', configuration, '--insecure-skip-verify', '--json', ...more], { cwd });
}

const inCluster = (...more: readonly string[]): string[] => [
  ...['--kubeconfig', plane().kubeconfig, '--hosts-dir', 'certs.d', '--timeout', '20s'],
  ...more,
];

async function apply(...objects: readonly object[]): Promise<void> {
  const input = objects.map((one) => JSON.stringify(one)).join('\n---\n');
  const { code, stderr } = await plane().tried(['apply', '--server-side', '-f', '-'], { input });
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

/** A node that is known and never ran, cordoned as it may be while it is repaired. */
async function addNode(name: string, architecture: string): Promise<void> {
  await apply({ ...stated('v1', 'Node', name), spec: { unschedulable: true } });
  const nodeInfo = { architecture, operatingSystem: 'linux' };
  const words = [
    'machineID',
    'systemUUID',
    'bootID',
    'kernelVersion',
    'osImage',
    'containerRuntimeVersion',
    'kubeletVersion',
    'kubeProxyVersion',
  ];
  const status = { nodeInfo: { ...Object.fromEntries(words.map((word) => [word, ''])), ...nodeInfo } };
  await plane().kubectl(
    'patch',
    'node',
    name,
    '--subresource=status',
    '--type=merge',
    '-p',
    JSON.stringify({ status }),
  );
}

const faults = (stderr: string): string[] => stderr.split('\n').filter((line) => /\[[a-z-]+\]$/.test(line));

let withTool = '';
beforeAll(async () => {
  withTool = await packed('tool', [space, tool()]);
});

describe('before anything changes', () => {
  controlPlaneTest('all that is in the way is reported at once', async () => {
    const configuration = await packed('many', [space, map, tool()], { kubernetes: 'kubernetes = ">=1.29 <1.31"' });
    const kubeconfig = await plane().userKubeconfig('guest');
    const server = createServer();
    const port = await listen(server);
    await addNode('edge', 'arm64');
    const rules = [{ apiGroups: ['', 'apps'], resources: ['*'], verbs: ['get', 'list'] }];
    await apply(
      { ...stated('rbac.authorization.k8s.io/v1', 'ClusterRole', 'guest'), rules },
      {
        ...stated('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'guest'),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'guest' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'guest' }],
      },
    );
    const more = ['--kubeconfig', kubeconfig, '--hold', '--listen', `127.0.0.1:${port}`, '--hosts-dir', 'never'];
    const { code, stderr } = await install(configuration, ...more);
    server.close();
    await plane().kubectl('delete', 'node', 'edge');
    expect(code).toBe(5);
    const lines = faults(stderr);
    expect(lines[0]).toMatch(
      /is for Kubernetes >=1\.29 <1\.31, the cluster has v1.*--allow-unsupported-kubernetes continues anyway \[kubernetes-unsupported\]$/,
    );
    expect(lines[1]).toMatch(/another program uses it.*\[listen-failed\]$/);
    expect(lines[2]).toMatch(
      /registry\.example\.com\/tool:1: has no manifest for linux\/arm64, as which a node runs \(edge\) that may get Deployment shop\/tool; it has linux\/amd64; .*--allow-missing-platforms continues anyway \[platform-missing\]$/,
    );
    const denied = lines.flatMap(
      (line) => /user "guest" may not (.*?); .*\[cluster-forbidden\]$/.exec(line)?.[1] ?? [],
    );
    expect(denied).toEqual(
      expect.arrayContaining([
        'patch configmaps in shop',
        'create configmaps in shop',
        'patch deployments.apps in shop',
        'create leases.coordination.k8s.io in solpack-system',
      ]),
    );
    expect(denied).not.toContain('get deployments.apps in shop');
    expect(lines.at(-1)).toMatch(new RegExp(`\\(and ${lines.length - 2} more, all listed above\\)`));
    expect((await plane().tried(['get', 'namespace', 'solpack-system', 'shop'])).stderr).toMatch(
      /(?:not found\s[\s\S]*){2}/,
    );
  });

  controlPlaneTest('an image has to be for the platforms of all nodes that its Pods may get to', async () => {
    await addNode('edge', 'arm64');
    try {
      const refused = await install(withTool, ...inCluster());
      expect([refused.code, faults(refused.stderr)]).toEqual([5, [expect.stringContaining('[platform-missing]')]]);
      const allowed = await install(withTool, ...inCluster('--allow-missing-platforms'));
      expect([allowed.code, allowed.stderr]).toEqual([0, expect.stringContaining('as --allow-missing-platforms says')]);
      const chosen = await packed('chosen', [space, tool({ nodeSelector: { 'kubernetes.io/arch': 'amd64' } })]);
      expect(await install(chosen, ...inCluster())).toMatchObject({ code: 0 });
    } finally {
      await plane().kubectl('delete', 'node', 'edge');
    }
  });

  controlPlaneTest('the rights that it names as missing are those that an install needs', async () => {
    const kubeconfig = await plane().userKubeconfig('operator');
    const own = stated('v1', 'Namespace', 'own');
    const objects = [own, stated('v1', 'ConfigMap', 'own/words', { data: { a: '1' } })];
    const configuration = await packed('rights', objects, { solution: 'own' });
    const less = await packed('rights-2', [own], { solution: 'own' });
    const made = stated('v1', 'ServiceAccount', 'own/made');
    const annotations = { 'helm.sh/hook': 'pre-upgrade', 'helm.sh/hook-delete-policy': 'hook-succeeded' };
    const hook = { ...made, metadata: { ...made.metadata, annotations } };
    const hooked = await packed('rights-3', [own, hook], { solution: 'own', version: '1.0.1' });
    const rules: object[] = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }];
    const role = stated('rbac.authorization.k8s.io/v1', 'ClusterRole', 'operator');
    await apply(
      { ...role, rules },
      {
        ...stated('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', 'operator'),
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'operator' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'operator' }],
      },
    );
    const more = ['--kubeconfig', kubeconfig, '--hosts-dir', 'certs.d'];
    /** Is refused, and gives the user all that the refusal names. */
    const refused = async (file: string): Promise<string[]> => {
      const { code, stderr } = await install(file, ...more);
      expect([code, stderr]).toEqual([5, expect.stringMatching(/user "[a-z]+" may not/)]);
      const words = /^solpack: \S+: user "[a-z]+" may not (\w+) ([a-z]+)(?:\.(\S+?))?(?: in \S+?)?( \(and .*)?;/gm;
      const lacking = [...stderr.matchAll(words)];
      for (const [, verb, resource, group = ''] of lacking) {
        rules.push({ apiGroups: [group], resources: [resource], verbs: [verb] });
      }
      await apply({ ...role, rules });
      return lacking.map(([, verb, resource]) => `${verb} ${resource}`);
    };
    const succeeds = async (file: string): Promise<void> => {
      const { code, stderr } = await install(file, ...more);
      expect([code, faults(stderr)]).toEqual([0, []]);
    };
    expect(await refused(configuration)).toEqual(expect.arrayContaining(['create namespaces', 'patch configmaps']));
    await succeeds(configuration);
    // Only now are there objects that may be no longer wanted.
    expect(new Set(await refused(configuration))).toEqual(new Set(['list namespaces']));
    await succeeds(configuration);
    expect(new Set(await refused(less))).toEqual(new Set(['delete configmaps']));
    await succeeds(less);
    const making = ['get', 'patch', 'create', 'delete'].map((verb) => `${verb} serviceaccounts`);
    expect(new Set(await refused(hooked))).toEqual(new Set(making));
    await succeeds(hooked);
  });

  controlPlaneTest('a definition may not break what is stored', async () => {
    const before = await packed('crd-1', [space, widgets({ type: 'string' }, ['v1', 'v2'])]);
    expect(await install(before, ...inCluster())).toMatchObject({ code: 0 });
    const widget = (name: string, size: string) =>
      stated('example.com/v1', 'Widget', `shop/${name}`, { spec: { size } });
    await apply(widget('good', 'large'), widget('other', 'small'));
    const integer = await packed('crd-2', [space, widgets({ type: 'integer' }, ['v1', 'v2'])]);
    const refused = await install(integer, ...inCluster());
    expect([refused.code, faults(refused.stderr)]).toEqual([
      5,
      [
        expect.stringMatching(
          /CustomResourceDefinition widgets\.example\.com: would break 2 stored custom resources: Widget shop\/good \(spec\.size has to be an integer, not a string\), Widget shop\/other \(.*--allow-breaking-definitions continues anyway \[definition-breaking\]$/,
        ),
      ],
    ]);
    const narrower = await packed('crd-3', [
      space,
      widgets({ type: 'string', maxLength: 10, pattern: '^l' }, ['v1', 'v2']),
    ]);
    expect((await install(narrower, ...inCluster())).stderr).toMatch(
      /break one stored custom resource: Widget shop\/other \(spec\.size has to match \^l\)/,
    );
    const gone = await packed('crd-4', [space, widgets({ type: 'string' }, ['v2'])]);
    expect((await install(gone, ...inCluster())).stderr).toMatch(
      /drops the version v1, in which custom resources are stored.*\[object-refused\]/,
    );
    const wider = await packed('crd-5', [space, widgets({ type: 'string', maxLength: 10 }, ['v1', 'v2'])]);
    expect(await install(wider, ...inCluster())).toMatchObject({ code: 0 });
    const forced = await install(integer, ...inCluster('--allow-breaking-definitions'));
    expect([forced.code, forced.stderr]).toEqual([0, expect.stringContaining('as --allow-breaking-definitions says')]);
  });
});

describe('a registry', () => {
  const readOnly = dockerRegistry(folder, { readOnly: true });
  const locked = dockerRegistry(folder, { htpasswd: true });

  judged('that can only be read is told of before a byte is sent', ['docker-registry'], async () => {
    const { url } = await readOnly();
    const { code, stderr } = await install(withTool, '--images-only', '--registry', url);
    expect([code, faults(stderr)]).toEqual([
      4,
      [
        expect.stringMatching(
          /\/tool: cannot be pushed to: POST .*\/v2\/tool\/blobs\/uploads\/ was answered with status 405.*is read-only \[registry-error\]$/,
        ),
      ],
    ]);
  });

  judged('that wants a login is told of', ['docker-registry'], async () => {
    const { code, stderr } = await install(withTool, '--images-only', '--registry', (await locked()).url);
    expect([code, faults(stderr)]).toEqual([
      4,
      [expect.stringMatching(/log in to the registry.*\[registry-denied\]$/)],
    ]);
  });

  test('that nobody answers for is told of, also where it is a running serve', async () => {
    for (const way of ['--registry', '--served-at']) {
      const { code, stderr } = await install(withTool, '--images-only', way, 'http://127.0.0.1:9');
      expect([way, code, faults(stderr)]).toEqual([way, 4, [expect.stringContaining('[registry-unreachable]')]]);
    }
  });

  test('that has everything need not be writable', async () => {
    const path = join(folder, 'store-1');
    await withRegistry(path, {}, async (url) => {
      expect(await install(withTool, '--images-only', '--registry', url)).toMatchObject({ code: 0 });
    });
    await withRegistry(path, { admitPush: admitNobody }, async (url) => {
      const { code, stdout } = await install(withTool, '--images-only', '--registry', url);
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { moved: 0 }]);
      const other = await packed('other', [space, tool()], { seed: 'other' });
      const refused = await install(other, '--images-only', '--registry', url);
      expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining('cannot be pushed to: POST ')]);
    });
  });

  test('whose store has no room says so, with bytes, unless it has the contents already', async () => {
    const path = join(folder, 'store-2');
    await withRegistry(path, { freeBytes: 10 }, async (url) => {
      const { code, stderr } = await install(withTool, '--images-only', '--registry', url);
      expect([code, faults(stderr)]).toEqual([
        6,
        [
          expect.stringMatching(
            /: \d[\d.]* \w+ have to be pushed, but the disk of its store has room for 10 B; .*\[disk-full\]$/,
          ),
        ],
      ]);
    });
    await withRegistry(path, {}, async (url) => {
      expect(await install(withTool, '--images-only', '--registry', url)).toMatchObject({ code: 0 });
    });
    await withRegistry(path, { freeBytes: 10 }, async (url) => {
      expect((await fetch(`${url}/v2/tool/manifests/1`, { method: 'DELETE' })).status).toBe(202);
      expect(await install(withTool, '--images-only', '--registry', url)).toMatchObject({ code: 0 });
    });
  });
});

/** Serves a store for as long as `work` takes. */
async function withRegistry(
  path: string,
  { freeBytes, admitPush }: { freeBytes?: number; admitPush?: typeof admitNobody },
  work: (url: string) => Promise<void>,
): Promise<void> {
  await using opened = await openStore(path);
  const store = freeBytes === undefined ? opened : { ...opened, freeBytes: () => freeBytes };
  const registry = await startRegistry([], { host: '127.0.0.1', port: 0, store, admitPush });
  await work(registry.url).finally(() => registry.close());
}
