import { beforeAll, describe, expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { jsonSchemas } from '../../cli/view/json.ts';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { sets } from '../support/sets.ts';

const plane = sharedControlPlane();
const { packed, configured, run, told } = sets('history');

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'login', namespace: 'default' },
  stringData: { password: 'correct horse' },
};
const settings = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'default' },
  // Larger than a double can hold exactly.
  data: { colour: 'blue', size: '9007199254740993' },
};

const history = (...args: readonly string[]): readonly string[] => [
  'history',
  ...args,
  '--kubeconfig',
  plane().kubeconfig,
];

beforeAll(async () => {
  await packed('shop', '1.0.0', ['requires = { issuer = ">=1 <2" }'], [secret, settings]);
  await packed('issuer', '1.0.0');
  await packed('issuer', '1.1.0');
  await packed('issuer', '2.0.0');
});

describe('history', () => {
  controlPlaneTest('has the objects and the reasons of each generation', async () => {
    const install = (file: readonly string[]): readonly string[] => [
      ...['install', ...file, '--insecure-skip-verify', '--kubeconfig', plane().kubeconfig, '--hosts-dir', 'certs.d'],
    ];
    const archives = ['shop-1.0.0', 'issuer-1.0.0', 'issuer-1.1.0', 'issuer-2.0.0'];
    await told(...install(configured('edge', archives.slice(0, 2), { shop: 'latest' })));
    await told(...install(configured('edge', archives, { shop: 'latest' })));

    const why = jsonSchemas['history-why'].parse(await told(...history('--why', '2')));
    expect(why).toMatchObject({
      configuration: 'edge',
      generation: 2,
      solutions: [
        { name: 'issuer', version: '1.1.0', why: 'required', passedOver: ['2.0.0', '1.0.0'] },
        { name: 'shop', version: '1.0.0', why: 'wanted', needs: [{ name: 'issuer', range: '>=1 <2', by: 'issuer' }] },
      ],
    });
    expect(await told(...history('--why'))).toEqual(await told(...history('--why', '2')));
    const { stdout } = await run(...history('--why', '2'));
    expect(stdout).toBe(
      [
        'generation 2 of edge',
        '  issuer 1.1.0  shop 1.0.0 requires issuer >=1 <2',
        '  shop 1.0.0    the only version there is',
        '  shop requires issuer >=1 <2',
        '  issuer was also there as 2.0.0, 1.0.0',
        '',
      ].join('\n'),
    );

    await told('rollback', '1', '--kubeconfig', plane().kubeconfig);
    expect(await told(...history('--why', '3'))).toMatchObject({
      cause: 'rollback',
      solutions: [{ name: 'issuer', version: '1.0.0' }, { name: 'shop' }],
    });
    await told('uninstall', 'shop', '--kubeconfig', plane().kubeconfig);
    const { code, stderr } = await run(...history('--why', '4'));
    expect(stderr).toMatch(
      /generation 4 of edge: was made by an uninstall, which resolves nothing.*\[generation-absent\]/,
    );
    expect(code).toBe(2);
  });

  controlPlaneTest('gives back what was applied, and the values of Secrets only where they are asked for', async () => {
    const objects = (text: string): unknown[] => parseAllDocuments(text).map((one) => one.toJS());
    const hidden = await run(...history('--objects', '1'));
    expect(hidden.stdout).not.toContain('correct horse');
    const own = expect.objectContaining({ kind: 'ConfigMap', data: settings.data });
    expect(objects(hidden.stdout)).toEqual(
      expect.arrayContaining([own, expect.objectContaining({ kind: 'Secret', stringData: { password: '***' } })]),
    );
    const raw = await run(...history('--objects', '1', '--raw'));
    expect(objects(raw.stdout)).toEqual(
      expect.arrayContaining([own, expect.objectContaining({ kind: 'Secret', stringData: secret.stringData })]),
    );
    const asJson = jsonSchemas['history-objects'].parse(await told(...history('--objects', '1')));
    expect(asJson.solutions.map(({ name }) => name)).toEqual(['issuer', 'shop']);

    for (const [args, words] of [
      [['--objects', '9'], /generation 9 of edge: is not remembered; there are 4, 3, 2, 1;.*\[generation-absent\]/],
      [['--raw'], /--raw: is for --objects.*\[usage-invalid\]/],
      [['--objects', '1', '--why', '1'], /--why.*\[usage-invalid\]/],
      [['--objects', 'one'], /one is not the number.*\[usage-invalid\]/],
    ] as const) {
      const { code, stderr, stdout } = await run(...history(...args));
      expect(stderr).toMatch(words);
      expect([code, stdout]).toEqual([2, '']);
    }
  });
});
