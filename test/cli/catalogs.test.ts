import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { packageEntry } from '../support/catalogs.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, type Outcome, ok, scratch } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';
import { dockerRegistry } from '../support/registry.ts';

const folder = scratch('catalogs');
const registry = dockerRegistry(folder);
const tools = ['skopeo', 'docker-registry'] as const;

const versions = ['1.3.0', '1.3.1', '1.4.0', '2.0.0'];
const images = ['registry.example.com/cache/operator:1.4.0', 'registry.example.com/cache/server:7.2.4'];
const external = `external-images = ${JSON.stringify(images)}\n`;

/** The catalog: bundles by their tags, but for the last one by its digest. */
function catalogTexts(host: string, lastDigest: string, more: readonly unknown[] = []): Record<string, string> {
  const bundle = (version: string): unknown => ({
    schema: 'olm.bundle',
    package: 'cache-operator',
    name: `cache-operator.v${version}`,
    image: `${host}/cache/bundle${version === '2.0.0' ? `@${lastDigest}` : `:${version}`}`,
    properties: [{ type: 'olm.package', value: { packageName: 'cache-operator', version } }],
  });
  const stable = {
    schema: 'olm.channel',
    package: 'cache-operator',
    name: 'stable',
    entries: [
      { name: 'cache-operator.v1.3.0' },
      { name: 'cache-operator.v1.3.1', replaces: 'cache-operator.v1.3.0' },
      {
        name: 'cache-operator.v1.4.0',
        replaces: 'cache-operator.v1.3.0',
        skips: ['cache-operator.v1.3.1'],
        skipRange: '>=1.0.0 <1.3.0',
      },
    ],
  };
  const fast = {
    schema: 'olm.channel',
    package: 'cache-operator',
    name: 'fast',
    entries: [{ name: 'cache-operator.v1.4.0' }, { name: 'cache-operator.v2.0.0', replaces: 'cache-operator.v1.4.0' }],
  };
  const documents = [packageEntry('cache-operator', 'stable'), stable, fast, ...more];
  return {
    'cache/package.yaml': documents.map((one) => `---\n${stringify(one)}`).join(''),
    'cache/bundles/all.json': versions.map((version) => JSON.stringify(bundle(version), null, 2)).join('\n'),
    'other/catalog.yaml': `${stringify(packageEntry('other', 'alpha'))}`,
    '.indexignore': '*.md\n!nothing\ndrafts/\n',
    'README.md': 'Not a document of a catalog: [',
    'drafts/catalog.yaml': 'schema: [broken',
  };
}

/** The label that says where the files of a catalog are. */
const CONFIGS = 'operators.operatorframework.io.index.configs.v1';

let host: string;
let lastDigest: string;

async function push(name: string, image: ReturnType<typeof buildImage>): Promise<string> {
  const layout = join(folder, `layout-${name.replace(/[/:]/g, '-')}`);
  await writeLayout(layout, [{ name: 'it:1', image }]);
  const to = `docker://${host}/${name}`;
  await ok('skopeo', ['copy', '--dest-tls-verify=false', `oci:${layout}:it:1`, to]);
  return image.manifests[0]!.digest;
}

async function pushCatalog(name: string, texts: Readonly<Record<string, string>>): Promise<string> {
  const below = Object.entries(texts).map(([path, text]) => [`configs/${path}`, text]);
  const files = { ...Object.fromEntries(below), 'bin/strange\\x2dname': 'the program that serves it' };
  const labels = { [CONFIGS]: '/configs' };
  return push(name, buildImage({ seed: name, files, labels }));
}

beforeAll(async () => {
  host = (await registry()).host;
  for (const version of versions) {
    const files = operatorBundle({
      files: {
        'manifests/cache-operator.clusterserviceversion.yaml': operatorBundle()
          ['manifests/cache-operator.clusterserviceversion.yaml']!.replace('version: 1.4.0', `version: ${version}`)
          .replace('name: cache-operator.v1.4.0', `name: cache-operator.v${version}`),
      },
    });
    lastDigest = await push(`cache/bundle:${version}`, buildImage({ seed: version, files }));
  }
  await pushCatalog('catalogs/operators:v1', catalogTexts(host, lastDigest));
});

function define(name: string, component: string, files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  const text = `name = "${name}"\nversion = "1.0.0"\n${external}[[components]]\nname = "cache"\nkind = "registry+v1"\n${component}\n`;
  writeFiles(home, { 'solution.toml': text, ...files });
  return home;
}

const pack = (home: string, ...more: string[]): Promise<Outcome> =>
  solpack(['pack', home, '-o', join(home, 'out.iso'), ...more]);

const inspected = async (home: string): Promise<{ components: { version: string }[]; upgrade?: unknown }> =>
  JSON.parse(await succeeds(['inspect', join(home, 'out.iso'), '--json']));

describe('a component of a file-based catalog', () => {
  judged('is the head of the default channel, with the upgrade graph of the channel', tools, async () => {
    const home = define('head', `path = "catalog://${host}/catalogs/operators:v1//cache-operator"`);
    const packed = await pack(home);
    expect([packed.code, packed.stderr]).toEqual([
      0,
      expect.stringMatching(/is cache-operator\.v1\.4\.0, the head of the channel stable/),
    ]);
    expect(await inspected(home)).toMatchObject({
      components: [{ kind: 'registry+v1', version: '1.4.0' }],
      upgrade: { provides: { 'cache-operator': { from: '1.3.0 || >=1.0.0 <1.3.0', skips: ['1.3.1'] } } },
    });
    const lock = readFileSync(join(home, 'solution.lock'), 'utf8');
    expect(lock).toMatch(
      /address = "catalog:\/\/.*\/\/cache-operator"\nversion = "1\.4\.0"\nurl = "docker:\/\/.*\/cache\/bundle:1\.4\.0"/,
    );
    expect(lock).toMatch(/\[sources\.upgrade\]\n *from = "1\.3\.0 \|\| >=1\.0\.0 <1\.3\.0"\n *skips = \[ "1\.3\.1" \]/);
  });

  judged('is locked, and packed again without the catalog and without a network', tools, async () => {
    await pushCatalog('catalogs/moving:v1', catalogTexts(host, lastDigest));
    const home = define(
      'locked',
      `path = "catalog://${host}/catalogs/moving:v1//cache-operator"\nchannel = "fast"\nversion = "<2"`,
    );
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await inspected(home)).toMatchObject({ components: [{ version: '1.4.0' }] });
    const address = `${host}/catalogs/moving`;
    const gone = join(home, 'solution.lock');
    writeFileSync(gone, readFileSync(gone, 'utf8').replaceAll(address, '127.0.0.1:1/catalogs/moving'));
    const definition = join(home, 'solution.toml');
    writeFileSync(definition, readFileSync(definition, 'utf8').replaceAll(address, '127.0.0.1:1/catalogs/moving'));
    const again = await pack(home);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('is cache-operator')]);
    rmSync(join(home, '.solpack'), { recursive: true });
    expect(await pack(home)).toMatchObject({ code: 0 });
    const renewed = await pack(home, '--update');
    expect([renewed.code, renewed.stderr]).toEqual([expect.any(Number), expect.stringContaining('127.0.0.1:1')]);
    expect(renewed.code).not.toBe(0);
  });

  judged('comes from a folder, by channel and range', tools, async () => {
    const texts = Object.entries(catalogTexts(host, lastDigest)).map(([path, text]) => [`catalog/${path}`, text]);
    const home = define(
      'folder',
      'path = "catalog:catalog//cache-operator"\nchannel = "fast"\nversion = ">=2"',
      Object.fromEntries(texts),
    );
    const checked = await solpack(['check', home, '--json']);
    expect([checked.code, checked.stderr]).toEqual([
      0,
      expect.stringMatching(/cache-operator\.v2\.0\.0, the head of the channel fast/),
    ]);
    expect(await pack(home)).toMatchObject({ code: 0 });
    expect(await inspected(home)).toMatchObject({
      components: [{ version: '2.0.0' }],
      upgrade: { provides: { 'cache-operator': { from: '1.4.0' } } },
    });
    expect(await succeeds(['images', home])).toContain(images[0]);
    expect(readFileSync(join(home, 'solution.lock'), 'utf8')).toContain(`/cache/bundle@${lastDigest}"`);
    expect(await pack(home, '--locked')).toMatchObject({ code: 0 });
  });

  judged('that its publisher advises against is taken last, with its reasons', tools, async () => {
    const deprecated = {
      schema: 'olm.deprecations',
      package: 'cache-operator',
      entries: [
        { reference: { schema: 'olm.bundle', name: 'cache-operator.v1.4.0' }, message: 'loses\n  data' },
        { reference: { schema: 'olm.channel', name: 'stable' }, message: 'use fast' },
        { reference: { schema: 'olm.package' }, message: 'end of life' },
      ],
    };
    await pushCatalog('catalogs/old:v1', catalogTexts(host, lastDigest, [deprecated]));
    const path = `path = "catalog://${host}/catalogs/old:v1//cache-operator"\n`;
    const ranged = define('ranged', `${path}version = ">=1.3.0"`);
    const packed = await pack(ranged);
    expect([packed.code, packed.stderr]).toEqual([
      0,
      expect.stringMatching(/is cache-operator\.v1\.3\.0, an entry of the channel stable/),
    ]);
    const exact = await pack(define('exact', `${path}version = "1.4.0"`));
    expect(exact.code).toBe(0);
    for (const words of [
      'the bundle cache-operator.v1.4.0 is deprecated: loses data',
      'the channel stable is deprecated: use fast',
      'the package cache-operator is deprecated: end of life',
    ]) {
      expect(exact.stderr).toContain(words);
    }
    const skipped = await pack(define('skipped', `${path}version = "1.3.1"`));
    expect(skipped.stderr).toContain('another entry of the channel stable skips cache-operator.v1.3.1');
  });

  judged('is refused with what there is instead', tools, async () => {
    const at = `catalog://${host}/catalogs/operators:v1`;
    await push('catalogs/none:v1', buildImage({ seed: 'none' }));
    const database = { 'operators.operatorframework.io.index.database.v1': '/database/index.db' };
    await push('catalogs/database:v1', buildImage({ seed: 'database', labels: database }));
    await push('catalogs/above:v1', buildImage({ seed: 'above', labels: { [CONFIGS]: '/configs/../..' } }));
    await push('catalogs/empty:v1', buildImage({ seed: 'empty', labels: { [CONFIGS]: '/configs' } }));
    const cases: readonly (readonly [string, string, RegExp])[] = [
      ['label-above', `path = "catalog://${host}/catalogs/above:v1//a"`, /its label .* is \/configs\/\.\.\/\.\./],
      [
        'no-folder',
        `path = "catalog://${host}/catalogs/empty:v1//a"`,
        /has no folder \/configs, which its label names/,
      ],
      ['package', `path = "${at}//cache-operatr"`, /has no package cache-operatr.*did you mean cache-operator/s],
      ['no-package', `path = "${at}"`, /has 2 packages/],
      [
        'channel',
        `path = "${at}//cache-operator"\nchannel = "beta"`,
        /cache-operator has no channel beta; it has stable, fast/,
      ],
      [
        'range',
        `path = "${at}//cache-operator"\nversion = "^3"`,
        /has no version \^3; it has 1\.4\.0, 1\.3\.1, 1\.3\.0/,
      ],
      ['other', `path = "${at}//other"`, /other has no channel alpha; it has none/],
      ['label', `path = "catalog://${host}/catalogs/none:v1//a"`, /is not the image of a catalog: it has no label/],
      ['database', `path = "catalog://${host}/catalogs/database:v1//a"`, /is a catalog with a database/],
      ['absent', `path = "catalog://${host}/catalogs/operators:v9//a"`, /has no v9/],
      ['nothing', 'path = "catalog:none//a"', /none.*\[file-missing\]/],
      ['above', 'path = "catalog:/etc//a"', /is an absolute path/],
      ['form', 'path = "catalog:a//"', /names no package/],
      ['misplaced', 'path = "bundle"\nchannel = "stable"', /is about a catalog, but "path" does not begin/],
    ];
    for (const [name, component, words] of cases) {
      const { code, stderr } = await pack(define(`refused-${name}`, component));
      expect([name, code, stderr]).toEqual([name, 2, expect.stringMatching(words)]);
      expect(stderr).not.toMatch(/\n {4}at |solpack-[^/ ]*\/\d+/);
    }
  });

  judged('is not read through links that lead out of the folder of its catalog', tools, async () => {
    const home = define('linked', 'path = "catalog:c//cache-operator"', {
      'c/catalog.yaml': 'schema: olm.package\nname: a\n',
    });
    symlinkSync('/etc/passwd', join(home, 'c', 'more.yaml'));
    const { code, stderr } = await pack(home);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/more\.yaml: a symbolic link leads out of/)]);
    expect(stderr).not.toContain('root:');
  });

  judged('is refused where a document of its catalog is wrong, by file and line', tools, async () => {
    const good = catalogTexts(host, lastDigest);
    const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
      [
        'yaml',
        { 'bad.yaml': 'schema: olm.channel\n---\nname: cache-operator\nschema: [\n' },
        /bad\.yaml, in the document that begins at line 2/,
      ],
      ['schema', { 'bad.yaml': 'name: cache-operator\n' }, /bad\.yaml:1: a document without a schema/],
      [
        'twice',
        { 'bad.yaml': stringify(packageEntry('cache-operator', 'x')) },
        /the package cache-operator is there twice/,
      ],
      ['json', { 'bad.json': '{"schema": "olm.bundle", "package": "cache-operator", "name": 1}' }, /bad\.json.*name/],
      [
        'version',
        { 'bad.json': '{"schema": "olm.bundle", "package": "cache-operator", "name": "x"}' },
        /the bundle x has no property olm\.package/,
      ],
    ];
    for (const [name, more, words] of cases) {
      const files = Object.entries({ ...good, ...more }).map(([path, text]) => [`c/${path}`, text]);
      const home = define(`wrong-${name}`, 'path = "catalog:c//cache-operator"', Object.fromEntries(files));
      const { code, stderr } = await pack(home);
      expect([name, code, stderr]).toEqual([name, 2, expect.stringMatching(words)]);
    }
  });
});
