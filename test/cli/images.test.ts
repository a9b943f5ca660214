import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { jsonSchemas } from '../../cli/view/json.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, scratch } from '../support/judges.ts';

const folder = scratch('images');
const head = '# What it is.\nname = "guestbook"   # its name\nversion = "1.0.0"\n';
const component = '\n[[components]]\nname = "web"\nkind = "helm"\npath = "chart"\n';
const image = (name: string): string => `registry.example.com/guestbook/${name}`;

/** A definition in a folder of its own, with the chart that names images in every way. */
function defined(name: string, text: string): string {
  const home = join(folder, name);
  cpSync(join(import.meta.dirname, '../../fixtures/charts/images-everywhere'), join(home, 'chart'), {
    recursive: true,
  });
  writeFiles(home, { 'solution.toml': text });
  return home;
}

interface Listed {
  readonly reference: string;
  readonly held: boolean;
  readonly certainty: string;
  readonly places: readonly { readonly component: string; readonly object: string; readonly path: string }[];
}

async function listed(home: string, ...more: string[]): Promise<Listed[]> {
  const result = JSON.parse(await succeeds(['images', home, '--json', ...more]));
  expect(jsonSchemas.images.strict().parse(result)).toEqual(result);
  return result.images;
}

const names = [
  image('operator:1.1.0'),
  image('web:1.1.0'),
  image('reloader:0.9.2'),
  image('worker:2.4.0'),
  image('proxy:1.29.1'),
  image('database:17.2.0'),
];

describe('images', () => {
  judged('lists what the objects of a chart name, wherever they do so', ['helm'], async () => {
    const home = defined('list', head + component);
    const images = await listed(home);
    expect(images.map(({ reference }) => reference).sort()).toEqual([...names].sort());
    const of = (name: string): Listed | undefined => images.find(({ reference }) => reference === image(name));
    expect(of('reloader:0.9.2')).toEqual({
      reference: image('reloader:0.9.2'),
      held: false,
      certainty: 'likely',
      places: [{ component: 'web', object: 'Deployment/default/web', path: 'spec.template.spec.containers.0.args.3' }],
    });
    expect(of('web:1.1.0')).toMatchObject({ certainty: 'certain', places: [{ object: 'Deployment/default/web' }] });
    expect(of('database:17.2.0')?.places[0]).toMatchObject({
      object: 'Database/default/web',
      path: 'spec.image.repository',
    });
    expect(
      of('worker:2.4.0')
        ?.places.map(({ path }) => path)
        .sort(),
    ).toEqual(['spec.backup.image', 'spec.template.spec.containers.0.env.0.value']);
    expect(of('proxy:1.29.1')?.places[0]).toMatchObject({
      object: 'ConfigMap/default/web-injector',
      path: 'data.template.yaml',
    });
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(head + component);
  });

  judged(
    'adds what is missing to the definition, and neither what sites bring nor what is there',
    ['helm'],
    async () => {
      const external = `external-images = ["${image('database')}"]\n`;
      const own = `\n# The first.\n[[images]]\nreference = "${image('web:1.1.0')}" # ours\nsource = "oci:web"\n\n[[images]]\nreference = "${image('old:1')}"\n`;
      const home = defined('write', head + external + own + component);
      const images = await listed(home, '--write');
      expect(images.filter(({ held }) => !held).map(({ reference }) => reference)).toEqual([image('database:17.2.0')]);
      const text = readFileSync(join(home, 'solution.toml'), 'utf8');
      const added = text.slice((head + external + own).length, -component.length);
      expect(text).toBe(head + external + own + added + component);
      const expected = names.filter((name) => !/web:|database/.test(name)).sort();
      expect([...added.matchAll(/reference = "(.*)"/g)].map(([, name]) => name).sort()).toEqual(expected);
      await succeeds(['images', home, '--write']);
      expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(text);
    },
  );

  judged('makes a definition that pack takes, also strictly, and check tells the same', ['helm'], async () => {
    const home = defined('pack', head + component);
    const before = await solpack(['check', home, '--json']);
    expect(before.code).toBe(1);
    const found = JSON.parse(before.stdout);
    expect(found.findings.map(({ code }: { code: string }) => code)).toEqual(['image-unheld', 'image-unheld']);
    expect(before.stderr).toContain(
      `${image('reloader:0.9.2')}: seems to be used by component web (Deployment/default/web, `,
    );
    const strict = await solpack(['check', home, '--json', '--strict']);
    expect(
      JSON.parse(strict.stdout).findings.filter(({ code }: { code: string }) => code === 'image-likely'),
    ).toHaveLength(5);
    expect(found.images).toEqual(await listed(home));
    await succeeds(['images', home, '--write']);
    const each = names.map((name) => ({ name, image: buildImage({ platforms: ['linux/amd64'], seed: name }) }));
    await writeLayout(join(home, 'layout'), each);
    const text = readFileSync(join(home, 'solution.toml'), 'utf8');
    const sourced = text.replace(/^reference = "(.*)"$/gm, '$&\nsource = "oci:layout:$1"');
    writeFileSync(join(home, 'solution.toml'), sourced);
    await succeeds(['pack', home, '-o', join(folder, 'pack.iso'), '--strict']);
    expect(JSON.parse(await succeeds(['check', home, '--strict', '--json']))).toMatchObject({ ok: true, findings: [] });
  });

  judged('ends with what helm refuses, and writes nothing then', ['helm'], async () => {
    const home = defined('broken', head + component);
    writeFiles(home, { 'chart/templates/broken.yaml': '{{ fail "no" }}\n' });
    const { code, stderr } = await solpack(['images', home, '--write']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('[tool-failed]')]);
    expect(readFileSync(join(home, 'solution.toml'), 'utf8')).toBe(head + component);
  });

  test('writes no bare word: the full name of what a container runs, and none of what is only likely', async () => {
    const home = join(folder, 'bare');
    const definition = `${head}\n[[components]]\nname = "web"\nkind = "manifests"\npath = "a.yaml"\n`;
    writeFiles(home, {
      'solution.toml': definition,
      'a.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: alpine}]}\n---\n' +
        'apiVersion: example.com/v1\nkind: Policy\nmetadata: {name: p}\nspec: {manager: {image: manager, imagePullPolicy: Always}}\n',
    });
    const { code, stderr } = await solpack(['images', home, '--write', '-q']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/manager: may not be an image, and was not added; .* docker\.io\/library\/manager:latest/),
    ]);
    const added = readFileSync(join(home, 'solution.toml'), 'utf8').slice(definition.length);
    expect(added).toBe('\n[[images]]\nreference = "docker.io/library/alpine:latest"\n');
  });

  judged(
    'lists as likely what the annotations of a chart, and of charts in it that have objects, name',
    ['helm'],
    async () => {
      const home = join(folder, 'annotated');
      const annotated = (name: string, more = ''): string =>
        `apiVersion: v2\nname: ${name}\nversion: 1.0.0\nannotations:\n  helm.sh/images: |\n    - {name: x, image: "${image(`${name}:1`)}"}\n    - {name: bare, image: bare}\n` +
        `  artifacthub.io/images: |\n    - {name: y, image: "${image(`${name}-hub:1`)}"}\n${more}`;
      const dependencies =
        'dependencies: [{name: sub, version: 1.0.0, alias: other}, {name: idle, version: 1.0.0, condition: idle.enabled}]\n';
      const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
      writeFiles(home, {
        'solution.toml': head + component,
        'chart/Chart.yaml': annotated('web', dependencies),
        'chart/values.yaml': 'idle: {enabled: false}\n',
        'chart/templates/a.yaml': object('a'),
        ...Object.fromEntries(
          ['sub', 'idle'].flatMap((name) => [
            [`chart/charts/${name}/Chart.yaml`, annotated(name)],
            [`chart/charts/${name}/templates/a.yaml`, object(name)],
          ]),
        ),
      });
      const images = await listed(home);
      expect(images.map(({ reference, certainty }) => [reference, certainty]).sort()).toEqual(
        ['sub-hub:1', 'sub:1', 'web-hub:1', 'web:1'].map((name) => [image(name), 'likely']),
      );
      expect(images.find(({ reference }) => reference === image('web:1'))?.places).toEqual([
        {
          component: 'web',
          object: expect.stringMatching(/^ConfigMap/),
          path: 'Chart.yaml.annotations.helm.sh/images.0',
        },
      ]);
    },
  );

  test('tells of components that only an install can render', async () => {
    const home = join(folder, 'plugin');
    writeFiles(home, {
      'solution.toml': `${head}\n[[components]]\nname = "late"\nkind = "manifests"\npath = "a.yaml"\nrender = "install"\n`,
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
    });
    const { code, stdout, stderr } = await solpack(['images', home]);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain('late: can only be rendered by an install');
  });
});
