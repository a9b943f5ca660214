import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { packageEntry } from '../support/catalogs.ts';
import { writeFiles } from '../support/cli.ts';
import { judged } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';
import { upstreams } from '../support/upstreams.ts';

const { site, server, registry, publish, pushChart, pushImage, locked, run, textOf, both, updated } =
  upstreams('update');

describe('update', () => {
  judged(
    'raises a chart in its range, and the images that its objects name follow',
    ['helm', 'skopeo', 'docker-registry', 'openssl'],
    async () => {
      const { url } = await server();
      const { host } = await registry();
      for (const tag of ['1.0.0', '1.1.0', '2.0.0']) await pushImage(`shop/web:${tag}`, tag);
      await publish('range', '1.0.0', `${host}/shop/web:1.0.0`);
      const home = await locked('range-home', [
        '# What it is made of.',
        '[[images]]',
        `reference = '${host}/shop/web:1.0.0'   # follows the chart`,
        'platforms=["linux/amd64"]',
        '[[components]]',
        'name = "web"',
        'kind = "helm"',
        `path = "${url}/range/web"`,
        'version = "^1.0" # below 2',
      ]);
      const before = both(home);
      expect(await updated(home)).toMatchObject({
        same: true,
        written: [],
        inputs: [{ name: 'web', change: 'none', from: '1.0.0' }, { change: 'none' }],
      });
      expect(both(home)).toEqual(before);

      await publish('range', '1.1.0', `${host}/shop/web:1.1.0`);
      await publish('range', '2.0.0', `${host}/shop/web:2.0.0`);
      const planned = await updated(home, '--plan');
      expect(planned).toMatchObject({ same: false, written: [] });
      expect(both(home)).toEqual(before);
      const result = await updated(home);
      expect({ ...result, written: [] }).toEqual(planned);
      expect(result.written).toEqual([join(home, 'solution.toml'), join(home, 'solution.lock')]);
      expect(result.inputs).toMatchObject([
        { kind: 'component', name: 'web', change: 'raised', from: '1.0.0', to: '1.1.0', beyond: '2.0.0' },
        { kind: 'image', name: `${host}/shop/web:1.0.0`, change: 'raised', from: '1.0.0', to: '1.1.0' },
      ]);
      expect(result.diff).toMatchObject({
        same: false,
        images: {
          added: [{ reference: `${host}/shop/web:1.1.0` }],
          removed: [{ reference: `${host}/shop/web:1.0.0` }],
        },
        objects: { changed: [{ component: 'web', object: 'Deployment default/web' }] },
      });
      expect(textOf(home)).toBe(before[0]!.replace('shop/web:1.0.0', 'shop/web:1.1.0'));
      expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
      expect(await updated(home)).toMatchObject({ same: true });

      const { stdout } = await run(['update', home, '--latest', '--plan']);
      expect(stdout.split('\n')).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^raised +web +1\.1\.0 -> 2\.0\.0/),
          'nothing was written',
          's 1.0.0 -> s 1.0.0',
        ]),
      );
      const latest = await updated(home, '--latest');
      expect(latest.inputs[0]).toMatchObject({ change: 'raised', from: '1.1.0', to: '2.0.0' });
      expect(textOf(home)).toContain('version = "^2.0" # below 2');
      expect(await run(['pack', home, '-o', join(home, 'newest.tar'), '--locked'])).toMatchObject({ code: 0 });
    },
  );

  judged(
    'raises an exact version of an OCI chart where it stands, within its major version',
    ['helm', 'skopeo', 'docker-registry'],
    async () => {
      const { host } = await registry();
      await pushImage('exact/api:1', '1');
      for (const version of ['0.3.0', '0.3.4', '0.4.0-rc.1', '0.4.0'])
        await pushChart('api', version, `${host}/exact/api:1`);
      const home = await locked('exact-home', [
        `images = [{ reference = "${host}/exact/api:1", keep = true }]`,
        `components = [{ name = "api", kind = "helm", path = "oci://${host}/charts/api", version="0.3.0" }]`,
      ]);
      const before = textOf(home);
      const result = await updated(home);
      expect(result.inputs[0]).toMatchObject({ change: 'raised', from: '0.3.0', to: '0.3.4', beyond: '0.4.0' });
      expect(textOf(home)).toBe(before.replace('version="0.3.0"', 'version="0.3.4"'));
      expect((await updated(home, '--only', 'api')).inputs).toMatchObject([
        { name: 'api', change: 'none', beyond: '0.4.0' },
      ]);
      expect((await updated(home, '--plan', '--latest')).inputs[0]).toMatchObject({ to: '0.4.0' });
    },
  );

  judged(
    'raises the tag of an image that the definition keeps, and takes what a moved tag stands for now',
    ['skopeo', 'docker-registry'],
    async () => {
      const { host } = await registry();
      const tags = ['1.25.3-alpine', '1.25.5-alpine', '1.26.0', '1.27.0-rc.1-alpine', '2.0.0-alpine', 'edge'];
      for (const tag of tags) await pushImage(`base/proxy:${tag}`, tag);
      const home = await locked('image-home', [
        '[[images]]',
        'reference = "registry.example.com/base/proxy:1.25.3-alpine" # for the node',
        `source = "docker://${host}/base/proxy:1.25.3-alpine"`,
        'keep = true',
        '[[images]]',
        `reference = "${host}/base/proxy:edge"`,
        'keep = true',
      ]);
      const before = textOf(home);
      await pushImage('base/proxy:edge', 'another');
      const { inputs, diff } = await updated(home);
      expect(inputs).toMatchObject([
        { change: 'raised', from: '1.25.3-alpine', to: '1.25.5-alpine', beyond: '2.0.0-alpine' },
        { change: 'moved', from: 'edge', to: 'edge', reason: 'has a tag that names no version' },
      ]);
      expect(inputs[1]!['fromDigest']).not.toBe(inputs[1]!['toDigest']);
      expect(diff).toMatchObject({
        images: { changed: [{ from: inputs[1]!['fromDigest'], to: inputs[1]!['toDigest'] }] },
      });
      expect(textOf(home)).toBe(before.replaceAll('1.25.3-alpine', '1.25.5-alpine'));
      expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
      expect((await updated(home, '--plan', '--latest', '--only', `${host}/base/proxy:edge`)).inputs).toHaveLength(1);
    },
  );

  judged(
    'reports a newer image that a manifest of this machine names, and follows once it is raised there',
    ['skopeo', 'docker-registry'],
    async () => {
      const { host } = await registry();
      for (const tag of ['7.2.1', '7.4.0']) await pushImage(`own/db:${tag}`, tag);
      const pod = (tag: string): string =>
        stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'db' },
          spec: { containers: [{ name: 'db', image: `${host}/own/db:${tag}` }] },
        });
      const lines = [
        '[[images]]',
        `reference = "${host}/own/db:7.2.1"`,
        '[[components]]',
        'name = "db"',
        'kind = "manifests"',
        'path = "db.yaml"',
      ];
      const home = await locked('manifest-home', lines, { 'db.yaml': pod('7.2.1') });
      const before = both(home);
      const found = await updated(home);
      expect(found).toMatchObject({
        same: true,
        inputs: [{}, { change: 'none', beyond: '7.4.0', reason: expect.stringContaining('component db') }],
      });
      expect(both(home)).toEqual(before);
      writeFiles(home, { 'db.yaml': pod('7.4.0') });
      expect(await updated(home)).toMatchObject({ same: false, inputs: [{}, { change: 'raised', to: '7.4.0' }] });
      expect(textOf(home)).toBe(before[0]!.replace('7.2.1', '7.4.0'));
      expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
    },
  );

  judged('raises a bundle in the channel that it is in', ['skopeo', 'docker-registry'], async () => {
    const { host } = await registry();
    const bundle = async (version: string, channels: string): Promise<void> => {
      const prefix = 'operators.operatorframework.io.bundle';
      const annotations = {
        [`${prefix}.mediatype.v1`]: 'registry+v1',
        [`${prefix}.manifests.v1`]: 'manifests/',
        [`${prefix}.metadata.v1`]: 'metadata/',
        [`${prefix}.package.v1`]: 'cache-operator',
        [`${prefix}.channels.v1`]: channels,
        [`${prefix}.channel.default.v1`]: 'stable',
      };
      const files = { 'metadata/annotations.yaml': stringify({ annotations }) };
      await pushImage(`cache/bundle:v${version}`, version, operatorBundle({ spec: { version }, files }));
    };
    await bundle('1.4.0', 'alpha,stable');
    await bundle('1.5.0', 'stable');
    await bundle('2.0.0', 'stable,fast');
    await bundle('2.1.0', 'alpha,fast');
    const home = await locked('bundle-home', [
      'external-images = ["registry.example.com/cache/operator", "registry.example.com/cache/server"]',
      '[[components]]',
      'name = "cache"',
      'kind = "registry+v1"',
      `path = "docker://${host}/cache/bundle:v1.4.0"`,
    ]);
    const { inputs } = await updated(home);
    expect(inputs).toMatchObject([
      { change: 'raised', from: 'v1.4.0', to: 'v2.0.0', beyond: 'v2.1.0', reason: 'channel stable' },
    ]);
    expect(textOf(home)).toContain(`path = "docker://${host}/cache/bundle:v2.0.0"`);
    expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
    expect((await updated(home, '--latest')).inputs).toMatchObject([{ to: 'v2.1.0' }]);
  });

  judged('raises a bundle of a catalog in its channel, within its range', ['skopeo', 'docker-registry'], async () => {
    const { host } = await registry();
    const versions = ['1.3.0', '1.4.0', '2.0.0'];
    for (const version of versions)
      await pushImage(`listed/bundle:${version}`, version, operatorBundle({ spec: { version } }));
    const catalog = (known: readonly string[]): string =>
      [
        packageEntry('cache-operator', 'stable'),
        {
          schema: 'olm.channel',
          package: 'cache-operator',
          name: 'stable',
          entries: known.map((version, at) => ({
            name: `cache-operator.v${version}`,
            ...(at === 0 ? {} : { replaces: `cache-operator.v${known[at - 1]}` }),
          })),
        },
        ...known.map((version) => ({
          schema: 'olm.bundle',
          package: 'cache-operator',
          name: `cache-operator.v${version}`,
          image: `${host}/listed/bundle:${version}`,
          properties: [{ type: 'olm.package', value: { packageName: 'cache-operator', version } }],
        })),
      ]
        .map((one) => `---\n${stringify(one)}`)
        .join('');
    const lines = [
      'external-images = ["registry.example.com/cache/operator", "registry.example.com/cache/server"]',
      '[[components]]',
      'name = "cache"',
      'kind = "registry+v1"',
      'path = "catalog:catalog//cache-operator"',
    ];
    const home = await locked('catalog-range', [...lines, 'version = "^1"'], {
      'catalog/catalog.yaml': catalog(['1.3.0']),
    });
    writeFiles(home, { 'catalog/catalog.yaml': catalog(versions) });
    expect((await updated(home)).inputs).toMatchObject([
      { change: 'raised', from: '1.3.0', to: '1.4.0', beyond: '2.0.0' },
    ]);
    const head = await locked('catalog-head', lines, { 'catalog/catalog.yaml': catalog(['1.3.0']) });
    writeFiles(head, { 'catalog/catalog.yaml': catalog(versions) });
    expect((await updated(head)).inputs).toMatchObject([{ change: 'raised', from: '1.3.0', to: '2.0.0' }]);
    expect(await run(['pack', head, '-o', join(head, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
  });

  judged(
    'lets images and the lock follow a version that somebody else has raised in the definition',
    ['helm', 'skopeo', 'docker-registry', 'openssl'],
    async () => {
      const { url } = await server();
      const { host } = await registry();
      for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
        await pushImage(`edited/web:${version}`, version);
        await publish('edited', version, `${host}/edited/web:${version}`);
      }
      const home = await locked('edited-home', [
        '[[images]]',
        `reference = "${host}/edited/web:1.0.0"`,
        '[[components]]',
        'name = "web"',
        'kind = "helm"',
        `path = "${url}/edited/web"`,
        'version = "1.0.0"',
      ]);
      expect(await updated(home, '--follow')).toMatchObject({ same: true, written: [] });
      writeFileSync(join(home, 'solution.toml'), textOf(home).replace(/version = "1\.0\.0"\n$/, 'version = "1.1.0"\n'));
      const { inputs, same } = await updated(home, '--follow');
      expect({ same, inputs }).toMatchObject({
        same: false,
        inputs: [
          { name: 'web', change: 'added', to: '1.1.0' },
          { change: 'raised', from: '1.0.0', to: '1.1.0' },
        ],
      });
      expect(textOf(home)).toContain('edited/web:1.1.0');
      expect(await run(['pack', home, '-o', join(home, 'new.tar'), '--locked'])).toMatchObject({ code: 0 });
      expect(await run(['update', home, '--follow', '--latest'])).toMatchObject({ code: 2 });
    },
  );

  judged(
    'ends with one line and writes nothing if an upstream does not answer, or the result is not closed',
    ['helm', 'skopeo', 'docker-registry', 'openssl'],
    async () => {
      const files = await server();
      const { url } = files;
      const { host } = await registry();
      await pushImage('fail/web:1.0.0', '1.0.0');
      await publish('failing', '1.0.0', `${host}/fail/web:1.0.0`);
      const component = [
        '[[components]]',
        'name = "web"',
        'kind = "helm"',
        `path = "${url}/failing/web"`,
        'version = "1.0.0"',
      ];
      const home = await locked('fail-home', ['[[images]]', `reference = "${host}/fail/web:1.0.0"`, ...component]);
      const before = both(home);
      await publish('failing', '1.1.0', `${host}/fail/web:1.1.0`);
      const absent = await run(['update', home]);
      expect(absent).toMatchObject({ code: 2, stdout: '' });
      expect(absent.stderr).toContain('[image-absent]');
      expect(both(home)).toEqual(before);
      files.answer = (_, response) => {
        response.writeHead(403).end();
        return true;
      };
      const denied = await run(['update', home]);
      files.answer = () => false;
      expect(denied).toMatchObject({ code: 4, stdout: '' });
      expect(denied.stderr.match(/\[[a-z-]+\]/g)).toEqual(['[remote-denied]']);
      expect(both(home)).toEqual(before);
      expect(existsSync(join(home, 'solution.toml.partial'))).toBe(false);
      expect((await run(['update', 'web-1.1.0.iso'])).stderr).toContain('"solpack install ARCHIVE" replaces');
      const unknown = await run(['update', home, '--only', 'wbe']);
      expect(unknown).toMatchObject({ code: 2 });
      expect(unknown.stderr).toContain('the definition has no component and no image wbe');
    },
  );

  judged(
    'keeps a locked version that its upstream no longer lists',
    ['helm', 'skopeo', 'docker-registry', 'openssl'],
    async () => {
      const { url } = await server();
      const { host } = await registry();
      await pushImage('gone/web:1', '1');
      for (const version of ['1.0.0', '1.1.0']) await publish('gone', version, `${host}/gone/web:1`);
      const home = await locked('gone-home', [
        '[[images]]',
        `reference = "${host}/gone/web:1"`,
        '[[components]]',
        'name = "web"',
        'kind = "helm"',
        `path = "${url}/gone/web"`,
        'version = "^1"',
      ]);
      const index = join(site, 'gone/index.yaml');
      writeFileSync(
        index,
        readFileSync(index, 'utf8').replace(/ {2}- apiVersion(?:(?!\n {2}- )[\s\S])*version: 1\.1\.0\n/, ''),
      );
      const { same, inputs } = await updated(home);
      expect({ same, inputs }).toMatchObject({
        same: true,
        inputs: [{ change: 'none', from: '1.1.0', reason: 'is no longer listed by its upstream' }, {}],
      });
    },
  );
});
