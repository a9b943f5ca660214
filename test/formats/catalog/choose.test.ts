import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import {
  type AbsentBundle,
  type ChosenBundle,
  channelVersions,
  chooseBundle,
} from '../../../formats/catalog/choose.ts';
import { catalogDocuments } from '../../../formats/catalog/documents.ts';
import { type CatalogPackage, CatalogReader, type ChannelEntry } from '../../../formats/catalog/read.ts';
import { packageEntry } from '../../support/catalogs.ts';

interface Bundle {
  readonly version: string;
  readonly release?: string;
}

async function packageWith(
  entries: readonly ChannelEntry[],
  bundles: Readonly<Record<string, Bundle>>,
): Promise<CatalogPackage> {
  const documents = [
    packageEntry('p', 'stable'),
    { schema: 'olm.channel', package: 'p', name: 'stable', entries },
    ...Object.entries(bundles).map(([name, value]) => ({
      schema: 'olm.bundle',
      package: 'p',
      name,
      image: `r/${name}`,
      properties: [{ type: 'olm.package', value: { packageName: 'p', ...value } }],
    })),
    { schema: 'olm.bundle', package: 'q', name: 'p.v9.0.0', image: 'r/q' },
    { schema: 'custom', p: 'p' },
  ];
  const reader = new CatalogReader('p');
  const bytes = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    yield utf8(documents.map((one) => JSON.stringify(one)).join('\n'));
  };
  for await (const document of catalogDocuments(bytes())) reader.add(document, 'catalog.json');
  return reader.package('p')!;
}

const choose = (of: CatalogPackage, range?: string): ChosenBundle | AbsentBundle =>
  chooseBundle(of, { channel: undefined, range });

describe('a bundle of a channel', () => {
  test('has the versions of the names in its edges from the bundles of the catalog', async () => {
    const entries = [{ name: 'old' }, { name: 'new', replaces: 'old', skips: ['p.v1.5.0', 'nobody'] }];
    const found = await packageWith(entries, { old: { version: '1.0.0' }, new: { version: '2.0.0' } });
    expect(choose(found)).toMatchObject({
      name: 'new',
      version: '2.0.0',
      isHead: true,
      upgrade: { from: '1.0.0', skips: ['1.5.0'] },
      notices: ['has upgrade rules that no Solution can state: skips nobody, which names no version'],
    });
  });

  test('is the highest in the range by SemVer, and of one version the latest release', async () => {
    const entries = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    const found = await packageWith(entries, {
      a: { version: '1.9.0' },
      b: { version: '1.10.0', release: '1' },
      c: { version: '1.10.0', release: '2' },
      d: { version: '2.0.0-rc.1' },
    });
    expect(choose(found, '>=1.9')).toMatchObject({ name: 'c' });
    expect(choose(found, '2.0.0-rc.1')).toMatchObject({ name: 'd' });
    expect(choose(found, '^3')).toEqual({
      absent: 'the channel stable of p has no version ^3; it has 2.0.0-rc.1, 1.10.0+2, 1.10.0+1, 1.9.0',
    });
  });

  test('is refused without a range where the channel has no single head', async () => {
    const bundles = { a: { version: '1.0.0' }, b: { version: '2.0.0' } };
    const several = await packageWith([{ name: 'a' }, { name: 'b' }], bundles);
    expect(() => choose(several)).toThrow('the channel stable of p has several heads, a, b');
    const circle = await packageWith(
      [
        { name: 'a', replaces: 'b' },
        { name: 'b', replaces: 'a' },
      ],
      bundles,
    );
    expect(() => choose(circle)).toThrow('no head');
  });

  test('has no range of upgrades that no lock could keep', async () => {
    const skips = Array.from({ length: 300 }, (_, at) => `p.v1.0.${at}`);
    const skipRange = Array.from({ length: 60 }, (_, at) => `>=1.0.${at} <1.1.${at}`).join(' || ');
    const found = await packageWith([{ name: 'p.v2.0.0', skips, skipRange, replaces: 'p.v1.9.0' }], {
      'p.v2.0.0': { version: '2.0.0' },
    });
    const chosen = choose(found) as ChosenBundle;
    expect(chosen.upgrade.from).toBe('1.9.0');
    expect(chosen.upgrade.skips).toHaveLength(256);
    expect(chosen.notices.join()).toContain('which no archive can state');
  });

  test('has no notice of a deprecation of a schema that is no part of a package', async () => {
    const found = await packageWith([{ name: 'a' }], { a: { version: '1.0.0' } });
    const deprecations = ['toString', 'constructor', 'olm.bundle'].map((schema) => ({
      schema,
      name: 'a',
      message: 'old',
    }));
    expect(choose({ ...found, deprecations })).toMatchObject({ notices: ['the bundle a is deprecated: old'] });
  });

  test('looks each deprecation up once, however many entries a channel has', async () => {
    const names = Array.from({ length: 1000 }, (_, at) => `p.v1.0.${at}`);
    const bundles = Object.fromEntries(names.map((name, at) => [name, { version: `1.0.${at}` }]));
    const found = await packageWith(
      names.map((name) => ({ name })),
      bundles,
    );
    let looked = 0;
    const deprecations = names.slice(1).map((name) => ({
      get schema() {
        looked += 1;
        return 'olm.bundle';
      },
      name,
      message: 'old',
    }));
    expect(choose({ ...found, deprecations }, '>=1')).toMatchObject({ name: 'p.v1.0.0' });
    expect(channelVersions({ ...found, deprecations }, undefined)).toEqual(['1.0.0']);
    expect(looked).toBeLessThan(10 * names.length);
  });
});
