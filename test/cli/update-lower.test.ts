import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { packageEntry } from '../support/catalogs.ts';
import { writeFiles } from '../support/cli.ts';
import { judged, ok } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';
import { upstreams } from '../support/upstreams.ts';

const { site, server, registry, publish, pushImage, locked, run, textOf, both, updated } = upstreams('update-lower');

const image = 'registry.example.com/shop/web:1';
const external = 'external-images = ["registry.example.com/shop/web"]';

describe('update never lowers', () => {
  judged('a chart of a local chart whose upstream has taken it back', ['helm', 'openssl'], async () => {
    const { url } = await server();
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await publish('back', version, image);
    const dependencies = [{ name: 'web', version: '^1.0', repository: `${url}/back` }];
    const home = await locked(
      'back-home',
      [external, '[[components]]', 'name = "app"', 'kind = "helm"', 'path = "app"'],
      {
        'app/Chart.yaml': stringify({ apiVersion: 'v2', name: 'app', version: '1.0.0', dependencies }),
      },
    );
    const before = both(home);
    for (const name of ['web-1.2.0.tgz', 'index.yaml']) rmSync(join(site, 'back', name));
    await ok('helm', ['repo', 'index', join(site, 'back')]);
    const { same, inputs } = await updated(home);
    expect({ same, inputs }).toMatchObject({
      same: true,
      inputs: [
        {},
        { name: 'app', change: 'none', from: '1.2.0', reason: expect.stringContaining('higher than 1.1.0') },
      ],
    });
    expect(both(home)).toEqual(before);
  });

  judged('a bundle of a catalog whose head is lower now', ['skopeo', 'docker-registry', 'openssl'], async () => {
    const { host } = await registry();
    const catalog = (version: string): string =>
      [
        packageEntry('cache-operator', 'stable'),
        {
          schema: 'olm.channel',
          package: 'cache-operator',
          name: 'stable',
          entries: [{ name: `cache-operator.v${version}` }],
        },
        {
          schema: 'olm.bundle',
          package: 'cache-operator',
          name: `cache-operator.v${version}`,
          image: `${host}/lower/bundle:${version}`,
          properties: [{ type: 'olm.package', value: { packageName: 'cache-operator', version } }],
        },
      ]
        .map((one) => `---\n${stringify(one)}`)
        .join('');
    for (const version of ['1.1.0', '1.2.0'])
      await pushImage(`lower/bundle:${version}`, version, operatorBundle({ spec: { version } }));
    const home = await locked(
      'head-home',
      [
        'external-images = ["registry.example.com/cache/operator", "registry.example.com/cache/server"]',
        '[[components]]',
        'name = "cache"',
        'kind = "registry+v1"',
        'path = "catalog:catalog//cache-operator"',
      ],
      { 'catalog/catalog.yaml': catalog('1.2.0') },
    );
    const before = both(home);
    writeFiles(home, { 'catalog/catalog.yaml': catalog('1.1.0') });
    expect(await updated(home)).toMatchObject({
      same: true,
      inputs: [{ change: 'none', from: '1.2.0', reason: 'is higher than 1.1.0, which its upstream has now' }],
    });
    expect(both(home)).toEqual(before);
  });
});

describe('update', () => {
  judged('says that a version is chosen if the lock names none', ['helm', 'openssl'], async () => {
    const { url } = await server();
    for (const version of ['1.0.0', '1.2.0']) await publish('chosen', version, image);
    const component = ['[[components]]', 'name = "web"', 'kind = "helm"', `path = "${url}/chosen/web"`];
    const home = await locked('chosen-home', [external, ...component, 'version = "^1.0"']);
    writeFileSync(join(home, 'solution.toml'), textOf(home).replace('^1.0', '^1.1'));
    expect((await run(['update', home, '--plan'])).stdout).toMatch(/^chosen +web +1\.2\.0 sha256:/);
    expect((await updated(home, '--plan')).inputs).toMatchObject([{ change: 'added', to: '1.2.0' }]);
  });

  judged('names the versions that were tried if the result is not closed', ['helm', 'openssl'], async () => {
    const { url } = await server();
    await publish('open', '1.0.0', image);
    const component = ['[[components]]', 'name = "web"', 'kind = "helm"', `path = "${url}/open/web"`];
    const home = await locked('open-home', [external, ...component, 'version = "1.0.0"']);
    const before = both(home);
    writeFiles(join(site, 'made/web'), {
      'Chart.yaml': stringify({ apiVersion: 'v2', name: 'web', version: '1.3.0' }),
      'templates/shop.yaml': stringify({ apiVersion: 'shop.example.com/v1', kind: 'Shop', metadata: { name: 'web' } }),
    });
    await ok('helm', ['package', join(site, 'made/web'), '--destination', join(site, 'open')]);
    await ok('helm', ['repo', 'index', join(site, 'open')]);
    const { code, stderr } = await run(['update', home]);
    expect(code).toBe(2);
    for (const words of ['with web 1.3.0 instead of 1.0.0', 'nothing was written', '--only NAME'])
      expect(stderr).toContain(words);
    expect(both(home)).toEqual(before);
  });
});
