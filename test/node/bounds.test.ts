import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { definition } from '../lib/parts/clusters/kubernetes/support.ts';
import { succeeds, writeFiles } from '../support/cli.ts';
import { type Outcome, scratch } from '../support/judges.ts';
import { nodeTest, sharedNode } from '../support/node.ts';
import { makeKey, writePolicy } from '../support/policies.ts';

// A policy's bounds, by the word of a real API server.

const folder = scratch('node-bounds');
const cwd = folder;
const node = sharedNode();

const solution = `name = "shop"
version = "1.0.0"
requires = { "example.com/v1/Wide" = "*" }
[[components]]
name = "all"
kind = "manifests"
path = "all.yaml"
namespace = "shop"
`;
const objects = `apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
---
apiVersion: example.com/v1
kind: Wide
metadata: {name: b, namespace: shop}
`;

nodeTest('a kind that only the cluster knows to be outside of namespaces has to be allowed as one', async () => {
  const key = makeKey(folder, 'release');
  writeFiles(folder, { 'solution.toml': solution, 'all.yaml': objects });
  await succeeds(['pack', '.', '-o', 'shop.iso', '--sign', 'release.key'], { cwd });
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFileSync(join(folder, 'shop.yaml'), `${head}solutions: [{name: shop, archives: [shop.iso]}]\n`);
  const wide = definition('Wide', ['v1'], 'Cluster');
  const open = { openAPIV3Schema: { type: 'object' } };
  const { versions, ...spec } = wide['spec'] as { versions: object[]; names: object };
  const served = versions.map((version) => ({ ...version, storage: true, schema: open }));
  await node().run('kubectl', ['apply', '-f', '-'], {
    input: JSON.stringify({ ...wide, spec: { ...spec, versions: served } }),
  });
  await node().kubectl('wait', '--for=condition=Established', 'crd', wide.metadata.name);

  const install = (allow: object): Promise<Outcome> => {
    writePolicy(join(folder, 'trust.json'), [key], { policies: [{ match: '*', keys: [key.id], allow }] });
    const places = ['--kubeconfig', node().kubeconfig, '--hosts-dir', 'hosts', '--trust-state', 'state'];
    return node().solpack(['install', '-f', 'shop.yaml', '--policy', 'trust.json', ...places], { cwd });
  };
  const refused = await install({ namespaces: ['shop'] });
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('[not-trusted]')]);
  expect(refused.stderr).toContain('Wide b: is of the kind Wide.example.com that the policy does not allow');
  expect(refused.stderr).not.toContain('ConfigMap');
  expect(existsSync(join(folder, 'hosts'))).toBe(false);
  expect(await node().kubectl('get', 'namespaces', '-o', 'name')).not.toMatch(/shop|solpack-system/);

  const allowed = await install({ namespaces: ['shop'], clusterScoped: ['Wide.example.com'] });
  expect([allowed.code, allowed.stderr]).toEqual([0, expect.any(String)]);
  expect(await node().kubectl('get', 'wide', 'b', '-o', 'name')).toBe('wide.example.com/b\n');
});
