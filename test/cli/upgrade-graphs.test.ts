import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { controlPlaneTest, sharedControlPlane } from '../support/control-plane.ts';
import { packHere } from '../support/flow.ts';
import { bundleFiles, operatorBundle } from '../support/operator-bundles.ts';
import { sets } from '../support/sets.ts';

const plane = sharedControlPlane();
const { folder, packed, configured, run, told } = sets('upgrade-graphs');

beforeAll(async () => {
  await packed('shop', '1.2.0');
  await packed('shop', '1.4.0', ['upgrade = { from = ">=1.2 <2" }']);
  await packed('shop', '2.0.0', ['upgrade = { from = ">=1.4 <2", skips = ["1.3.9"] }']);
});

const inCluster = (...args: readonly string[]): readonly string[] => [...args, '--kubeconfig', plane().kubeconfig];
const install = (file: readonly string[]): readonly string[] =>
  inCluster('install', ...file, '--insecure-skip-verify', '--hosts-dir', 'certs.d', '--timeout', '30s');

describe('an install', () => {
  controlPlaneTest('never jumps past what a Solution may be installed over, and tells the way', async () => {
    const first = configured('graphs', ['shop-1.2.0'], { shop: 'latest' });
    await told(...install(first));
    const jump = configured('graphs', ['shop-2.0.0'], { shop: 'latest' });
    const refused = await run(...install(jump));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      'shop 2.0.0 can be installed over shop >=1.4 <2 or 1.3.9 only, and the cluster has shop 1.2.0',
    );
    expect(refused.stderr).toContain('import an archive of shop in >=1.4 <2: the way is 1.2.0 → 1.4.0 → 2.0.0');

    const all = ['shop-1.2.0', 'shop-1.4.0', 'shop-2.0.0'];
    const pinned = await run(...install(configured('graphs', all, { shop: '2.0.0' })), '--plan');
    expect(pinned.stderr).toContain(
      'install shop 1.4.0 first, or all of it by --through: the way is 1.2.0 → 1.4.0 → 2.0.0',
    );

    const free = configured('graphs', all, { shop: 'latest' });
    expect(await told(...inCluster('resolve', ...free))).toMatchObject({
      solutions: [{ name: 'shop', version: '1.4.0' }],
      heldBack: [{ name: 'shop', version: '2.0.0', way: { versions: ['1.2.0', '1.4.0', '2.0.0'] } }],
    });
    const step = await run(...install(free));
    expect(step.stderr).toContain('the way is 1.2.0 → 1.4.0 → 2.0.0');
    expect(await told(...install(free))).toMatchObject({ solutions: [{ name: 'shop', version: '2.0.0' }] });

    // Going back is bounded by nothing.
    expect(await told(...inCluster('rollback', '1', '--name', 'graphs'))).toMatchObject({
      solutions: [{ name: 'shop', version: '1.2.0' }],
    });
    // By the versions between, in one command.
    const through = await run(...install(configured('graphs', all, { shop: '2.0.0' })), '--through');
    expect(through.stderr).toContain('is installed step by step');
    expect(through.code).toBe(0);
    const { generations } = await told(...inCluster('history', 'graphs'));
    const versions = (generations as { solutions: { version: string }[] }[]).map(
      ({ solutions }) => solutions[0]!.version,
    );
    expect(versions.slice(0, 3)).toEqual(['2.0.0', '1.4.0', '1.2.0']);
    await told(...inCluster('uninstall', 'graphs'));
    expect(await told(...install(jump))).toMatchObject({ solutions: [{ name: 'shop', version: '2.0.0' }] });
  });
});

test('only a cluster has versions to go by, and one plan has one step', async () => {
  const file = configured('nowhere', ['shop-2.0.0'], { shop: 'latest' });
  const rendering = await run('install', ...file, '--insecure-skip-verify', '--render', 'out', '--through');
  expect(rendering.stderr).toContain('--through: is for a cluster');
  const confirming = await run(
    'install',
    ...file,
    '--through',
    '--confirm',
    'plan.json',
    '--kubeconfig',
    'none',
    '--hosts-dir',
    'certs.d',
  );
  expect(confirming.stderr).toContain('--through: contradicts --confirm');
  expect([rendering.code, confirming.code]).toEqual([2, 2]);
});

describe('an archive', () => {
  test('says over which versions it may be installed', async () => {
    const upgrade = { from: '>=1.4 <2', skips: ['1.3.9'] };
    expect(await told('inspect', 'shop-2.0.0.iso')).toMatchObject({ upgrade });
    const { stdout } = await run('inspect', 'shop-2.0.0.iso');
    expect(stdout).toContain('may be installed over shop >=1.4 <2 or 1.3.9');
  });

  test('with a bundle of an operator says what that says, unless the definition does', async () => {
    const at = join(folder, 'operator');
    const changes = { spec: { replaces: 'cache-operator.v1.3.0', skips: ['cache-operator.v1.3.1'] } };
    for (const [path, text] of Object.entries(operatorBundle(changes))) {
      mkdirSync(dirname(join(at, 'bundle', path)), { recursive: true });
      writeFileSync(join(at, 'bundle', path), text);
    }
    expect(bundleFiles(operatorBundle(changes)).length).toBeGreaterThan(0);
    const images = ['external-images = ["registry.example.com/*"]'];
    const definition = (lines: readonly string[]): string =>
      [
        ...['name = "cache"', 'version = "1.0.0"', ...images, ...lines],
        ...['[[components]]', 'name = "operator"', 'kind = "registry+v1"', 'path = "bundle"', ''],
      ].join('\n');
    const bundled = { from: '1.3.0', skips: ['1.3.1'] };
    for (const [lines, upgrade] of [
      [[], { provides: { 'cache-operator': bundled } }],
      [['upgrade = { from = "^1" }'], { from: '^1' }],
    ] as const) {
      writeFileSync(join(at, 'solution.toml'), definition(lines));
      await packHere(join(at, 'solution.toml'), join(folder, 'cache.iso'));
      expect((await told('inspect', 'cache.iso'))['upgrade']).toEqual(upgrade);
    }
  });
});
