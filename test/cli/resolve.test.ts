import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { sets } from '../support/sets.ts';

const { folder, packed, configured, run, told } = sets('resolve');

const issuers = ['1.10.0', '1.13.0', '2.0.0'].map((version) => `cert-manager-${version}`);

beforeAll(async () => {
  await packed('shop', '1.0.0', ['[requires]', 'cert-manager = ">=1.12 <2"', '[recommends]', 'metrics = "*"']);
  await packed('shop', '2.0.0', ['requires = { cert-manager = ">=3" }']);
  for (const version of ['1.10.0', '1.13.0', '2.0.0']) await packed('cert-manager', version);
  await packed('old', '1.0.0', ['kubernetes = "<1.30"']);
});

describe('resolve', () => {
  test('tells which Solutions belong together, in their order, and why each is there', async () => {
    const file = configured('edge', ['shop-1.0.0', 'shop-2.0.0', ...issuers], { shop: 'latest' });
    const { solutions, ...rest } = await told('resolve', ...file);
    expect(solutions).toEqual([
      {
        name: 'cert-manager',
        version: '1.13.0',
        archive: join(folder, 'cert-manager-1.13.0.iso'),
        why: 'required',
        reason: 'shop 1.0.0 requires cert-manager >=1.12 <2',
        passedOver: ['2.0.0', '1.10.0'],
        needs: [],
      },
      {
        name: 'shop',
        version: '1.0.0',
        archive: join(folder, 'shop-1.0.0.iso'),
        why: 'wanted',
        reason: 'the highest version that fits all others',
        passedOver: ['2.0.0'],
        needs: [{ kind: 'requires', name: 'cert-manager', range: '>=1.12 <2', by: 'cert-manager' }],
      },
    ]);
    expect(rest).toMatchObject({
      configuration: 'edge',
      resolved: true,
      installed: [],
      unmet: [{ of: 'shop', name: 'metrics', range: '*' }],
      explanation: [],
      help: [],
      order: { by: 'kinds', without: [] },
    });
    const { stdout, code } = await run('resolve', ...file);
    expect(code).toBe(0);
    expect(stdout).toContain('shop recommends metrics, which is not there');
  });

  test('tells what is wanted and not in the set, because another Solution replaces it; so does an install', async () => {
    await packed('new-shop', '1.0.0', ['replaces = { shop = "<3" }']);
    const file = configured('replaced', ['shop-1.0.0', 'new-shop-1.0.0'], { shop: 'latest', 'new-shop': 'latest' });
    expect(await told('resolve', ...file)).toMatchObject({
      solutions: [{ name: 'new-shop' }],
      replaced: [{ name: 'shop', by: 'new-shop' }],
    });
    const words = 'is wanted but not installed: new-shop replaces it';
    expect((await run('resolve', ...file)).stdout).toContain(`  shop ${words}\n`);
    const installed = await run('install', ...file, '--insecure-skip-verify', '--render', 'replaced');
    expect([installed.code, installed.stderr]).toEqual([0, expect.stringContaining(words)]);
    const alone = configured('alone', ['new-shop-1.0.0'], { 'new-shop': 'latest' });
    expect(await told('resolve', ...alone)).toMatchObject({ replaced: [] });
  });

  test('explains why there is no set, what was tried and what would help, and ends with 2', async () => {
    const file = configured('short', ['shop-1.0.0', 'cert-manager-1.10.0', 'cert-manager-2.0.0'], { shop: 'latest' });
    expect(await told('resolve', ...file)).toMatchObject({
      resolved: false,
      solutions: [],
      explanation: [
        'Because shop 1.0.0 requires cert-manager >=1.12 <2, but there is cert-manager in 2.0.0 and 1.10.0 only, and the configuration wants shop, no set meets all of this.',
      ],
      help: ['import an archive of cert-manager in >=1.12 <2', 'deactivate shop'],
    });
    const { stdout, code } = await run('resolve', ...file);
    expect(code).toBe(2);
    expect(stdout).toContain('  - import an archive of cert-manager in >=1.12 <2\n');
  });

  test('chooses the versions of environments together with what these require', async () => {
    const [, file] = configured('placed', ['shop-1.0.0', 'shop-2.0.0', ...issuers], {});
    const text = readFileSync(join(folder, file!), 'utf8');
    const placed = (own: string): void => writeFileSync(join(folder, file!), `${text}environments: {shop: {${own}}}\n`);
    placed('team-a: "*", team-b: "1.0.0"');
    expect(await told('resolve', '-f', file!)).toMatchObject({
      solutions: [
        { name: 'cert-manager', version: '1.13.0', why: 'required' },
        { name: 'shop', version: '1.0.0', reason: expect.stringContaining('what its environments share') },
        { name: 'shop.team-a', version: '1.0.0', reason: 'the highest version in the range * that fits all others' },
        { name: 'shop.team-b', version: '1.0.0' },
      ],
    });
    const render = ['install', '-f', file!, '--insecure-skip-verify', '--render', 'placed'];
    expect(await told(...render)).toMatchObject({
      solutions: [{ name: 'cert-manager' }, { name: 'shop' }, { name: 'shop.team-a' }, { name: 'shop.team-b' }],
    });
    placed('team-a: "2.0.0", team-b: "1.0.0"');
    const { code, stderr } = await run(...render);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the configuration wants shop 2.0.0 in team-a')]);
    expect(stderr).not.toContain('And because the configuration');
  });

  test('counts the version of Kubernetes that is asked for', async () => {
    const file = configured('kubernetes', ['old-1.0.0'], { old: 'latest' });
    expect(await told('resolve', ...file, '--kube-version', '1.29')).toMatchObject({ resolved: true });
    expect(await told('resolve', ...file, '--kube-version', '1.31')).toMatchObject({
      resolved: false,
      help: ['import an archive of old that is for Kubernetes 1.31.0', 'deactivate old'],
    });
  });
});

describe('an install', () => {
  test('brings what is required, in the order of the set, and tells why in its plan', async () => {
    const file = configured('whole', ['shop-1.0.0', ...issuers], { shop: 'latest' });
    const render = ['--insecure-skip-verify', '--render', 'out'];
    const { solutions } = await told('install', ...file, ...render);
    expect(solutions).toMatchObject([{ name: 'cert-manager', version: '1.13.0' }, { name: 'shop' }]);
    const { choices } = await told('install', ...file, ...render, '--plan');
    expect(choices).toMatchObject([{ reason: 'shop 1.0.0 requires cert-manager >=1.12 <2' }, { name: 'shop' }]);
  });

  test('of what fits nowhere ends with 2 before anything is done', async () => {
    const file = configured('none', ['shop-1.0.0'], { shop: 'latest' });
    const { code, stderr } = await run('install', ...file, '--insecure-skip-verify', '--render', 'nothing');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /no set of Solutions meets it, because shop 1\.0\.0 requires .*there is no archive of cert-manager.*import an archive of cert-manager in >=1\.12 <2; or deactivate shop \[set-impossible\]\n$/,
    );
  });
});

describe('a configuration that is edited', () => {
  test('is reported by its set which archives are active, what is required, and where there is no set any longer', async () => {
    const listed = ['shop-1.0.0', 'cert-manager-1.13.0', 'cert-manager-2.0.0'];
    const file = configured('edited', listed, { shop: 'latest' });
    const { archives } = await told('import', 'cert-manager-1.10.0.iso', 'cert-manager-1.13.0.iso', ...file);
    expect(archives).toMatchObject([
      { version: '1.10.0', active: false },
      { version: '1.13.0', active: true },
    ]);
    const refused = await run('unimport', 'cert-manager-1.13.0.iso', ...file);
    expect(refused.stderr).toMatch(/holds cert-manager 1\.13\.0, which shop 1\.0\.0 requires.*\[version-active\]\n$/);
    expect(await told('activate', 'cert-manager', '>=1', ...file)).toMatchObject({ version: '1.13.0' });
    const { code, stderr } = await run('activate', 'cert-manager', '2.0.0', ...file);
    expect([code, stderr]).toEqual([0, expect.stringContaining('will fail with set-impossible. Because')]);
    expect(stderr).toContain('activate another version of cert-manager than 2.0.0');
  });
});

describe('an install for a version of Kubernetes', () => {
  test('ends with 2 where what is required is for another one, unless that is not to count', async () => {
    await packed('needy', '1.0.0', ['requires = { old = "*" }']);
    const file = configured('needy', ['needy-1.0.0', 'old-1.0.0'], { needy: 'latest' });
    const render = ['install', ...file, '--insecure-skip-verify', '--render', 'needy', '--kube-version', '1.31'];
    const { code, stderr } = await run(...render);
    expect(stderr).toMatch(
      /old 1\.0\.0 is for Kubernetes <1\.30, and the cluster has 1\.31\.0.*\[set-impossible\]\n$/s,
    );
    expect(code).toBe(2);
    const own = configured('own', ['old-1.0.0'], { old: 'latest' });
    const alone = await run('install', ...own, '--insecure-skip-verify', '--render', 'own', '--kube-version', '1.31');
    expect([alone.code, alone.stderr]).toEqual([5, expect.stringContaining('[kubernetes-unsupported]')]);
  });
});

describe('inspect', () => {
  test('tells what a Solution asks of others, in words and as JSON', async () => {
    const archive = join(folder, 'shop-1.0.0.iso');
    const { stdout } = await run('inspect', archive);
    expect(stdout).toContain('\n  requires cert-manager >=1.12 <2\n  recommends metrics\n');
    const { relations } = jsonSchemas.inspect.strict().parse(await told('inspect', archive));
    expect(relations).toEqual({ requires: { 'cert-manager': '>=1.12 <2' }, recommends: { metrics: '*' } });
    expect(await told('inspect', join(folder, 'old-1.0.0.iso'))).not.toHaveProperty('relations');
  });
});
