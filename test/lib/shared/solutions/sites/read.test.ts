import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../../../formats/bytes.ts';
import { parseConfiguration } from '../../../../../formats/solution/configuration.ts';
import type { ComponentMetadata, SolutionMetadata } from '../../../../../formats/solution/metadata.ts';
import { machineOrigin } from '../../../../../lib/shared/solutions/origin/machine.ts';
import {
  componentSiteDigest,
  sitesDigest,
  solutionSiteDigest,
} from '../../../../../lib/shared/solutions/sites/digest.ts';
import { type SiteInputs, siteOf, siteSecrets } from '../../../../../lib/shared/solutions/sites/inputs.ts';
import { type HandedValues, readSites } from '../../../../../lib/shared/solutions/sites/read.ts';
import { writeFiles } from '../../../../support/cli.ts';
import { scratch } from '../../../../support/judges.ts';

const folder = scratch('sites-read');
const configuration = join(folder, 'solutions.yaml');
const component = (name: string, kind: ComponentMetadata['kind']): ComponentMetadata => ({
  name,
  kind,
  after: [],
  entry: '',
  values: [],
});
const solution = (name: string, ...more: readonly string[]): SolutionMetadata => ({
  formatVersion: 1,
  name,
  version: '1.0.0',
  created: 0,
  signatureSlots: { count: 0, size: 0 },
  components: [
    component('web', 'helm'),
    component(`base-${name}`, 'manifests'),
    ...more.map((one) => component(one, 'helm')),
  ],
});

/** Reads what a configuration says of sites, with files beside it. */
function read(
  text: string,
  files: Readonly<Record<string, string>> = {},
  { handed = [], environment = {} }: { handed?: readonly HandedValues[]; environment?: Record<string, string> } = {},
): Promise<SiteInputs[]> {
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\narchives: []\n';
  writeFiles(folder, { 'solutions.yaml': `${head}${text}\n`, ...files });
  const { sites } = parseConfiguration(utf8(`${head}${text}\n`));
  const later = solution('shop', 'queue');
  const solutions = {
    active: [solution('shop'), later, solution('mail')],
    environments: new Map([
      ['shop.old', solution('shop')],
      ['shop.new', later],
    ]),
    known: ['shop', 'mail', 'asleep'],
  };
  return readSites({ configuration, sites, handed, origin: machineOrigin(environment) }, solutions);
}

describe('what a site sets', () => {
  test('is read from files beside the configuration, from the environment, and from what is handed in', async () => {
    const [shop, mail] = await read(
      `values: {shop: {web: [a.yaml, {b: 2}]}}
secrets: {shop: {web: [{path: c.d, env: PW}, {path: e, file: secret}]}}
patches: {shop: {web: [{path: p.yaml}]}}`,
      {
        'a.yaml': 'a: 0644\n',
        secret: 'from a file\r\n',
        'p.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: p}\n',
        'h.yaml': 'h: 1',
      },
      {
        environment: { PW: 'from outside' },
        handed: [
          { solution: 'shop', component: 'web', file: join(folder, 'h.yaml') },
          { solution: 'mail', component: 'web', file: join(folder, 'h.yaml') },
        ],
      },
    );
    expect(shop!.values.map(({ values }) => values)).toEqual([{ a: 420 }, { b: 2 }, { h: 1 }]);
    expect(siteSecrets([shop!])).toEqual(['from outside', 'from a file']);
    expect(shop!.patches[0]!.documents).toEqual([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } }]);
    expect(mail).toMatchObject({ solution: 'mail', component: 'web', patches: [] });
  });

  test('of an environment comes after what is set for its Solution, and before what is handed in', async () => {
    const sites = await read(
      `environments:
  shop:
    old: {values: {web: [{host: old}]}}
    new: {version: "1.0.0", values: {web: [{host: new}], queue: [{size: 1}]}}
    gone: {values: {anything: [{a: 1}]}}
values: {shop: {web: [{host: all, size: 2}]}}`,
      { 'h.yaml': 'handed: 1', 'n.yaml': 'handed: 2' },
      {
        handed: [
          { solution: 'shop', component: 'web', file: join(folder, 'h.yaml') },
          { solution: 'shop.new', component: 'web', file: join(folder, 'n.yaml') },
        ],
      },
    );
    const valuesOf = (instance: string, name: string) =>
      siteOf(sites, instance, name)?.values.map(({ values }) => values);
    const all = { host: 'all', size: 2 };
    expect(valuesOf('shop', 'web')).toEqual([all, { handed: 1 }]);
    expect(valuesOf('shop.old', 'web')).toEqual([all, { host: 'old' }, { handed: 1 }]);
    expect(valuesOf('shop.new', 'web')).toEqual([all, { host: 'new' }, { handed: 1 }, { handed: 2 }]);
    expect(valuesOf('shop.other', 'web')).toEqual(valuesOf('shop', 'web'));
    expect([valuesOf('shop', 'queue'), valuesOf('shop.new', 'queue')]).toEqual([undefined, [{ size: 1 }]]);
    const digests = ['shop', 'shop.other', 'shop.old', 'shop.new'].map((one) => solutionSiteDigest(sites, one));
    expect(new Set(digests).size).toBe(3);
    expect(digests[0]).toBe(digests[1]);
  });

  test('decides for its Solution, and otherwise for one environment, whether what was drawn is kept', async () => {
    const sites = await read(
      `keepDrawn: {shop: {web: true}}
environments:
  shop:
    old: {keepDrawn: {web: false}}
    new: {values: {web: [{a: 1}]}}`,
    );
    const kept = ['shop', 'shop.old', 'shop.new', 'mail'].map((one) => siteOf(sites, one, 'web')?.keepDrawn);
    expect(kept).toEqual([true, false, true, undefined]);
    const [keeps, draws] = ['shop', 'shop.old'].map((one) => solutionSiteDigest(sites, one));
    expect(keeps).not.toBe(draws);
  });

  test('of a Solution that is not active is left alone', async () => {
    expect(await read('values: {asleep: {anything: [missing.yaml]}}')).toEqual([]);
  });

  test.each<[string, string, RegExp, Readonly<Record<string, string>>?]>([
    [
      'a Solution that is not there',
      'values: {shopp: {web: [{a: 1}]}}',
      /:4:18: there is no Solution "shopp"; did you mean "shop"/,
    ],
    [
      'a component that is not there',
      'patches: {shop: {wep: []}}',
      /:4:18: shop 1\.0\.0 has no component "wep"; did you mean "web"/,
    ],
    [
      'values of what is not a chart',
      'values: {shop: {base-shop: [{a: 1}]}}',
      /base-shop is of kind manifests, which has no values/,
    ],
    [
      'what is drawn of what draws nothing',
      'keepDrawn: {shop: {base-shop: true}}',
      /:4:20: base-shop is of kind manifests, which draws nothing/,
    ],
    [
      'a component that the version of an environment does not have',
      'environments: {shop: {old: {values: {queue: [{a: 1}]}}}}',
      /:4:38: shop 1\.0\.0 has no component "queue"/,
    ],
    ['a file that is not there', 'values: {shop: {web: [missing.yaml]}}', /no such file/],
    [
      'values that are no mapping',
      'values: {shop: {web: [list.yaml]}}',
      /list\.yaml:2:1: values are one mapping/,
      { 'list.yaml': '# x\n- a\n' },
    ],
    [
      'values with a key twice',
      'values: {shop: {web: [twice.yaml]}}',
      /twice\.yaml:2:1: the key "a" is there twice/,
      { 'twice.yaml': 'a: 1\na: 2\n' },
    ],
    ['a variable that is not set', 'secrets: {shop: {web: [{path: a, env: NONE}]}}', /the variable NONE is not set/],
    [
      'a secret that is too short',
      'secrets: {shop: {web: [{path: a, file: short}]}}',
      /the secret a is shorter than 4/,
      { short: 'abc\n' },
    ],
    ['a secret at no place', 'secrets: {shop: {web: [{path: a..b, env: PW}]}}', /path has an empty name/],
    ['an empty patch', 'patches: {shop: {web: [{patch: "# nothing"}]}}', /4:24: the patch is empty/],
    [
      'a patch that is not YAML',
      'patches: {shop: {web: [{path: broken.yaml}]}}',
      /broken\.yaml:1:\d+: /,
      { 'broken.yaml': 'a: [' },
    ],
    [
      'a patch without a target',
      'patches: {shop: {web: [{path: nobody.yaml}]}}',
      /nobody\.yaml:1:1: has no target: give it one, or apiVersion, kind, metadata\.name/,
      { 'nobody.yaml': 'spec: {}\n' },
    ],
    ['operations without a target', 'patches: {shop: {web: [{patch: "[]"}]}}', /a list of operations needs a target/],
    [
      'what is not an operation',
      'patches: {shop: {web: [{path: ops.yaml, target: {kind: Pod}}]}}',
      /ops\.yaml:2:3: entry 1 is not an operation/,
      { 'ops.yaml': '- {op: test, path: /a, value: 1}\n- {op: put, path: /a}\n' },
    ],
    [
      'several documents for one target',
      'patches: {shop: {web: [{path: two.yaml, target: {kind: Pod}}]}}',
      /two\.yaml:3:1: a patch with a target is one document/,
      { 'two.yaml': 'a: 1\n---\nb: 1\n' },
    ],
  ])('is refused with %s', async (_, text, message, files) => {
    await expect(read(text, files)).rejects.toThrow(message);
  });

  test.each<[string, HandedValues, RegExp]>([
    [
      'a component that several Solutions have',
      { solution: undefined, component: 'web', file: '/x' },
      /shop and mail both have a component web/,
    ],
    [
      'a Solution that is not active',
      { solution: 'asleep', component: 'web', file: '/x' },
      /no Solution "asleep" is active/,
    ],
    [
      'a component that none has',
      { solution: undefined, component: 'wep', file: '/x' },
      /there is no component "wep"; did you mean "web"/,
    ],
    [
      'a component that is not a chart',
      { solution: undefined, component: 'base-mail', file: '/x' },
      /base-mail is of kind manifests/,
    ],
  ])('is not handed in for %s', async (_, handed, message) => {
    await expect(read('', {}, { handed: [handed] })).rejects.toThrow(message);
  });
});

describe('the digest of what a site sets', () => {
  const sites = (text: string, password = 'hunter22'): Promise<SiteInputs[]> =>
    read(text, { 'a.yaml': 'a: 1\n' }, { environment: { PW: password } });
  const base = 'values: {shop: {web: [{a: 1}]}}\nsecrets: {shop: {web: [{path: b, env: PW}]}}';

  test('follows values and patches, wherever they stand, and tells nothing of secrets unless it has a key', async () => {
    const [one, other, moved, changed] = await Promise.all([
      sites(base),
      sites(base, 'hunter23'),
      sites(base.replace('{a: 1}', 'a.yaml')),
      sites(base.replace('a: 1', 'a: 2')),
    ]);
    const digest = solutionSiteDigest(one!, 'shop');
    expect([other, moved, changed].map((each) => solutionSiteDigest(each!, 'shop') === digest)).toEqual([
      true,
      true,
      false,
    ]);
    expect(solutionSiteDigest(one!, 'mail')).toBeUndefined();
    const key = utf8('key');
    expect(componentSiteDigest(one![0]!, key)).not.toBe(componentSiteDigest(other![0]!, key));
    expect(componentSiteDigest(one![0]!, key)).not.toBe(componentSiteDigest(one![0]!, utf8('other')));
    expect(sitesDigest(one!)).not.toBe(sitesDigest(other!));
    expect(sitesDigest(one!)).toBe(sitesDigest(await sites(base)));
  });
});
