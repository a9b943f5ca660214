import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parse, stringify } from 'yaml';
import { stated } from '../lib/parts/clusters/kubernetes/support.ts';
import { writeFiles } from '../support/cli.ts';
import { packHere } from '../support/flow.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { space } from '../support/node/requests.ts';
import { pageOf, web } from '../support/node/shops.ts';
import { image, type Recipe, unpulled, workshop } from '../support/node/solutions.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { bundleDeployment, operatorBundle } from '../support/operator-bundles.ts';
import { eventually } from '../support/until.ts';

// What runs on a real node with Pods of its own: versions of a Solution side by side, and an operator out of its
// bundle.

const folder = scratch('environments-node');
const node = sharedNode();
const shop = workshop(folder, node);

const service = stated('v1', 'Service', 'shop/web', {
  spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
});
const recipe = (version: string): Recipe => {
  return { name: 'shop', version, parts: [{ name: 'all', objects: [space('shop'), service, web('shop', version)] }] };
};

/** Installs versions of the Solution, by the namespaces that they run in. */
async function installs(environments: Readonly<Record<string, string>>): Promise<void> {
  const args = await shop.args([recipe('1.0.0'), recipe('2.0.0')]);
  const path = args[args.indexOf('-f') + 1]!;
  const written = parse(readFileSync(path, 'utf8')) as { readonly solutions: readonly { archives: string[] }[] };
  const archives = written.solutions.flatMap((one) => one.archives);
  const combined = join(folder, 'environments.yaml');
  writeFileSync(combined, stringify({ ...written, solutions: [{ name: 'shop', archives, environments }] }));
  const { code, stderr } = await node().solpack(args.with(args.indexOf('-f') + 1, combined));
  expect([code, stderr]).toEqual([0, expect.anything()]);
}

const page = (namespace: string): Promise<string> => pageOf(namespace, node());
const pods = (namespace: string): Promise<string> =>
  node().kubectl('get', 'pods', '-n', namespace, '-o', 'jsonpath={.items[*].metadata.uid}');

interface Pod {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly status: { readonly phase: string };
}

describe('environments', () => {
  nodeTest('serve each its version; one is upgraded and removed while Pods of the other run on', async () => {
    await installs({ 'team-a': '1.0.0', 'team-b': '2.0.0' });
    // The node's proxy hears of Pods that are ready a moment after their Deployment does.
    await eventually(() => page('team-a')).toBe('1.0.0');
    await eventually(() => page('team-b')).toBe('2.0.0');
    const running = await pods('team-b');
    await installs({ 'team-a': '2.0.0', 'team-b': '2.0.0' });
    await eventually(() => page('team-a')).toBe('2.0.0');
    await installs({ 'team-b': '2.0.0' });
    expect(await node().kubectl('get', 'namespace', 'team-a', '--ignore-not-found')).toBe('');
    expect([await page('team-b'), await pods('team-b')]).toEqual(['2.0.0', running]);
  });
});

describe('a bundle of an operator', () => {
  const cwd = join(folder, 'bundle');
  const container = {
    name: 'manager',
    image,
    command: ['/bin/sleep', '1000000'],
    env: [
      {
        name: 'WATCH_NAMESPACE',
        valueFrom: { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } },
      },
      { name: 'RELATED_IMAGE_CACHE', value: unpulled },
    ],
  };
  const deployments = [
    bundleDeployment('cache-operator', { terminationGracePeriodSeconds: 0, containers: [container] }),
  ];
  const spec = { relatedImages: [{ name: 'cache', image: unpulled }] };
  const cache = (name: string): string =>
    stringify(stated('cache.example.com/v1', 'Cache', `watched/${name}`, { spec: { size: 1 } }));
  const definitionOf = (after: string): string => `name = "cache"
version = "1.4.0"
${[image, unpulled].map((one) => `[[images]]\nreference = "${one}"\nsource = "oci:../images:${one}"\n`).join('')}
[[components]]
name = "room"
kind = "plain+v0"
path = "room"
[[components]]
name = "operator"
kind = "registry+v1"
path = "operator"
namespace = "cache-system"
create-namespace = true
[[components]]
name = "caches"
kind = "manifests"
path = "caches.yaml"
after = ["room", "operator"]
${after}[[components.ready]]
apiVersion = "cache.example.com/v1"
kind = "Cache"
name = "main"
namespace = "watched"
cel = "self.status.phase == 'Running' && self.status.members.all(member, member.ready)"
[[components.ready]]
apiVersion = "cache.example.com/v1"
kind = "Cache"
name = "spare"
namespace = "watched"
condition = "Available"
`;
  const patched = (name: string, status: object): Promise<string> =>
    node().kubectl('patch', 'cache', name, '-n', 'watched', '--type', 'merge', '-p', JSON.stringify({ status }));

  nodeTest('runs, with what the site says it watches; its own kinds say when a component is ready', async () => {
    const args = await shop.args([recipe('1.0.0')]);
    const operator = operatorBundle({ spec, strategy: { deployments } });
    writeFiles(cwd, {
      'room/manifests/all': `${stringify(space('watched'))}---\n${stringify(stated('v1', 'ConfigMap', 'watched/settings'))}`,
      ...Object.fromEntries(Object.entries(operator).map(([path, text]) => [`operator/${path}`, text])),
      'caches.yaml': `${cache('main')}---\n${cache('spare')}`,
    });
    const install = async (timeout: string): Promise<Outcome> => {
      writeFileSync(join(cwd, 'solution.toml'), definitionOf(timeout));
      const archive = join(folder, `cache-${timeout.length}.iso`);
      await packHere(join(cwd, 'solution.toml'), archive);
      const path = join(folder, `cache-${timeout.length}.yaml`);
      const values = { operator: [{ installMode: 'SingleNamespace', watchNamespaces: ['watched'] }] };
      const solutions = [{ name: 'cache', archives: [archive], values }];
      const head = { apiVersion: 'solutions.metalk8s.scality.com/v1alpha1', kind: 'SolutionsConfiguration' };
      writeFileSync(path, stringify({ ...head, metadata: { name: 'cache' }, solutions }));
      return node().solpack(args.with(args.indexOf('-f') + 1, path));
    };

    const early = await install('timeout = "3s"\n');
    expect([early.code, early.stderr]).toEqual([5, expect.stringContaining("self.status.phase == 'Running'")]);
    expect(early.stderr).toContain('no such key: status');
    const pods = ['pods', '-n', 'cache-system', '-l', 'app=cache-operator'];
    const { items } = await node().get<{ items: Pod[] }>(...pods);
    const [{ metadata, status }] = items as [Pod];
    expect([items.length, status.phase]).toEqual([1, 'Running']);
    expect(metadata.annotations['olm.targetNamespaces']).toBe('watched');
    const variables = await node().kubectl('exec', '-n', 'cache-system', metadata.name, '--', '/bin/env');
    expect(variables).toContain('WATCH_NAMESPACE=watched\n');
    expect(variables).toMatch(
      /^RELATED_IMAGE_CACHE=127\.0\.0\.1:\d+\/registry\.example\.com\/tests\/unpulled:1@sha256:[0-9a-f]{64}$/m,
    );
    expect(await node().kubectl('get', 'configmap', 'settings', '-n', 'watched', '-o', 'name')).toContain('settings');

    await patched('main', { phase: 'Pending', members: [{ ready: false }] });
    await patched('spare', { conditions: [{ type: 'Available', status: 'False', reason: 'Starting' }] });
    const told = await node().solpack(['status', '--kubeconfig', node().kubeconfig]);
    expect(told.stdout).toContain('is false: self.status.phase is "Pending", self.status.members is [{"ready":false}]');
    expect(told.stdout).toContain('Available is False: Starting');

    const late = install('');
    await patched('main', { phase: 'Running', members: [{ ready: true }] });
    await patched('spare', { conditions: [{ type: 'Available', status: 'True', reason: 'Up' }] });
    expect(await late).toMatchObject({ code: 0 });
    const after = await node().solpack(['status', '--kubeconfig', node().kubeconfig]);
    expect(after.stdout).not.toContain('is false');
  });
});
