import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { exactJson } from '../../../../formats/exact-json.ts';
import { kustomize } from '../../../../lib/parts/components/kustomize.ts';
import { judged, scratch } from '../../../support/judges.ts';
import { configMap, flowIn, objectsBy, type Planted, plant, specOf, unpacked } from './support.ts';

const folder = scratch('components-kustomize');
const overlays = {
  'k8s/base/kustomization.yaml':
    'resources: [map.yaml]\nconfigMapGenerator:\n- {name: gen, files: [key=files/a.txt]}\n',
  'k8s/base/map.yaml': configMap('web'),
  'k8s/base/files/a.txt': 'content',
  'k8s/parts/label/kustomization.yml':
    'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nlabels: [{pairs: {part: label}}]\n',
  'k8s/overlays/prod/Kustomization':
    'resources: [../../base, ./more]\ncomponents: [../../parts/label]\nnamePrefix: prod-\npatches: [{path: patch.yaml}]\n',
  'k8s/overlays/prod/patch.yaml': configMap('web', 'patched'),
  'k8s/overlays/prod/more/kustomization.yaml': 'resources: [more.yaml]\n',
  'k8s/overlays/prod/more/more.yaml': configMap('more'),
  'k8s/overlays/test/kustomization.yaml': 'resources: [../../base]\n',
};

describe('kustomize', () => {
  test('takes all that the overlay builds on, from the deepest folder that holds it, and no other overlay', async () => {
    const root = plant(join(folder, 'overlays'), overlays);
    const collected = await kustomize.collect(specOf('kustomize', root, 'k8s/overlays/prod'));
    expect(collected.entry).toBe('overlays/prod');
    expect(collected.files.map(({ path }) => path)).toEqual([
      'base/files/a.txt',
      'base/kustomization.yaml',
      'base/map.yaml',
      'overlays/prod/Kustomization',
      'overlays/prod/more/kustomization.yaml',
      'overlays/prod/more/more.yaml',
      'overlays/prod/patch.yaml',
      'parts/label/kustomization.yml',
    ]);
  });

  judged('renders it as kubectl builds it', ['kubectl'], async () => {
    const root = plant(join(folder, 'render'), overlays);
    const collected = await kustomize.collect(specOf('kustomize', root, 'k8s/overlays/prod'));
    const component = await unpacked(collected, join(root, 'out'));
    const objects = await objectsBy(kustomize, component, flowIn(join(folder, 'temp')));
    expect(objects.map(({ metadata }) => metadata.name.replace(/-[a-z0-9]{10}$/, ''))).toEqual(
      expect.arrayContaining(['prod-web', 'prod-gen', 'prod-more']),
    );
    expect(objects.find(({ metadata }) => metadata.name === 'prod-web')).toMatchObject({
      data: { key: 'patched' },
      metadata: { labels: { part: 'label' } },
    });
  });

  judged('refuses what kustomize rounds, but for the bounds of a schema', ['kubectl'], async () => {
    const schema = '{type: integer, format: int64, maximum: 9223372036854774807, default: DEFAULT}';
    const files = (value: string, patch: string): Record<string, Planted> => ({
      'kustomization.yaml': `resources: [kind.yaml]\npatches:\n- ${patch}\n`,
      'kind.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com}
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {size: ${schema.replace('DEFAULT', value)}}}}
`,
    });
    const operation = `{target: {kind: CustomResourceDefinition}, patch: '[{"op": "add", "path": "/metadata/labels", "value": {}}]'}`;
    const partial = `{target: {kind: CustomResourceDefinition}, patch: '{"kind": "x", "metadata": {"name": "x", "labels": {"a": "b"}}}'}`;
    const rendered = async (name: string, value: string, patch: string): Promise<string> => {
      const root = plant(join(folder, `rounded-${name}`), files(value, patch));
      const component = await unpacked(await kustomize.collect(specOf('kustomize', root, '.')), join(root, 'out'));
      return exactJson(await objectsBy(kustomize, component, flowIn(join(folder, 'temp'))));
    };
    expect(await rendered('bound', '1', operation)).toContain('"maximum":9223372036854775000');
    expect(await rendered('kept', '9223372036854773801', partial)).toContain('"default":9223372036854773801');
    await expect(rendered('lost', '9223372036854773801', operation)).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringMatching(
        /^kustomize turns 9223372036854773801 into 9223372036854774000, in spec\..*\.default of CustomResourceDefinition things.example.com/,
      ),
    });
  });

  const refused: [string, Record<string, Planted>, string, string][] = [
    ['no kustomization', { 'a/map.yaml': configMap('a') }, 'component-invalid', 'holds no kustomization'],
    [
      'two names',
      { 'a/kustomization.yaml': '{}', 'a/Kustomization': '{}' },
      'component-invalid',
      'holds kustomization.yaml and',
    ],
    ['a missing reference', { 'a/kustomization.yaml': 'resources: [b.yaml]' }, 'component-invalid', 'does not exist'],
    ['a missing patch', { 'a/kustomization.yaml': 'patches: [{path: b.yaml}]' }, 'component-invalid', 'does not exist'],
    [
      'a URL',
      { 'a/kustomization.yaml': 'resources: ["https://example.com/a.yaml"]' },
      'component-invalid',
      'is remote',
    ],
    [
      'a host',
      { 'a/kustomization.yaml': 'bases: [github.com/org/repo//base?ref=v1]' },
      'component-invalid',
      'is remote',
    ],
    [
      'git over ssh',
      { 'a/kustomization.yaml': 'bases: ["git@example.com:org/repo"]' },
      'component-invalid',
      'is remote',
    ],
    ['an absolute path', { 'a/kustomization.yaml': 'resources: [/etc]' }, 'component-invalid', 'an absolute path'],
    ['a way out', { 'a/kustomization.yaml': 'resources: [../../..]' }, 'path-escapes', 'outside of'],
    [
      'a file elsewhere',
      { 'a/kustomization.yaml': 'resources: [../b.yaml]', 'b.yaml': configMap('b') },
      'component-invalid',
      'outside of its folder',
    ],
    [
      'itself',
      { 'a/kustomization.yaml': 'resources: [../b]', 'b/kustomization.yaml': 'resources: [../a]' },
      'component-invalid',
      'contains itself',
    ],
    ['Helm charts', { 'a/kustomization.yaml': 'helmCharts: [{name: a}]' }, 'component-invalid', 'inflates Helm charts'],
    [
      'a program',
      {
        'a/kustomization.yaml': 'generators: [g.yaml]',
        'a/g.yaml': 'apiVersion: example.com/v1\nkind: Gen\nmetadata: {name: g}\n',
      },
      'component-invalid',
      'runs a program',
    ],
    [
      'an env file that leaves values to the environment',
      {
        'a/kustomization.yaml': 'resources: [b]',
        'a/b/kustomization.yaml': 'secretGenerator: [{name: a, envs: [ok.env, bad.env]}]',
        'a/b/ok.env': '\ufeff# a comment\n\n  # another\nA=\nB=c=d\n',
        'a/b/bad.env': 'A=1\n#\n  TOKEN\nB=2\nOTHER\r\n',
      },
      'component-invalid',
      'a/b/bad.env:3:1: has names without "=" in the lines 3, 5: kustomize would take the value from the environment',
    ],
    [
      'an inline function',
      {
        'a/kustomization.yaml':
          'transformers:\n- |-\n  apiVersion: builtin\n  kind: X\n  metadata: {name: x, annotations: {config.kubernetes.io/function: "exec: {path: ./x}"}}\n',
      },
      'component-invalid',
      'runs a program',
    ],
    ['bad YAML', { 'a/kustomization.yaml': 'resources: [' }, 'component-invalid', 'a/kustomization.yaml:1:'],
    ['a wrong shape', { 'a/kustomization.yaml': 'resources: b.yaml' }, 'component-invalid', 'resources: '],
    [
      'a link that leads out',
      { 'a/kustomization.yaml': 'resources: [b]', 'a/b': { link: '/etc' } },
      'component-invalid',
      'leads out',
    ],
    ['a file for a component', { a: 'resources: []' }, 'component-invalid', 'is a file'],
    [
      'a way up from a linked folder',
      {
        'a/kustomization.yaml': 'resources: [link]',
        'a/link': { link: '../real/deep' },
        'real/deep/kustomization.yaml': 'resources: [../base]',
        'real/base/kustomization.yaml': '{}',
        'a/base/kustomization.yaml': '{}',
      },
      'component-invalid',
      'from inside a linked folder',
    ],
  ];

  test.each(refused)('refuses %s', async (name, files, code, message) => {
    const root = plant(join(folder, `refused ${name}`), files);
    await expect(kustomize.collect(specOf('kustomize', root, 'a'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });

  test('takes transformers that are built into kustomize', async () => {
    const root = plant(join(folder, 'builtin'), {
      'a/kustomization.yaml': 'resources: [map.yaml]\ntransformers: [prefix.yaml]\n',
      'a/prefix.yaml': 'apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: p}\nprefix: a-\n',
      'a/map.yaml': configMap('map'),
    });
    expect((await kustomize.collect(specOf('kustomize', root, 'a'))).files).toHaveLength(3);
  });

  judged('says what kubectl said where a build fails', ['kubectl'], async () => {
    const root = plant(join(folder, 'failing'), {
      'a/kustomization.yaml': 'resources: [map.yaml]\npatches: [{path: p.yaml}]\n',
      'a/map.yaml': configMap('map'),
      'a/p.yaml': configMap('other'),
    });
    const component = await unpacked(await kustomize.collect(specOf('kustomize', root, 'a')), join(root, 'out'));
    await expect(objectsBy(kustomize, component, flowIn(join(folder, 'temp')))).rejects.toMatchObject({
      code: 'tool-failed',
      subject: 'web',
      message: expect.stringContaining('no matches for Id'),
    });
  });

  test('asks for kubectl where there is none', async () => {
    const root = plant(join(folder, 'absent'), {
      'a/kustomization.yaml': 'resources: [m.yaml]',
      'a/m.yaml': configMap('m'),
    });
    const component = await unpacked(await kustomize.collect(specOf('kustomize', root, 'a')), join(root, 'out'));
    await expect(objectsBy(kustomize, component, flowIn(join(folder, 'temp'), []))).rejects.toMatchObject({
      code: 'tool-missing',
      hint: expect.stringContaining('kubectl'),
    });
  });
});
