import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { file } from '../support/configurations.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { packHere } from '../support/flow.ts';
import { type Outcome, scratch } from '../support/judges.ts';

const cwd = scratch('configured-life');
const plane = sharedControlPlane();

beforeAll(async () => {
  for (const version of ['1.0.0', '1.1.0', '2.0.0']) {
    const source = join(cwd, `source-${version}`);
    writeFiles(source, {
      'solution.toml': `name = "shop"
version = "${version}"
[[components]]
name = "web"
kind = "manifests"
path = "web.yaml"
`,
      'web.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, namespace: default}\ndata: {version: "${version}"}\n`,
    });
    await packHere(join(source, 'solution.toml'), join(cwd, `shop-${version}.iso`));
  }
});

const edits = (...args: string[]): Promise<string> => succeeds([...args, ...file, '--quiet'], { cwd });

async function installs(): Promise<Outcome & { solutions: { version: string; downgraded: boolean }[] }> {
  const args = ['install', ...file, '--insecure-skip-verify', '--kubeconfig', plane().kubeconfig];
  const delivery = ['--listen', '127.0.0.1:0', '--hosts-dir', 'certs.d', '--json', '--quiet'];
  const outcome = await solpack([...args, ...delivery], { cwd });
  expect([outcome.code, outcome.code === 0 ? '' : outcome.stderr]).toEqual([0, '']);
  return { ...outcome, solutions: JSON.parse(outcome.stdout).solutions };
}

/** The version that the cluster has; nothing where it has none. */
const there = async (): Promise<string> =>
  plane().kubectl('get', 'configmap', 'web', '--ignore-not-found', '-o', 'jsonpath={.data.version}');

describe('a configuration that commands edit', () => {
  controlPlaneTest('brings a cluster up, down, and to nothing', async () => {
    await edits('import', 'shop-1.0.0.iso', 'shop-1.1.0.iso');
    await edits('activate', 'shop', '^1');
    expect([(await installs()).solutions, await there()]).toMatchObject([[{ version: '1.1.0' }], '1.1.0']);

    // What comes later is above the range.
    await edits('import', 'shop-2.0.0.iso');
    expect([(await installs()).solutions, await there()]).toMatchObject([[{ version: '1.1.0' }], '1.1.0']);
    await edits('activate', 'shop');
    expect([(await installs()).solutions, await there()]).toMatchObject([[{ version: '2.0.0' }], '2.0.0']);

    await edits('activate', 'shop', '1.0.0');
    const down = await installs();
    expect(down.stderr).toContain(
      'shop: is a downgrade from 2.0.0, which the cluster has, to 1.0.0; it has no sequence',
    );
    expect([down.solutions, await there()]).toMatchObject([[{ version: '1.0.0', downgraded: true }], '1.0.0']);
    expect((await installs()).solutions).toMatchObject([{ version: '1.0.0', downgraded: false }]);

    const { code, stderr } = await solpack(['unimport', 'shop-1.0.0.iso', ...file, '--quiet'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('[version-active]')]);
    await edits('deactivate', 'shop');
    await edits('unimport', 'shop-1.0.0.iso');
    expect([(await installs()).solutions, await there()]).toEqual([[], '']);
  });
});
