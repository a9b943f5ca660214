import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { type Outcome, ok, scratch } from '../support/judges.ts';
import { serveOlm } from '../support/operators-outside.ts';

const folder = scratch('outside-installs');
const plane = sharedControlPlane();

const SECRET = 'hunter2-of-the-release';

async function pack(name: string, relations: string): Promise<void> {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  writeFiles(home, {
    'solution.toml': `name = "${name}"\nversion = "1.0.0"\n${relations}\n[[components]]\nname = "c"\nkind = "manifests"\npath = "c.yaml"\n`,
    'c.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}, namespace: default}\n`,
  });
  await succeeds(['pack', home, '-o', join(folder, `${name}.iso`)]);
}

function configure(names: readonly string[]): string {
  const file = join(folder, `${names.join('-')}.yaml`);
  const solutions = names.map((name) => `- {name: ${name}, archives: [${name}.iso]}\n`).join('');
  writeFileSync(
    file,
    `apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\nmetadata: {name: ${names.join('-')}}\nsolutions:\n${solutions}`,
  );
  return file;
}

const inCluster = (kubeconfig = plane().kubeconfig): string[] => ['--kubeconfig', kubeconfig];

const install = (file: string, ...more: string[]): Promise<Outcome> =>
  solpack(['install', '-f', file, '--insecure-skip-verify', '--hosts-dir', join(folder, 'certs.d'), ...more]);

const chart = (version: string, appVersion: string): Record<string, string> => ({
  'Chart.yaml': `apiVersion: v2\nname: prometheus-operator\nversion: ${version}\nappVersion: "${appVersion}"\n`,
  'templates/a.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata: {password: {{ .Values.password }}}\n',
  'values.yaml': 'password: none\n',
});

const monitor = '[requires]\nprometheus-operator = ">=0.70"\n';

beforeAll(async () => {
  await pack('monitor', monitor);
  await pack('charted', '[requires]\n"helm/prometheus-operator" = "^59"\n');
  await pack('either', '[[any-of]]\nvictoria = "*"\nprometheus-operator = ">=0.70"\n');
  await pack('cache-user', '[requires]\ncache-operator = "^1.4"\n');
  await pack('newer', '[requires]\nprometheus-operator = ">=1"\n');
});

async function helmInstall(version: string, appVersion: string): Promise<void> {
  const at = join(folder, 'chart');
  mkdirSync(join(at, 'templates'), { recursive: true });
  writeFiles(at, chart(version, appVersion));
  const options = ['--kubeconfig', plane().kubeconfig, '-n', 'monitoring', '--create-namespace'];
  await ok('helm', ['upgrade', '--install', 'kps', at, ...options, '--set', `password=${SECRET}`]);
}

describe('what other programs have installed', () => {
  controlPlaneTest(
    'meets what a Solution requires: the release of a chart, by the version of its application',
    async () => {
      const without = await install(configure(['monitor']), ...inCluster());
      expect([without.code, without.stderr]).toEqual([2, expect.stringMatching(/prometheus-operator/)]);
      await helmInstall('58.0.0', 'v0.73.0');
      await helmInstall('59.1.0', 'v0.74.0');
      const found =
        'requires prometheus-operator >=0.70: found 0.74.0 of the Helm release monitoring/kps, which solpack did not install';
      const file = configure(['monitor']);
      const planned = await install(file, ...inCluster(), '--plan');
      expect([planned.code, planned.stdout]).toEqual([0, expect.stringContaining(found)]);
      const json = JSON.parse((await install(file, ...inCluster(), '--plan', '--json')).stdout);
      const need = {
        kind: 'requires',
        name: 'prometheus-operator',
        range: '>=0.70',
        version: '0.74.0',
        by: 'the Helm release monitoring/kps',
      };
      expect(json.choices).toMatchObject([{ name: 'monitor', outside: [need] }]);
      const resolved = await solpack(['resolve', '-f', file, ...inCluster()]);
      expect([resolved.code, resolved.stdout]).toEqual([0, expect.stringContaining(`monitor ${found}`)]);
      const installed = await install(file, ...inCluster());
      expect([installed.code, installed.stderr]).toEqual([0, expect.stringContaining(found)]);
      const why = JSON.parse(await succeeds(['history', 'monitor', '--why', '1', '--json', ...inCluster()]));
      expect(why.solutions).toMatchObject([{ name: 'monitor', outside: [need] }]);
      for (const { stdout, stderr } of [planned, resolved, installed]) expect(stdout + stderr).not.toContain(SECRET);
      // Nothing else is asked for by the next install, and nothing is removed with the release.
      expect(await install(file, ...inCluster())).toMatchObject({ code: 0 });
    },
  );

  controlPlaneTest('meets alternatives, and ranges of the version of the chart itself', async () => {
    await helmInstall('59.1.0', 'v0.74.0');
    const charted = await install(configure(['charted']), ...inCluster());
    expect([charted.code, charted.stderr]).toEqual([
      0,
      expect.stringContaining('requires helm/prometheus-operator ^59: found 59.1.0 of'),
    ]);
    const either = await install(configure(['either']), ...inCluster());
    expect([either.code, either.stderr]).toEqual([
      0,
      expect.stringContaining('found 0.74.0 of the Helm release monitoring/kps'),
    ]);
  });

  controlPlaneTest('is named where it has another version than is required', async () => {
    await helmInstall('59.1.0', 'v0.74.0');
    const { code, stderr } = await install(configure(['newer']), ...inCluster());
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'prometheus-operator 0.74.0 of the Helm release monitoring/kps, which solpack did not install, is not in >=1',
      ),
    ]);
  });

  controlPlaneTest('meets what a Solution requires: an operator of OLM, by its package', async () => {
    const { kubectl, tried } = plane();
    await serveOlm(plane());
    await kubectl('create', 'namespace', 'operators');
    const version = (name: string, more: string, labels = '{}'): string =>
      `apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata: {name: ${name}, namespace: operators, labels: ${labels}}\nspec: {version: ${more}}\n---\n`;
    const input = [
      version('cache.v1.5.0', '1.5.0'),
      version('cache.v9.0.0', '9.0.0', '{olm.copiedFrom: elsewhere}'),
      'apiVersion: operators.coreos.com/v1alpha1\nkind: Subscription\nmetadata: {name: any, namespace: operators}\nspec: {name: cache-operator}\n',
    ].join('');
    expect(await tried(['apply', '-f', '-'], { input })).toMatchObject({ code: 0 });
    const status = (kind: string, name: string, value: string): Promise<string> =>
      kubectl(
        'patch',
        kind,
        name,
        '-n',
        'operators',
        '--subresource=status',
        '--type=merge',
        '-p',
        `{"status":${value}}`,
      );
    await status('subscription', 'any', '{"installedCSV":"cache.v1.5.0"}');
    const file = configure(['cache-user']);
    const pending = await install(file, ...inCluster());
    expect([pending.code, pending.stderr]).toEqual([2, expect.stringMatching(/requires cache-operator/)]);
    await status('clusterserviceversion', 'cache.v1.5.0', '{"phase":"Succeeded"}');
    await status('clusterserviceversion', 'cache.v9.0.0', '{"phase":"Succeeded"}');
    const done = await install(file, ...inCluster());
    expect([done.code, done.stderr]).toEqual([
      0,
      expect.stringContaining(
        'requires cache-operator ^1.4: found 1.5.0 of the ClusterServiceVersion operators/cache.v1.5.0, which solpack did not install',
      ),
    ]);
  });

  controlPlaneTest('does not count, and is not read, where this user may not read it, or need not', async () => {
    await helmInstall('59.1.0', 'v0.74.0');
    const { kubectl, userKubeconfig } = plane();
    const kubeconfig = await userKubeconfig('reader');
    await kubectl('create', 'clusterrole', 'reader', '--verb=get,list', '--resource=configmaps,namespaces,nodes');
    await kubectl('create', 'clusterrolebinding', 'reader', '--clusterrole=reader', '--user=reader');
    const refused = await solpack(['resolve', '-f', configure(['monitor']), ...inCluster(kubeconfig)]);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toMatch(/releases of Helm may not be read, so releases of Helm do not count: .*secrets/);
    await pack('plain', '');
    const plain = await solpack(['resolve', '-f', configure(['plain']), ...inCluster(kubeconfig)]);
    expect([plain.code, plain.stderr]).toEqual([0, expect.not.stringContaining('Helm')]);
  });
});
