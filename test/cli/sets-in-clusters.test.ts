import { beforeAll, describe, expect } from 'vitest';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { sets } from '../support/sets.ts';

const plane = sharedControlPlane();
const { packed, configured, run, told } = sets('sets-in-clusters');

beforeAll(async () => {
  await packed('shop', '1.0.0', ['requires = { cert-manager = ">=1.12 <2" }']);
  await packed('cert-manager', '1.13.0');
  await packed('cert-manager', '2.0.0');
  await packed('metrics', '1.0.0');
});

const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' };
const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.sets.example' },
  spec: { group: 'sets.example', names, scope: 'Namespaced', versions },
};
const widget = { apiVersion: 'sets.example/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'default' } };

const install = (file: readonly string[]): readonly string[] => [
  ...['install', ...file, '--insecure-skip-verify', '--kubeconfig', plane().kubeconfig, '--hosts-dir', 'certs.d'],
  ...['--timeout', '30s'],
];
const inCluster = (...args: readonly string[]): readonly string[] => [...args, '--kubeconfig', plane().kubeconfig];

/** Expects that a command ends with 2 and says why in its last line. */
async function refused(args: readonly string[], words: RegExp): Promise<void> {
  const { code, stderr } = await run(...args, '--quiet');
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(words);
  expect(code).toBe(2);
}

describe('configurations of one cluster', () => {
  controlPlaneTest('keep what each other requires', async () => {
    const metrics = configured('infra', ['metrics-1.0.0'], { metrics: 'latest' });
    await told(...install(metrics));
    const shop = configured('edge', ['shop-1.0.0'], { shop: 'latest' });
    await refused(install(shop), /shop 1\.0\.0 requires cert-manager >=1\.12 <2.*import an archive of cert-manager/);

    const both = ['metrics-1.0.0', 'cert-manager-1.13.0', 'cert-manager-2.0.0'];
    await told(...install(configured('infra', both, { metrics: 'latest', 'cert-manager': '^1' })));
    expect(await told(...inCluster('resolve', ...shop))).toMatchObject({
      solutions: [{ name: 'shop', needs: [{ by: 'cert-manager' }] }],
      installed: expect.arrayContaining([{ name: 'cert-manager', version: '1.13.0', configuration: 'infra' }]),
    });
    await told(...install(shop));

    const asks = /shop 1\.0\.0 of the configuration edge requires cert-manager >=1\.12 <2/;
    await refused(inCluster('uninstall', 'cert-manager'), /cert-manager would be gone; remove or change shop first/);
    await refused(inCluster('uninstall', 'infra'), asks);
    await refused(inCluster('rollback', '1', '--name', 'infra'), asks);
    const newest = configured('infra', both, { metrics: 'latest', 'cert-manager': '2.0.0' });
    await refused(install(newest), asks);
    await refused([...install(newest), '--plan'], asks);
    // What only gets another version that fits is no one's concern: without a pin, it is the one that fits.
    const fitting = configured('infra', both, { metrics: 'latest', 'cert-manager': 'latest' });
    expect(await told(...install(fitting), '--plan')).toMatchObject({
      choices: [{ name: 'cert-manager', version: '1.13.0' }, { name: 'metrics' }],
    });

    const listed = configured('listed', ['shop-1.0.0', 'cert-manager-1.13.0', 'cert-manager-2.0.0'], {
      shop: 'latest',
    });
    const { archives } = await told(...inCluster('status', 'edge', ...listed, '--no-images'));
    const all = archives as { version: string; active: boolean }[];
    expect(all.map(({ version, active }) => [version, active])).toEqual([
      ['1.0.0', true],
      ['1.13.0', true],
      ['2.0.0', false],
    ]);

    await told(...inCluster('uninstall', 'shop'));
    expect(await told(...inCluster('uninstall', 'cert-manager'))).toMatchObject({
      removed: [{ name: 'cert-manager' }],
      staying: [{ name: 'metrics' }],
    });
    expect(await told(...inCluster('rollback', '1', '--name', 'infra'))).toMatchObject({ generation: 3 });
    await refused(inCluster('rollback', '1', '--name', 'edge'), /requires cert-manager/);
  });
});

describe('configurations that are installed at the same moment', () => {
  controlPlaneTest('are never both brought where one takes away what the other requires', async () => {
    const both = ['cert-manager-1.13.0', 'cert-manager-2.0.0'];
    const issuer = (version: string): readonly string[] => configured('infra', both, { 'cert-manager': version });
    const shop = configured('edge', ['shop-1.0.0'], { shop: 'latest' });
    for (let round = 0; round < 2; round += 1) {
      await told(...install(issuer('1.13.0')));
      const ends = await Promise.all([run(...install(issuer('2.0.0'))), run(...install(shop))]);
      const codes = ends.map(({ code }) => code);
      expect(codes.toSorted(), ends.map(({ stderr }) => stderr).join('')).toEqual([0, 2]);
      const lost = ends[codes.indexOf(2)]!;
      expect(lost.stderr).toMatch(/requires cert-manager >=1\.12 <2.*\[set-impossible\]\n$/);
      // It left nothing behind, so that what was there is all that there is.
      expect((await run(...inCluster('history', '--json'))).stdout).not.toMatch(/"(failed|interrupted|applying)"/);
      if (codes[1] === 0) await told(...inCluster('uninstall', 'edge'));
    }
    await told(...inCluster('uninstall', 'infra'));
  });
});

describe('going back after a failure', () => {
  controlPlaneTest('is refused where another configuration requires by now what has come', async () => {
    const never = { ...widget, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    await packed('issuer', '1.0.0');
    await packed('issuer', '2.0.0', [], [widgets, never]);
    await packed('portal', '1.0.0', ['requires = { issuer = "^2" }']);
    const issuer = (version: string): readonly string[] =>
      install(configured('base', ['issuer-1.0.0', 'issuer-2.0.0'], { issuer: version }));
    await told(...issuer('1.0.0'));
    expect((await run(...issuer('2.0.0'), '--timeout', '2s')).code).not.toBe(0);
    await told(...install(configured('portal', ['portal-1.0.0'], { portal: 'latest' })));
    const { stderr } = await run(...issuer('2.0.0'), '--timeout', '2s', '--rollback-on-failure', '--quiet');
    expect(stderr).toMatch(
      /going back to generation 1 \(issuer 1\.0\.0\) failed too: .*portal 1\.0\.0 of the configuration portal requires issuer \^2, but issuer would be installed in 1\.0\.0/,
    );
    const { installed } = await told(
      ...inCluster('resolve', ...configured('none', ['metrics-1.0.0'], { metrics: 'latest' })),
    );
    expect(installed).toContainEqual({ name: 'issuer', version: '2.0.0', configuration: 'base' });
    await told(...inCluster('uninstall', 'portal'));
    await told(...inCluster('uninstall', 'base'));
  });
});

describe('a configuration', () => {
  controlPlaneTest(
    'has kinds that the cluster serves by itself, unless a Solution that it wants brings them',
    async () => {
      const kind = 'storage.k8s.io/v1/StorageClass';
      await packed('disks', '1.0.0', [
        `requires = { "${kind}" = "*" }`,
        'any-of = [{ nobody = "*", "v1/Node" = "*" }]',
      ]);
      const alone = configured('disks', ['disks-1.0.0'], { disks: 'latest' });
      expect(await told(...inCluster('resolve', ...alone))).toMatchObject({ solutions: [{ name: 'disks' }] });
      expect((await run('resolve', ...alone)).code).toBe(2);
      await packed('classes', '1.0.0', [`provides = { "${kind}" = "1.0.0" }`]);
      const both = configured('classes', ['disks-1.0.0', 'classes-1.0.0'], { disks: 'latest' });
      expect(await told(...inCluster('resolve', ...both))).toMatchObject({ solutions: [{ name: 'disks' }] });
      const wanted = configured('wanted', ['disks-1.0.0', 'classes-1.0.0'], { disks: 'latest', classes: 'latest' });
      expect(await told(...inCluster('resolve', ...wanted))).toMatchObject({
        solutions: [{ name: 'classes' }, { name: 'disks', needs: [{ by: 'classes' }] }],
      });
      await packed('newer', '1.0.0', [`requires = { "${kind}" = "^1" }`]);
      const ranged = configured('newer', ['newer-1.0.0'], { newer: 'latest' });
      await refused(install(ranged), /there is no archive of storage\.k8s\.io/);
    },
  );

  controlPlaneTest(
    'has what defines a kind applied before its objects, whatever the Solutions are called',
    async () => {
      const kind = 'sets.example/v1/Widget';
      await packed('operator', '1.0.0', [`provides = { "${kind}" = "1.0.0" }`], [widgets]);
      await packed('app', '1.0.0', [`requires = { "${kind}" = "*" }`], [widget]);
      const file = configured('ordered', ['app-1.0.0', 'operator-1.0.0'], { app: 'latest', operator: 'latest' });
      const first = { solutions: [{ name: 'operator' }, { name: 'app' }], order: { by: 'kinds', without: [] } };
      expect(await told('resolve', ...file)).toMatchObject(first);
      expect(await told(...inCluster('resolve', ...file))).toMatchObject(first);
      expect(await told(...install(file))).toMatchObject({
        solutions: [
          { name: 'operator', objects: [{ action: expect.any(String) }] },
          { name: 'app', objects: [{ object: 'Widget default/one', action: 'created' }] },
        ],
      });
      await told(...inCluster('uninstall', 'ordered'));
    },
  );
});
