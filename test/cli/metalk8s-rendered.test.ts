import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseDocuments } from '../../formats/manifest/documents.ts';
import { solpack, succeeds, writeFiles } from '../support/cli.ts';
import { buildImage, writeLayout } from '../support/image.ts';
import { judged, scratch } from '../support/judges.ts';
import { operatorBundle } from '../support/operator-bundles.ts';

const folder = scratch('metalk8s-rendered');
const images = ['registry.example.com/cache/operator:1.4.0', 'registry.example.com/cache/server:7.2.4'];

const crd = (plural: string, kind: string, more = ''): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.example.com${more}}
spec:
  group: example.com
  names: {kind: ${kind}, plural: ${plural}}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`;

const role = (kind: string, metadata: string, verb = 'get'): string =>
  `apiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata: {${metadata}}\nrules: [{apiGroups: [''], resources: [pods], verbs: [${verb}]}]\n`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: cache-operator}
spec:
  selector: {matchLabels: {app: cache}}
  template:
    metadata: {labels: {app: cache}}
    spec:
      containers: [{name: operator, image: "${images[0]}"}]
`;

const chart = { 'chart/Chart.yaml': 'apiVersion: v2\nname: cache\nversion: 1.0.0\n' };

interface Made {
  readonly home: string;
  readonly stderr: string;
  /** The definitions that MetalK8s gets, by their files. */
  readonly crds: readonly string[];
  /** The roles that it gets, as `Kind/namespace/name`. */
  readonly roles: readonly string[];
}

beforeAll(async () => {
  const one = buildImage({ platforms: ['linux/amd64'], seed: 'operator', files: {} });
  await writeLayout(
    join(folder, 'images'),
    images.map((name) => ({ name, image: one })),
  );
});

/** Writes a definition of these components, and what lies beside it. */
function define(name: string, components: string, files: Readonly<Record<string, string>>, top = ''): string {
  const home = join(folder, name);
  const held = images.map((one) => `[[images]]\nreference = "${one}"\nsource = "oci:../images:${one}"\n`).join('');
  const text = `name = "cache"\nversion = "1.0.0"\noperator = "${images[0]}"\n${top}${held}${components}`;
  writeFiles(home, { 'solution.toml': text, ...files });
  return home;
}

const component = (name: string, kind: string, path: string, more = ''): string =>
  `[[components]]\nname = "${name}"\nkind = "${kind}"\npath = "${path}"\nnamespace = "cache"\n${more}`;

async function pack(home: string, ...more: string[]): Promise<Made> {
  const { code, stderr } = await solpack(['pack', home, '-o', join(home, 'out.iso'), '--metalk8s', ...more]);
  expect([code, stderr]).toEqual([0, expect.anything()]);
  rmSync(join(home, 'tree'), { recursive: true, force: true });
  await succeeds(['extract', join(home, 'out.iso'), '-C', join(home, 'tree')]);
  const deploy = join(home, 'tree/operator/deploy');
  const names = readdirSync(deploy);
  const text = names.includes('role.yaml') ? readFileSync(join(deploy, 'role.yaml'), 'utf8') : '';
  return {
    home,
    stderr,
    crds: names.includes('crds') ? readdirSync(join(deploy, 'crds')) : [],
    roles: parseDocuments(text, 'role.yaml').map(
      ({ kind, metadata }) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`,
    ),
  };
}

describe('the view for MetalK8s has definitions and roles of', () => {
  judged('a chart, as it is rendered, and is the same each time and by its lock', ['helm'], async () => {
    const home = define('helm', component('cache', 'helm', 'chart', 'create-namespace = true\n'), {
      ...chart,
      'chart/crds/hands.yaml': crd('hands', 'Hand'),
      'chart/templates/all.yaml': [
        crd('clocks', 'Clock'),
        role('Role', 'name: {{ .Release.Name }}, namespace: {{ .Release.Namespace }}'),
        role('ClusterRole', 'name: caches'),
        deployment,
      ].join('---\n'),
    });
    const { crds, roles } = await pack(home);
    expect(crds).toEqual(['clocks.example.com_crd.yaml', 'hands.example.com_crd.yaml']);
    expect([...roles].sort()).toEqual(['ClusterRole//caches', 'Role//cache']);
    const [bytes, lock] = ['out.iso', 'solution.lock'].map((name) => readFileSync(join(home, name)));
    // By the lock, by its lock alone, and without it: each has the same view.
    for (const more of [[], ['--locked'], undefined]) {
      if (more === undefined) rmSync(join(home, 'solution.lock'));
      await pack(home, ...(more ?? []));
      expect(readFileSync(join(home, 'out.iso')).equals(bytes!)).toBe(true);
      expect(readFileSync(join(home, 'solution.lock'))).toEqual(lock);
    }
    await succeeds(['verify', join(home, 'out.iso')]);
    // What a lock without the view has proved keeps nothing out of it.
    await succeeds(['pack', home, '-o', join(home, 'plain.iso')]);
    await pack(home);
    expect(readFileSync(join(home, 'out.iso')).equals(bytes!)).toBe(true);
  });

  judged('a kustomization', ['kubectl'], async () => {
    const { crds, roles } = await pack(
      define('kustomize', component('cache', 'kustomize', 'base', 'create-namespace = true\n'), {
        'base/kustomization.yaml': 'namePrefix: our-\nresources: [all.yaml, crd.yaml]\n',
        'base/all.yaml': `${role('Role', 'name: cache')}---\n${deployment}`,
        'base/crd.yaml': crd('clocks', 'Clock'),
      }),
    );
    expect([crds, roles]).toEqual([['clocks.example.com_crd.yaml'], ['Role//our-cache']]);
  });

  test('a plain+v0 bundle, beside those of manifests', async () => {
    const { crds, roles } = await pack(
      define(
        'plain',
        component('cache', 'plain+v0', 'bundle', 'create-namespace = true\n') + component('more', 'manifests', 'more'),
        {
          'bundle/manifests/all.yaml': [crd('clocks', 'Clock'), role('Role', 'name: cache'), deployment].join('---\n'),
          'more/crd.yaml': crd('hands', 'Hand'),
          'more/role.yaml': role('Role', 'name: of-others'),
        },
      ),
    );
    expect(crds).toEqual(['clocks.example.com_crd.yaml', 'hands.example.com_crd.yaml']);
    expect(roles).toEqual(['Role//cache']);
  });

  test('a registry+v1 bundle, which grants rights that no file of it states', async () => {
    const files = Object.entries(operatorBundle()).map(([path, text]) => [`bundle/${path}`, text]);
    const { crds, roles } = await pack(
      define(
        'registry',
        component('cache', 'registry+v1', 'bundle', 'create-namespace = true\n'),
        Object.fromEntries(files),
      ),
    );
    expect(crds).toContain('caches.cache.example.com_crd.yaml');
    expect(roles).not.toEqual([]);
  });
});

describe('what the view for MetalK8s does not have is reported:', () => {
  judged('values that are drawn, which would make each archive another one', ['helm'], async () => {
    const drawn = '{{ randAlphaNum 8 | quote }}';
    const home = define('drawn', component('cache', 'helm', 'chart', 'create-namespace = true\n'), {
      ...chart,
      'chart/templates/all.yaml': [
        crd('clocks', 'Clock', `, annotations: {drawn: ${drawn}}`),
        role('Role', 'name: cache'),
        role('ClusterRole', `name: caches, annotations: {drawn: ${drawn}}`),
        deployment,
      ].join('---\n'),
    });
    const { stderr, crds, roles } = await pack(home);
    expect([crds, roles]).toEqual([[], ['Role//cache']]);
    for (const name of ['CustomResourceDefinition//clocks.example.com', 'ClusterRole//caches']) {
      expect(stderr).toContain(`for MetalK8s it has no ${name} of component cache, which draws random values`);
    }
    const bytes = readFileSync(join(home, 'out.iso'));
    await pack(home, '--locked');
    expect(readFileSync(join(home, 'out.iso')).equals(bytes)).toBe(true);
  });

  judged('objects that are others for later versions of Kubernetes', ['helm'], async () => {
    const later = '{{ if semverCompare ">=1.31.0" .Capabilities.KubeVersion.Version }}watch{{ else }}list{{ end }}';
    const { stderr, home } = await pack(
      define(
        'versions',
        component('cache', 'helm', 'chart', 'create-namespace = true\n'),
        {
          ...chart,
          'chart/templates/all.yaml': [
            crd('clocks', 'Clock'),
            role('ClusterRole', 'name: caches', later),
            deployment,
          ].join('---\n'),
        },
        'kubernetes = ">=1.30 <1.32"\n',
      ),
    );
    expect(stderr).toContain('rendered for Kubernetes 1.30.0, and differ for later versions: ClusterRole//caches');
    expect(stderr).not.toContain('clocks');
    expect(readFileSync(join(home, 'tree/operator/deploy/role.yaml'), 'utf8')).toContain('list');
  });

  test('components that only nodes render', async () => {
    const home = define('plugin', component('cache', 'plugin', 'plugin') + component('made', 'manifests', 'crd.yaml'), {
      'crd.yaml': crd('clocks', 'Clock'),
      'plugin/plugin': '#!/bin/sh\necho v1\n',
    });
    chmodSync(join(home, 'plugin/plugin'), 0o755);
    const { stderr, crds, roles } = await pack(home);
    expect([crds, roles]).toEqual([['clocks.example.com_crd.yaml'], []]);
    expect(stderr).toContain('no component that pack renders runs the operator');
    expect(stderr).toContain('lacks definitions and roles of components that only nodes render: cache');
  });

  test('roles that are one for MetalK8s, and allow different things, are refused', async () => {
    const home = define('twice', component('cache', 'manifests', 'all', 'create-namespace = true\n'), {
      'all/all.yaml': [
        role('Role', 'name: cache'),
        role('Role', 'name: cache, namespace: default', 'list'),
        deployment,
      ].join('---\n'),
    });
    const { code, stderr } = await solpack(['pack', home, '-o', join(home, 'out.iso'), '--metalk8s']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('the Role cache in several namespaces')]);
  });
});
