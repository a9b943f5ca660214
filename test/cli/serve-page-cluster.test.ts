import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';
import { starts, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { scratch } from '../support/judges.ts';
import { until } from '../support/until.ts';

const folder = scratch('serve-page-cluster');
const cwd = folder;
const plane = sharedControlPlane();

beforeAll(async () => {
  writeFiles(folder, {
    'shop.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: default}\n',
    'solution.toml': `name = "shop"\nversion = "1.0.0"\n
[[components]]\nname = "web"\nkind = "manifests"\npath = "shop.yaml"\n`,
    'edge.yaml': `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, archives: [shop.iso]}]
`,
  });
  await succeeds(['pack', '.', '-o', 'shop.iso', '--quiet'], { cwd });
});

/** The page that `serve` shows once it has asked the cluster. */
const pageOf = async (...more: readonly string[]): Promise<string> => {
  const where = ['--kubeconfig', plane().kubeconfig, '--listen', '127.0.0.1:0'];
  await using serving = await starts(['serve', ...more, ...where], { cwd });
  const ask = async (): Promise<string> => (await fetch(serving.first, { headers: { accept: 'text/html' } })).text();
  return await until(ask, (text) => text.includes('As of '));
};

controlPlaneTest(
  'the page of serve tells how Solutions are in the cluster, before and after they are installed',
  async () => {
    expect(await pageOf('shop.iso')).toContain('No Solution is installed.');
    const install = [
      'install',
      '-f',
      'edge.yaml',
      '--kubeconfig',
      plane().kubeconfig,
      '--insecure-skip-verify',
      '--image-folder',
      `k3s:${join(folder, 'nodes')}`,
    ];
    mkdirSync(join(folder, 'nodes'));
    await succeeds([...install, '--quiet'], { cwd });
    const row = /<th scope="row">shop<\/th><td[^>]*>1\.0\.0<\/td><td[^>]*><span class="mark good">ready/;
    expect(await pageOf('shop.iso')).toMatch(row);
    expect(await pageOf('-f', 'edge.yaml')).toMatch(row);
  },
);
