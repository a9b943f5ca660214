import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { ClusterFacts } from '../../../../lib/kernel/content/model.ts';
import { collectComponent, render, traitsOf } from '../../../../lib/parts/components/index.ts';
import type { UnpackedComponent } from '../../../../lib/parts/components/kind.ts';
import { scratch } from '../../../support/judges.ts';
import { type BundleChanges, bundleDefinition, operatorBundle } from '../../../support/operator-bundles.ts';
import { flowIn, plant, specOf, unpacked } from './support.ts';

const folder = scratch('registry-bundle');
const kind = 'registry+v1';
const flow = flowIn(join(folder, 'temp'));

const cluster = (version: string, ...apiVersions: string[]): ClusterFacts => ({
  version,
  apiVersions,
  namespaced: () => undefined,
});

const webhooks = {
  webhookdefinitions: [
    {
      type: 'ValidatingAdmissionWebhook',
      generateName: 'v.example.com',
      deploymentName: 'cache-operator',
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    },
  ],
};

/** Plants a bundle below `name`, and returns its files as an archive has them. */
async function component(name: string, changes: BundleChanges = {}): Promise<UnpackedComponent> {
  const texts = Object.entries(operatorBundle(changes)).map(([path, text]) => [`b/${path}`, text]);
  const root = plant(join(folder, name), { ...Object.fromEntries(texts), 'b/README.md': '# text\n', 'b/tests/a': 'a' });
  return unpacked(await collectComponent(specOf(kind, root, 'b')), join(folder, `${name}-unpacked`));
}

describe('the kind registry+v1', () => {
  test('collects what counts of a bundle, with the version of its operator and where that goes', async () => {
    const root = plant(
      join(folder, 'collect'),
      Object.fromEntries(Object.entries(operatorBundle()).map(([path, text]) => [`b/${path}`, text])),
    );
    writeFileSync(join(root, 'b/README.md'), 'text');
    mkdirSync(join(root, 'b/tests'));
    writeFileSync(join(root, 'b/tests/a.yaml'), 'a');
    const collected = await collectComponent(specOf(kind, root, 'b'));
    expect(collected.files.map(({ path }) => path)).toEqual([
      'manifests/cache-operator.clusterserviceversion.yaml',
      'manifests/cache.example.com_caches.yaml',
      'metadata/annotations.yaml',
    ]);
    expect(collected).toMatchObject({
      version: '1.4.0',
      namespace: { name: 'cache-operator-system', labels: {} },
      notices: [],
    });
  });

  test('refuses a folder in manifests that is empty', async () => {
    const root = plant(join(folder, 'empty'), { 'b/manifests/a.yaml': 'a: b\n' });
    mkdirSync(join(root, 'b/manifests/more'));
    await expect(collectComponent(specOf(kind, root, 'b'))).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringContaining('is a folder in manifests, which may only hold files'),
    });
  });

  test.each([
    ['suggests', { annotations: { 'operatorframework.io/suggested-namespace': 'solpack-system' } }],
    [
      'has an object of',
      {
        files: {
          'manifests/x.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: solpack-system}\n',
        },
      },
    ],
  ])('refuses a bundle that %s what is reserved for solpack', async (name, changes) => {
    await expect(component(`reserved-${name.length}`, changes)).rejects.toMatchObject({ code: 'object-reserved' });
  });

  test('tells what a bundle asks for that no Solution can be asked', async () => {
    const dependencies = [{ type: 'olm.constraint', value: { cel: { rule: 'true' }, failureMessage: 'why' } }];
    const files = { 'metadata/dependencies.yaml': stringify({ dependencies }) };
    const texts = Object.entries(operatorBundle({ files })).map(([path, text]) => [`b/${path}`, text]);
    const root = plant(join(folder, 'asking'), Object.fromEntries(texts));
    expect((await collectComponent(specOf(kind, root, 'b'))).notices).toEqual([
      'has dependencies that no Solution can provide: a constraint "true": why',
    ]);
  });

  test('tells which keys stand twice, and which fields Kubernetes does not know', async () => {
    const odd = {
      ...bundleDefinition('Cache'),
      spec: { ...(bundleDefinition('Cache')['spec'] as object), a: 1, b: 2, c: 3, d: 4 },
    };
    const files = {
      'manifests/cache.example.com_caches.yaml': stringify(odd),
      'manifests/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\ndata: {c: d}\n',
    };
    const texts = Object.entries(operatorBundle({ files })).map(([path, text]) => [`b/${path}`, text]);
    const root = plant(join(folder, 'odd'), Object.fromEntries(texts));
    expect((await collectComponent(specOf(kind, root, 'b'))).notices).toEqual([
      'manifests/map.yaml has duplicate keys: "data" in lines 4 and 5; the last one counts, as with OLM',
      'CustomResourceDefinition caches.cache.example.com has fields that Kubernetes does not know, and that are dropped, as ' +
        'OLM does: spec.a, spec.b, spec.c and 1 more',
    ]);
  });

  test('says at its Deployment which images the operator uses, and where each object is from', async () => {
    const stated = await render(kind, await component('images'), flow);
    const deployment = stated.find(({ object }) => object.kind === 'Deployment')!;
    expect(deployment).toMatchObject({
      source: 'manifests/cache-operator.clusterserviceversion.yaml:1',
      images: [{ reference: 'registry.example.com/cache/server:7.2.4', path: 'relatedImages.0.image' }],
      object: { metadata: { namespace: 'guestbook' } },
    });
    expect(stated.filter(({ images }) => images !== undefined)).toEqual([deployment]);
  });

  test('takes later values before earlier ones, and reads no others than those it knows', async () => {
    const bundle = await component('values');
    writeFileSync(join(bundle.folder, 'a.yaml'), 'installMode: SingleNamespace\nwatchNamespaces: [a]\n');
    writeFileSync(join(bundle.folder, 'b.yaml'), '{"watchNamespaces": ["b"]}');
    const stated = await render(kind, { ...bundle, values: ['a.yaml', 'b.yaml'] }, flow);
    const places = stated.flatMap(({ object }) => (object.kind === 'Role' ? [object.metadata.namespace] : []));
    expect(places).toEqual(['b']);
    writeFileSync(join(bundle.folder, 'c.yaml'), 'watchNamespace: a\n');
    await expect(render(kind, { ...bundle, values: ['c.yaml'] }, flow)).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringContaining('watchNamespace'),
    });
  });

  test('asks a cluster who makes certificates, where the bundle has webhooks', async () => {
    const hooked = await component('hooked', { spec: webhooks });
    expect(await traitsOf(kind, hooked)).toMatchObject({ asksKinds: true });
    expect(await traitsOf(kind, await component('plain'))).toMatchObject({ asksKinds: false });
    const none = cluster('v1.33.0', 'v1', 'cert-manager.io/v1alpha2');
    await expect(render(kind, { ...hooked, cluster: none }, flow)).rejects.toThrow(/nothing that makes certificates/);
    for (const facts of ['cert-manager.io/v1', 'cert-manager.io/v1/Certificate']) {
      const stated = await render(kind, { ...hooked, cluster: cluster('v1.33.0', facts) }, flow);
      expect(stated.map(({ object }) => object.kind)).toEqual(expect.arrayContaining(['Issuer', 'Certificate']));
    }
  });

  test('refuses a cluster that is older than the operator wants', async () => {
    const bundle = await component('old', { spec: { minKubeVersion: '1.30.0' } });
    for (const version of ['v1.30.0', 'v1.31.2-eks-1']) {
      expect(await render(kind, { ...bundle, cluster: cluster(version) }, flow)).not.toEqual([]);
    }
    await expect(render(kind, { ...bundle, cluster: cluster('v1.29.9') }, flow)).rejects.toMatchObject({
      message: expect.stringContaining('needs Kubernetes 1.30.0 or newer, and the cluster has v1.29.9'),
    });
  });
});
