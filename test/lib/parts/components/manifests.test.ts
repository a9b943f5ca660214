import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifests } from '../../../../lib/parts/components/manifests.ts';
import { scratch } from '../../../support/judges.ts';
import { configMap, flowIn, objectsBy, plant, specOf, unpacked } from './support.ts';

const folder = scratch('components-manifests');

describe('manifests', () => {
  test('takes the manifests of a folder and nothing else, and renders them in byte order', async () => {
    const root = plant(join(folder, 'order'), {
      'all/20-b.yaml': `${configMap('b1')}---\r\n${configMap('b2')}`,
      'all/10-a.yml': configMap('a'),
      'all/20-b/c.json': JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'c' } }),
      'all/README.md': '# not a manifest',
    });
    const collected = await manifests.collect(specOf('manifests', root, 'all'));
    expect(collected.files.map(({ path }) => path)).toEqual(['10-a.yml', '20-b.yaml', '20-b/c.json']);
    const objects = await objectsBy(
      manifests,
      await unpacked(collected, join(root, 'out')),
      flowIn(join(folder, 'temp')),
    );
    expect(objects.map(({ metadata }) => metadata.name)).toEqual(['a', 'b1', 'b2', 'c']);
  });

  test('takes one file under its own name', async () => {
    const root = plant(join(folder, 'one'), { 'crds/crd.yaml': configMap('crd') });
    const collected = await manifests.collect(specOf('manifests', root, 'crds/crd.yaml'));
    expect(collected.files.map(({ path }) => path)).toEqual(['crd.yaml']);
    expect(
      await objectsBy(manifests, await unpacked(collected, join(root, 'out')), flowIn(join(folder, 'temp'))),
    ).toHaveLength(1);
  });

  test.each([
    ['what is not a manifest', { 'm/a.yaml': 'text: only\n' }, 'a.yaml:1:1: apiVersion is missing'],
    ['broken YAML', { 'm/sub/a.yaml': `${configMap('a')}  b: [` }, 'sub/a.yaml:7:'],
    ['a folder without objects', { 'm/a.yaml': '# nothing\n' }, 'has no Kubernetes objects'],
    ['a folder without manifests', { 'm/a.txt': 'text' }, 'has no Kubernetes objects'],
    [
      'a kustomization',
      { 'm/kustomization.yaml': 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n' },
      'is a kustomization',
    ],
  ])('refuses %s, and says where', async (name, files, message) => {
    const root = plant(join(folder, name), files);
    await expect(manifests.collect(specOf('manifests', root, 'm'))).rejects.toMatchObject({
      code: 'component-invalid',
      message: expect.stringContaining(message),
      hint: expect.any(String),
    });
  });
});
