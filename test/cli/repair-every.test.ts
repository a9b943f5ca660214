import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { type JsonResults, jsonSchemas } from '../../cli/view/json.ts';
import { type Running, solpack, starts, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { judged, ok, run, scratch } from '../support/judges.ts';
import { dockerRegistry } from '../support/registry.ts';
import { solpackQuoted } from '../support/under-test.ts';
import { until } from '../support/until.ts';

const folder = scratch('repair-every');
const at = (name: string): string => join(folder, name);
const plane = sharedControlPlane();
const registry = dockerRegistry(folder);

const settings = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: default}
data: {colour: green}
`;
/** No quota lets its Pod come up. */
const workload = `---
apiVersion: v1
kind: ResourceQuota
metadata: {name: none, namespace: default}
spec: {hard: {pods: "0"}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1}]}
`;

beforeAll(async () => {
  for (const [version, text] of [
    ['1.0.0', settings],
    ['2.0.0', settings + workload],
  ] as const) {
    writeFiles(folder, {
      [`${version}.manifest.yaml`]: text,
      [`${version}.toml`]: `name = "shop"\nversion = "${version}"\nexternal-images = ["registry.example.com/web"]\n
[[components]]\nname = "web"\nkind = "manifests"\npath = "${version}.manifest.yaml"\n`,
      [`${version}.yaml`]: `apiVersion: solutions.metalk8s.scality.com/v1alpha1
kind: SolutionsConfiguration
metadata: {name: edge}
solutions: [{name: shop, activeVersion: "${version}", archives: [shop-1.0.0.iso, shop-2.0.0.iso]}]
`,
    });
    await succeeds(['pack', at(`${version}.toml`), '-o', at(`shop-${version}.iso`), '--quiet']);
  }
});

const installs = async (version: string, ...more: readonly string[]) => {
  const { url } = await registry();
  const where = ['--kubeconfig', plane().kubeconfig, '--registry', url];
  return solpack(['install', '-f', at(`${version}.yaml`), '--insecure-skip-verify', ...where, '--quiet', ...more]);
};

const paint = (colour: string): Promise<string> =>
  plane().kubectl('patch', 'configmap', 'settings', '--type', 'merge', '-p', `{"data":{"colour":"${colour}"}}`);

const itIs = async (wanted: () => Promise<boolean> | boolean): Promise<void> => {
  await until(wanted, (is) => is);
};

const isGreen = async (): Promise<boolean> =>
  (await plane().tried(['get', 'configmap', 'settings', '-o', 'jsonpath={.data.colour}'])).stdout === 'green';

describe('status', () => {
  const statusOf = async (...more: readonly string[]) => {
    const { code, stdout } = await solpack(['status', '--kubeconfig', plane().kubeconfig, '--json', '-q', ...more]);
    return { code, status: jsonSchemas.status.parse(JSON.parse(stdout)) as JsonResults['status'] };
  };

  controlPlaneTest('lists the archives of a configuration, and which one is active', async () => {
    expect((await installs('1.0.0')).code).toBe(0);
    const { code, status } = await statusOf('-f', at('2.0.0.yaml'));
    expect(code).toBe(0);
    expect(status.archives).toEqual([
      { path: at('shop-1.0.0.iso'), name: 'shop', version: '1.0.0', active: false },
      { path: at('shop-2.0.0.iso'), name: 'shop', version: '2.0.0', active: true },
    ]);
  });

  controlPlaneTest('is printed again with --watch when something has changed, until it is interrupted', async () => {
    const watching = await starts(['status', 'edge', '--kubeconfig', plane().kubeconfig, '--watch', '--json', '-q']);
    expect(JSON.parse(watching.first)).toMatchObject({ state: 'ready' });
    expect(await watching.stop('SIGINT')).toBe(130);
    const out = at('watched.jsonl');
    const line = `timeout -s INT 8 ${solpackQuoted} status --watch --json -q --kubeconfig ${plane().kubeconfig} > ${out}; true`;
    const done = ok('bash', ['-c', line]);
    await itIs(() => run('test', ['-s', out]).then(({ code }) => code === 0));
    await paint('red');
    await done;
    const states = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one).state);
    expect(states).toEqual(['ready', 'drifted']);
    await paint('green');
  });

  controlPlaneTest(
    'is interrupted after an install that has failed, with what an install would name as the cause',
    async () => {
      expect((await statusOf()).status.state).toBe('ready');
      expect((await installs('2.0.0', '--timeout', '2s')).code).toBe(5);
      const { code, status } = await statusOf();
      expect(code).toBe(1);
      expect(status).toMatchObject({
        state: 'interrupted',
        generation: 2,
        solutions: [{ version: '2.0.0', state: 'interrupted' }],
      });
      expect(status.reason).toMatch(/Deployment default\/web/);
      // Its controller may be late, since it had no API server for a while.
      await itIs(async () => {
        const [solution] = (await statusOf('--no-images')).status.solutions;
        const web = solution?.objects.find(({ object }) => object === 'Deployment/default/web');
        return web?.state === 'degraded' && /quota/.test(web.reason ?? '');
      });
      const { code: refused, stderr } = await solpack(['repair', '--kubeconfig', plane().kubeconfig, '-q']);
      expect(`${refused} ${stderr}`).toMatch(/^5 .*generation 2 has failed.*\[generation-unfinished\]/);
      await succeeds(['rollback', '--kubeconfig', plane().kubeconfig, '-q']);
      expect((await statusOf()).code).toBe(0);
    },
  );

  controlPlaneTest('refuses a name that nothing has', async () => {
    const { code, stderr } = await solpack(['status', 'nobody', '--kubeconfig', plane().kubeconfig, '-q']);
    expect(`${code} ${stderr}`).toMatch(/^2 .*nobody: is neither .* of edge \(shop 1.0.0\).*\[solution-unknown\]/);
  });
});

// It comes last: controllers are late once their API server was away.
describe('repair --every', () => {
  controlPlaneTest(
    'goes on when the API server was away, tells of that once, and ends well when it is told to',
    async () => {
      await paint('red');
      const words = ['repair', '--kubeconfig', plane().kubeconfig, '--every', '1s', '--json', '--progress', 'lines'];
      const repairing: Running = await starts(words);
      expect(JSON.parse(repairing.first)).toMatchObject({ repaired: [{ object: 'ConfigMap/default/settings' }] });
      await plane().restart(() => itIs(() => /retrying/.test(repairing.said())));
      await itIs(() => /recovered; continuing/.test(repairing.said()));
      await paint('blue');
      await itIs(isGreen);
      expect(repairing.said().match(/retrying/g)).toHaveLength(1);
      expect(await repairing.stop()).toBe(0);
    },
  );

  judged('is a service that systemd accepts', ['systemd-analyze'], async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/generations.md'), 'utf8');
    const unit = /```ini\n(\[Unit\][^`]*solpack repair[^`]*)```/.exec(page)?.[1] ?? '';
    expect(unit).toContain('ExecStart=/usr/local/bin/solpack repair');
    // What it starts has to be there.
    writeFiles(folder, { 'solpack-repair.service': unit.replace('/usr/local/bin/solpack', process.execPath) });
    const { code, stderr } = await run('systemd-analyze', ['verify', '--man=no', at('solpack-repair.service')]);
    expect(`${code} ${stderr}`).not.toMatch(/solpack-repair/);
    expect(code).toBe(0);
  });
});
