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
}, 60_000);

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

describe('a configuration', () => {
  controlPlaneTest(
    'has what defines a kind applied before its objects, whatever the Solutions are called',
    async () => {
      const names = { kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList' };
      const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
      const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
      await packed(
        'operator',
        '1.0.0',
        [],
        [
          {
            apiVersion: 'apiextensions.k8s.io/v1',
            kind: 'CustomResourceDefinition',
            metadata: { name: 'widgets.sets.example' },
            spec: { group: 'sets.example', names, scope: 'Namespaced', versions },
          },
        ],
      );
      const widget = { apiVersion: 'sets.example/v1', kind: 'Widget', metadata: { name: 'one', namespace: 'default' } };
      await packed('app', '1.0.0', [], [widget]);
      const file = configured('ordered', ['app-1.0.0', 'operator-1.0.0'], { app: 'latest', operator: 'latest' });
      expect(await told(...install(file))).toMatchObject({
        solutions: [
          { name: 'operator', objects: [{ action: 'created' }] },
          { name: 'app', objects: [{ object: 'Widget default/one', action: 'created' }] },
        ],
      });
      await told(...inCluster('uninstall', 'ordered'));
    },
  );
});
