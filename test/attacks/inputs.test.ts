import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sha256 } from '../../formats/digest.ts';
import { writeFiles } from '../support/cli.ts';
import { judged } from '../support/judges.ts';
import { archive, entry } from '../support/tar.ts';
import { PATIENCE } from './attack.ts';
import { codeOf, expectPlain, setStage } from './stage.ts';
import { rowOf } from './table.ts';

// What others made and pack is to take: images and charts. None of it gets into an archive, or onto the disk.

const stage = setStage('inputs');
const at = (...names: string[]): string => join(stage.folder, ...names);
const head = 'name = "hello"\nversion = "1.0.0"\n';

/** An attack on whoever packs: `make` writes files into the folder of a definition, and returns the rest of that. */
function onPack(name: string, reason: RegExp, make: (folder: string) => string): void {
  const { codes, exit } = rowOf(name);
  test(
    `${name}: ${codes.join(', ')}, exit status ${exit}`,
    async () => {
      const folder = at(`input-${readdirSync(stage.folder).length}`);
      mkdirSync(folder);
      writeFileSync(join(folder, 'solution.toml'), head + make(folder));
      const before = readdirSync(stage.folder);
      const outcome = await stage.run('pack', folder, '-o', 'never.iso');
      expectPlain(outcome);
      expect([outcome.code, [codeOf(outcome)]]).toEqual([exit, codes]);
      expect(outcome.stderr).toMatch(reason);
      expect(readdirSync(stage.folder)).toEqual(before);
    },
    PATIENCE,
  );
}

const component = (kind: string, path: string): string =>
  `[[components]]\nname = "web"\nkind = "${kind}"\npath = "${path}"\n`;
const image = (source: string): string =>
  `[[images]]\nreference = "registry.example.com/web:1.0.0"\nsource = "${source}"\n`;

const chartYaml = entry('web/Chart.yaml', { body: 'apiVersion: v2\nname: web\nversion: 1.0.0\n' });

/** An attack by a packed chart with `entries` in it. */
function byChart(name: string, reason: RegExp, ...entries: Uint8Array[]): void {
  onPack(name, reason, (folder) => {
    writeFileSync(join(folder, 'web.tgz'), gzipSync(archive(chartYaml, ...entries)));
    return component('helm', 'web.tgz');
  });
}

byChart(
  'a chart with a path that leads out',
  /is not a path within its folder/,
  entry('web/../../evil', { body: 'evil' }),
);
byChart('a chart with a symbolic link', /chart-invalid/, entry('web/templates', { type: '2', link: '/etc' }));
byChart('a chart with a name that is there twice', /is there twice/, chartYaml);
byChart(
  'a chart that becomes far more than it is',
  /more than 200 times its size/,
  entry('web/big', { body: Buffer.alloc(4 * 2 ** 20) }),
);

onPack('a definition of two hundred thousand tables', /more than 20000 tables/, () =>
  '[[components]]\n'.repeat(200_000),
);
onPack('a manifest of a million empty documents', /more than 50000 documents/, (folder) => {
  writeFileSync(join(folder, 'many.yaml'), `${'---\n'.repeat(1_000_000)}{kind: &kind List}\n`);
  return component('manifests', 'many.yaml');
});

/** An attack by a catalog whose only file has `text`. */
function byCatalog(name: string, reason: RegExp, text: () => string): void {
  onPack(name, reason, (folder) => {
    writeFiles(folder, { 'catalog/all.yaml': text() });
    return component('registry+v1', 'catalog:catalog//p');
  });
}

byCatalog('a catalog of a million empty documents', /more than 100000 documents/, () => '---\n'.repeat(1_000_000));
byCatalog(
  'a catalog of a document with a million values',
  /more than 600000 names and values/,
  () => `{"schema": "olm.package", "name": "p", "x": [${'[],'.repeat(500_000)}[]]}`,
);

judged(
  'a chart whose template makes gigabytes',
  ['helm'],
  async () => {
    const { codes, exit } = rowOf('a chart whose template makes gigabytes');
    const folder = at('gigabytes');
    writeFiles(folder, {
      'solution.toml': head + component('helm', 'web'),
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/a.yaml': '{{ $x := "y" }}{{ range until 36 }}{{ $x = print $x $x }}{{ end }}',
    });
    const outcome = await stage.run('pack', folder, '-o', 'never.iso');
    expectPlain(outcome);
    expect([outcome.code, codes.map((code) => outcome.stderr.endsWith(`[${code}]\n`))]).toEqual([exit, [true]]);
    expect(outcome.stderr).toContain(
      'component web: helm template: needed more memory than its limit of 2 GiB of addresses',
    );
  },
  PATIENCE,
);

const schema = (name: string, target: string): Buffer =>
  entry(`${name}/values.schema.json`, { body: JSON.stringify({ properties: { a: { $ref: target } } }) });

byChart(
  'a chart whose schema of values leads to an address',
  /leads out of the schema/,
  schema('web', 'http://127.0.0.1:1/schema.json'),
);
byChart('a chart whose schema of values leads to a file of the machine', /leads out/, schema('web', '/etc/passwd'));
byChart(
  'a chart with a chart in it whose schema of values leads out',
  /leads out/,
  entry('web/charts/sub.tgz', {
    body: gzipSync(
      archive(
        entry('sub/Chart.yaml', { body: 'apiVersion: v2\nname: sub\nversion: 1.0.0\n' }),
        schema('sub', 'file:///etc/passwd'),
      ),
    ),
  }),
);

/** What `docker save` might have written of one image, with `entries` before its own. */
function saved(...entries: Uint8Array[]): Buffer {
  const layer = archive(entry('etc/hello', { body: 'hello' }));
  const rootfs = { type: 'layers', diff_ids: [sha256(layer)] };
  const config = JSON.stringify({ os: 'linux', architecture: 'amd64', config: {}, rootfs });
  const names = { Config: 'config.json', Layers: ['layer.tar'], RepoTags: ['web:1.0.0'] };
  const linked = entries.some((bytes) => Buffer.from(bytes).includes('layer.tar'));
  return archive(
    ...entries,
    entry('manifest.json', { body: JSON.stringify([names]) }),
    entry('config.json', { body: config }),
    ...(linked ? [] : [entry('layer.tar', { body: layer })]),
  );
}

/** An attack by such an image. */
function byImage(name: string, reason: RegExp, compress: (tar: Buffer) => Uint8Array, ...entries: Uint8Array[]): void {
  onPack(name, reason, (folder) => {
    writeFileSync(join(folder, 'web.tar'), compress(saved(...entries)));
    return image('docker-archive:web.tar:web:1.0.0');
  });
}

const asItIs = (tar: Buffer): Buffer => tar;

byImage('an image with a path that leads out', /tar-path/, asItIs, entry('../evil', { body: 'evil' }));
byImage(
  'an image whose layer is a symbolic link that leads out',
  /docker-archive-invalid/,
  asItIs,
  entry('layer.tar', { type: '2', link: '../../../etc/passwd' }),
);
byImage('an image with a name that is there twice', /tar-path/, asItIs, entry('manifest.json', { body: '[]' }));
byImage(
  'an image that becomes far more than it is',
  /more than 100 times its size/,
  gzipSync,
  entry('big', { body: Buffer.alloc(80 * 2 ** 20) }),
);

const manifest = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';

onPack('a kustomization whose transformer reads an address', /which is remote/, (folder) => {
  const patch = 'apiVersion: builtin\nkind: PatchTransformer\nmetadata:\n  name: p\npath: http://127.0.0.1:1/p\n';
  const kustomization = 'resources: [a.yaml]\ntransformers: [p.yaml]\n';
  writeFiles(folder, { 'web/kustomization.yaml': kustomization, 'web/a.yaml': manifest, 'web/p.yaml': patch });
  return component('kustomize', 'web');
});

onPack('a component with a symbolic link that leads out', /a symbolic link leads out/, (folder) => {
  writeFiles(folder, { 'web/a.yaml': manifest });
  symlinkSync(at('good.iso'), join(folder, 'web/link.yaml'));
  return component('manifests', 'web');
});

onPack('a component whose names differ in case alone', /the same as .* to some file systems/, (folder) => {
  writeFiles(folder, { 'web/a.yaml': manifest, 'web/A.yaml': manifest.replace('name: a', 'name: b') });
  return component('manifests', 'web');
});

onPack('a component whose names differ in their normal form alone', /the same as .* to some file systems/, (folder) => {
  writeFiles(folder, { 'web/\u00e9.yaml': manifest, 'web/e\u0301.yaml': manifest.replace('name: a', 'name: b') });
  return component('manifests', 'web');
});

onPack('escape sequences in a name of a component', /not an allowed path of a Solution/, (folder) => {
  writeFiles(folder, { 'web/\u001b[2J\u202egnp.yaml': manifest });
  return component('manifests', 'web');
});

const inventory = `${manifest.replace('name: a', 'name: solution-shop')}  namespace: solpack-system\n`;

onPack('a manifest of the inventory of a Solution', /ConfigMap solpack-system\/solution-shop \(namespace/, (folder) => {
  writeFiles(folder, { 'web/a.yaml': manifest, 'web/b.yaml': inventory });
  return component('manifests', 'web');
});

onPack(
  'a kustomization for the namespace of solpack',
  /all that it puts into the namespace solpack-system/,
  (folder) => {
    writeFiles(folder, {
      'web/kustomization.yaml': 'resources: [../base]\n',
      'base/kustomization.yaml': 'namespace: solpack-system\nresources: [a.yaml]\n',
      'base/a.yaml': manifest,
    });
    return component('kustomize', 'web');
  },
);

onPack(
  'a kustomization whose files have what is reserved for solpack',
  /ConfigMap a \(label applyset\.kubernetes\.io\/id\)/,
  (folder) => {
    const labelled = `${manifest}  labels: {applyset.kubernetes.io/id: x}\n`;
    writeFiles(folder, { 'web/kustomization.yaml': 'resources: [a.yaml]\n', 'web/a.yaml': labelled });
    return component('kustomize', 'web');
  },
);

onPack('a definition for the namespace of solpack', /components\.0\.namespace: is reserved for solpack/, (folder) => {
  writeFiles(folder, { 'web/a.yaml': manifest });
  return `${component('manifests', 'web')}namespace = "solpack-system"\n`;
});

test('what these are made of is sound but for the attack', async () => {
  const folder = at('sound');
  mkdirSync(folder);
  writeFiles(folder, { 'web.tgz': gzipSync(archive(chartYaml)), 'web.tar': gzipSync(saved()) });
  const rest = component('helm', 'web.tgz') + image('docker-archive:web.tar:web:1.0.0');
  writeFileSync(join(folder, 'solution.toml'), head + rest);
  expect(await stage.run('pack', folder, '-o', 'sound.iso')).toMatchObject({ code: 0 });
});
