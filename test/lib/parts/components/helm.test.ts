import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { collect as gather } from '../../../../formats/bytes.ts';
import { readChart } from '../../../../formats/chart/read.ts';
import { packChart } from '../../../../formats/chart/write.ts';
import type { ClusterFacts } from '../../../../lib/kernel/content/model.ts';
import { helm } from '../../../../lib/parts/components/helm.ts';
import type { Collected, UnpackedComponent } from '../../../../lib/parts/components/kind.ts';
import { fileOf } from '../../../formats/chart/support.ts';
import { judged, ok, scratch } from '../../../support/judges.ts';
import { configMap, flowIn, objectsBy, type Planted, plant, specOf, unpacked } from './support.ts';

const folder = scratch('components-helm');
const dependency = 'dependencies: [{name: common, version: ^1.0.0, repository: "file://../common"}]\n';
const web = 'apiVersion: v2\nname: web\nversion: 1.2.3\n';
const common = 'apiVersion: v2\nname: common\nversion: 1.4.0\ntype: library\n';
const charts: Record<string, Planted> = {
  'charts/web/Chart.yaml': web + dependency,
  'charts/web/.helmignore': '*.bak\n',
  'charts/web/values.yaml': 'greeting: default\n',
  'charts/web/notes.bak': 'left out',
  'charts/web/crds/crd.yaml': configMap('crd'),
  'charts/web/templates/map.yaml':
    '{{- include "common.map" . }}\n  at: {{ .Release.Namespace }}\n  kube: {{ .Capabilities.KubeVersion.Version }}\n',
  'charts/web/templates/test.yaml': `${configMap('test')}`.replace(
    'name: test',
    'name: test\n  annotations: {helm.sh/hook: test}',
  ),
  'charts/common/Chart.yaml': common,
  'charts/common/templates/_map.tpl':
    '{{- define "common.map" -}}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: {{ .Release.Name }}}\ndata:\n  greeting: {{ .Values.greeting }}\n{{- end }}\n',
  'values/first.yaml': 'greeting: first\n',
  'more/first.yaml': 'greeting: second\n',
  'more/a,"b".yaml': 'greeting: second\n',
};

const cluster = (version: string, ...apiVersions: string[]): ClusterFacts => ({
  version,
  apiVersions,
  namespaced: () => undefined,
});

/** A chart of the given files, packed and unpacked. */
async function chartIn(name: string, files: Record<string, Planted>): Promise<UnpackedComponent> {
  const root = plant(join(folder, name), files);
  return unpacked(await helm.collect(specOf('helm', root, 'a')), join(root, 'out'));
}

const capabilities = `apiVersion: v1
kind: ConfigMap
metadata: {name: capabilities}
data:
  version: {{ .Capabilities.KubeVersion.Version }}
  minor: "{{ .Capabilities.KubeVersion.Minor }}"
  monitors: "{{ .Capabilities.APIVersions.Has "monitoring.coreos.com/v1/ServiceMonitor" }}"
  deployments: "{{ .Capabilities.APIVersions.Has "apps/v1/Deployment" }}"
  last: "{{ .Capabilities.APIVersions.Has "group-5000.example.com/v1/SomeLongKindName" }}"
`;

function hooked(kind: string, name: string, events: string, weight?: number, deletion?: string): string {
  const notes = [
    `helm.sh/hook: "${events}"`,
    ...(weight === undefined ? [] : [`helm.sh/hook-weight: "${weight}"`]),
    ...(deletion === undefined ? [] : [`helm.sh/hook-delete-policy: "${deletion}"`]),
  ];
  const apiVersion = kind === 'Job' ? 'batch/v1' : 'v1';
  return `---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: ${name}\n  annotations: {${notes.join(', ')}}\n`;
}

async function chartOf(collected: Collected): Promise<Uint8Array> {
  const file = collected.files.find(({ path }) => path === collected.chart?.path);
  return gather(file!.open(), 16 * 1024 * 1024);
}

describe('helm', () => {
  test('packs a chart folder with the charts it needs, and the values files in their order', async () => {
    const root = plant(join(folder, 'packs'), charts);
    const collected = await helm.collect(specOf('helm', root, 'charts/web', ['values/first.yaml', 'more/first.yaml']));
    expect(collected.files.map(({ path }) => path)).toEqual([
      'values/0-first.yaml',
      'values/1-first.yaml',
      'web-1.2.3.tgz',
    ]);
    expect(collected).toMatchObject({
      entry: 'web-1.2.3.tgz',
      values: ['values/0-first.yaml', 'values/1-first.yaml'],
      chart: { path: 'web-1.2.3.tgz', metadata: { name: 'web', version: '1.2.3' } },
    });
    const again = await helm.collect(specOf('helm', root, 'charts/web'));
    expect(Buffer.compare(await chartOf(collected), await chartOf(again))).toBe(0);
    expect(await readChart(again.files[0]!.open())).toMatchObject({
      folder: 'web',
      vendored: [{ path: 'charts/common-1.4.0.tgz', name: 'common', version: '1.4.0' }],
    });
  });

  judged('renders with the real helm: namespace, values in order, definitions, tests', ['helm', 'tar'], async () => {
    const root = plant(join(folder, 'renders'), charts);
    const collected = await helm.collect(specOf('helm', root, 'charts/web', ['values/first.yaml', 'more/a,"b".yaml']));
    const component = await unpacked(collected, join(root, 'out'));
    const objects = await objectsBy(helm, component, flowIn(join(folder, 'temp')));
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['crd', 'web', 'test']);
    expect(objects[1]).toMatchObject({ data: { greeting: 'second', at: 'guestbook' } });
    expect(await ok('tar', ['-tzf', join(component.folder, component.entry)])).not.toContain('.bak');
  });

  judged('takes a packed chart byte for byte', ['helm'], async () => {
    const root = plant(join(folder, 'packed'), { ...charts, 'charts/web/Chart.yaml': web });
    await ok('helm', ['package', join(root, 'charts/web'), '--destination', root]);
    const collected = await helm.collect(specOf('helm', root, 'web-1.2.3.tgz'));
    expect(Buffer.compare(await chartOf(collected), readFileSync(join(root, 'web-1.2.3.tgz')))).toBe(0);
  });

  judged('takes what helm put into charts, and renders the same from it', ['helm'], async () => {
    const root = plant(join(folder, 'vendored'), charts);
    const env = { HOME: root, HELM_CACHE_HOME: root, HELM_CONFIG_HOME: root, HELM_DATA_HOME: root };
    await ok('helm', ['dependency', 'build', join(root, 'charts/web')], { env });
    const collected = await helm.collect(specOf('helm', root, 'charts/web'));
    const { vendored } = await readChart(collected.files[0]!.open());
    expect(vendored.map(({ path }) => path)).toEqual(['charts/common-1.4.0.tgz']);
    const component = await unpacked(collected, join(root, 'out'));
    const objects = await objectsBy(helm, component, flowIn(join(folder, 'temp')));
    expect(objects[1]).toMatchObject({ data: { greeting: 'default' } });
  });

  judged("keeps the user's settings out of what is rendered", ['helm'], async () => {
    const root = plant(join(folder, 'settings'), charts);
    const component = await unpacked(await helm.collect(specOf('helm', root, 'charts/web')), join(root, 'out'));
    const before = { ...process.env };
    Object.assign(process.env, { HELM_NAMESPACE: 'leaked', HELM_KUBECONTEXT: 'leaked', KUBECONFIG: '/nowhere' });
    try {
      const objects = await objectsBy(helm, { ...component, namespace: undefined }, flowIn(join(folder, 'temp')));
      expect(objects[1]).toMatchObject({ data: { at: 'default' } });
    } finally {
      process.env = before;
    }
  });

  judged('shows a chart the version and the kinds of the server that it is rendered for', ['helm'], async () => {
    const component = await chartIn('capabilities', { 'a/Chart.yaml': web, 'a/templates/a.yaml': capabilities });
    const many = Array.from({ length: 5000 }, (_, at) => `group-${at + 1}.example.com/v1/SomeLongKindName`);
    const served = ['apps/v1/Deployment', 'monitoring.coreos.com/v1/ServiceMonitor', ...many];
    const facts = cluster('v1.33.3-gke.100', ...served);
    const [first] = await objectsBy(helm, { ...component, cluster: facts }, flowIn(join(folder, 'temp')));
    const seen = { version: 'v1.33.3-gke.100', minor: '33', monitors: 'true', deployments: 'true', last: 'true' };
    expect(first).toMatchObject({ data: seen });
    const [other] = await objectsBy(helm, { ...component, cluster: cluster('v1.35.4') }, flowIn(join(folder, 'temp')));
    expect(other).toMatchObject({ data: { version: 'v1.35.4', minor: '35', monitors: 'false', deployments: 'false' } });
  });

  const versions: [string, boolean][] = [
    ['v1.35.4', true],
    ['v1.35.4+k3s1', true],
    ['v1.34.0-eks-a737599', true],
    ['v1.34.1-gke.100', true],
    ['v1.33.3-gke.100', false],
    ['v1.33.9+rke2r1', false],
  ];
  for (const [version, fits] of versions) {
    judged(`${fits ? 'renders' : 'refuses'} a chart for >=1.34 on a server of ${version}`, ['helm'], async () => {
      const component = await chartIn(`kube ${version}`, {
        'a/Chart.yaml': `${web}kubeVersion: ">=1.34"\n`,
        'a/templates/a.yaml': configMap('a'),
      });
      const rendering = objectsBy(helm, { ...component, cluster: cluster(version) }, flowIn(join(folder, 'temp')));
      if (fits) {
        expect((await rendering).map(({ metadata }) => metadata.name)).toEqual(['a']);
        return;
      }
      await expect(rendering).rejects.toMatchObject({
        code: 'tool-failed',
        subject: 'web',
        message: expect.stringContaining(
          `requires kubeVersion: >=1.34 which is incompatible with Kubernetes ${version}`,
        ),
      });
    });
  }

  judged('renders hooks of all events that Helm knows, as Helm does', ['helm'], async () => {
    const component = await chartIn('hooks', {
      'a/Chart.yaml': web,
      'a/crds/crd.yaml': configMap('crd'),
      'a/templates/map.yaml': configMap('map'),
      'a/templates/hooks.yaml': [
        hooked('Job', 'migrate', 'post-install,post-upgrade', 5, 'hook-succeeded'),
        hooked('Job', 'announce', 'post-install', -1, 'before-hook-creation'),
        hooked('Job', 'certificates', 'pre-install,pre-upgrade', 0, 'before-hook-creation,hook-succeeded'),
        hooked('ServiceAccount', 'certificates', 'pre-install', -5),
        hooked('Job', 'backup', 'pre-upgrade'),
        hooked('Job', 'contract', 'post-upgrade,post-rollback'),
        hooked('Job', 'goodbye', 'pre-delete,post-delete'),
        hooked('Job', 'undo', 'pre-rollback'),
        hooked('Job', 'never', 'crd-install'),
        hooked('Pod', 'probe', 'test'),
        hooked('Pod', 'old-probe', 'test-success'),
        hooked('Job', 'smoke', 'post-install, test', 9),
      ].join(''),
    });
    const flow = flowIn(join(folder, 'temp'));
    const objects = await objectsBy(helm, component, flow);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      'ConfigMap crd',
      'ConfigMap map',
      'Job announce',
      'Job backup',
      'Job certificates',
      'Job contract',
      'Job goodbye',
      'Job migrate',
      'Job smoke',
      'Job undo',
      'Pod old-probe',
      'Pod probe',
      'ServiceAccount certificates',
    ]);
    expect(flow.events).toEqual([]);
  });

  judged('says what helm said where a template fails', ['helm'], async () => {
    const root = plant(join(folder, 'failing'), {
      'a/Chart.yaml': web,
      'a/templates/a.yaml': '{{ fail "not today" }}',
    });
    const component = await unpacked(await helm.collect(specOf('helm', root, 'a')), join(root, 'out'));
    await expect(objectsBy(helm, component, flowIn(join(folder, 'temp')))).rejects.toMatchObject({
      code: 'tool-failed',
      subject: 'web',
      message: expect.stringContaining('not today'),
    });
  });

  const refused: [string, Record<string, Planted>, string, string][] = [
    ['a folder without Chart.yaml', { 'a/values.yaml': '' }, 'component-invalid', 'holds no Chart.yaml'],
    ['bad metadata', { 'a/Chart.yaml': 'name: a' }, 'component-invalid', 'apiVersion: is missing'],
    ['a library chart', { 'a/Chart.yaml': common }, 'component-invalid', 'is a library chart'],
    [
      'a chart that is not there',
      { 'a/Chart.yaml': `${web}dependencies: [{name: b, version: 1.0.0, repository: "https://charts.example.com"}]` },
      'component-invalid',
      'needs the chart b 1.0.0 from https://charts.example.com',
    ],
    [
      'a chart of another version',
      { 'a/Chart.yaml': `${web}dependencies: [{name: common, version: ^2.0.0}]`, 'a/charts/common/Chart.yaml': common },
      'component-invalid',
      'charts/common has version 1.4.0',
    ],
    [
      'another version beside it',
      { 'a/Chart.yaml': web + dependency.replace('^1', '^2'), 'common/Chart.yaml': common },
      'component-invalid',
      'is common 1.4.0',
    ],
    [
      'another chart beside it',
      { 'a/Chart.yaml': web + dependency, 'common/Chart.yaml': web },
      'component-invalid',
      'is web 1.2.3',
    ],
    ['a missing folder beside it', { 'a/Chart.yaml': web + dependency }, 'file-missing', 'no such file'],
    [
      'a dependency outside',
      { 'a/Chart.yaml': web + dependency.replace('../common', '../../common') },
      'path-escapes',
      'outside of',
    ],
    [
      'charts that need each other',
      {
        'a/Chart.yaml': web + dependency,
        'common/Chart.yaml': `${common}dependencies: [{name: web, repository: "file://../a"}]`,
      },
      'component-invalid',
      'in a circle',
    ],
    [
      'a rule that Helm refuses',
      { 'a/Chart.yaml': web, 'a/.helmignore': '**/a' },
      'component-invalid',
      '.helmignore:1',
    ],
    [
      'a file that Helm refuses',
      { 'a/Chart.yaml': web, 'a/big': 'x'.repeat(5 * 1024 * 1024 + 1) },
      'component-invalid',
      'Helm loads at most',
    ],
    ['a file that is not a chart', { a: 'text' }, 'component-invalid', 'not gzip'],
    [
      'a vendored file that is not a chart',
      { 'a/Chart.yaml': web, 'a/charts/b.tgz': 'text' },
      'component-invalid',
      'not gzip',
    ],
    [
      'a link that leads out',
      { 'a/Chart.yaml': web, 'a/files/b': { link: '/etc/passwd' } },
      'component-invalid',
      'leads out',
    ],
  ];

  test.each(refused)('refuses %s', async (name, files, code, message) => {
    const root = plant(join(folder, `refused ${name}`), files);
    await expect(helm.collect(specOf('helm', root, 'a'))).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });

  test.each([
    ['is a list', '- a\n', 'values are one mapping'],
    ['is not YAML', 'a: [', 'v.yaml:1:'],
    ['has two documents', 'a: 1\n---\nb: 1\n', 'v.yaml:3:1: values are one mapping'],
  ])('refuses a values file that %s', async (name, content, message) => {
    const root = plant(join(folder, `values ${name}`), { 'a/Chart.yaml': web, 'v.yaml': content });
    await expect(helm.collect(specOf('helm', root, 'a', ['v.yaml']))).rejects.toThrow(message);
  });

  judged('takes the last of keys that stand twice, as helm does, and tells of them', ['helm'], async () => {
    const root = plant(join(folder, 'twice'), {
      'a/Chart.yaml': `${web}version: 9.9.9\n`,
      'a/templates/a.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {b: "1", c: "", b: {{ .Values.b | quote }}}\n',
      'values/v.yaml': 'b: 1\nc: 1\nd: 1\ne: 1\nb: 2\nc: 2\nd: 2\ne: 2\n',
    });
    const collected = await helm.collect(specOf('helm', root, 'a', ['values/v.yaml']));
    expect(collected.chart?.path).toBe('web-9.9.9.tgz');
    expect(collected.notices).toEqual([
      'values/v.yaml has duplicate keys: "b" in lines 1 and 5, "c" in lines 2 and 6, "d" in lines 3 and 7, 1 more; ' +
        'the last one counts, as with Helm',
    ]);
    const flow = flowIn(join(folder, 'temp'));
    const [object] = await objectsBy(helm, await unpacked(collected, join(root, 'out')), flow);
    expect(object?.['data']).toEqual({ b: '2', c: '' });
    expect(flow.events).toContainEqual({
      type: 'notice',
      subject: 'web',
      message: expect.stringMatching(/^web\/templates\/a\.yaml has duplicate keys: "b" in lines /),
    });
  });

  test('refuses a packed chart that lacks what it needs', async () => {
    const root = plant(join(folder, 'incomplete'), {});
    const bytes = packChart('web', [fileOf('Chart.yaml', web + dependency)]);
    writeFileSync(join(root, 'web.tgz'), await gather(bytes, 100_000));
    await expect(helm.collect(specOf('helm', root, 'web.tgz'))).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringContaining('needs the chart common ^1.0.0'),
      hint: expect.stringContaining('helm dependency build'),
    });
  });
});
