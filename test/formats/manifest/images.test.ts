import { describe, expect, test } from 'vitest';
import { parseDocuments } from '../../../formats/manifest/documents.ts';
import { mapImages } from '../../../formats/manifest/images.ts';
import { imagesOf } from '../../support/images-of.ts';

const objects = parseDocuments(
  `
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  containers: [{name: a, image: registry/z:1}, {name: b}]
  initContainers: [{name: c, image: registry/init:1}]
  ephemeralContainers: [{name: d, image: registry/debug:1}]
  volumes: [{name: v, image: {reference: registry/volume:1}}, {name: w, emptyDir: {}}]
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cron}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: a, image: registry/a:1}, {name: b, image: registry/z:1}]}}}}}
---
apiVersion: example.com/v1
kind: Custom
metadata: {name: custom}
spec: {podTemplate: {spec: {containers: [{name: a, image: registry/custom:1}]}}, image: not-seen}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crd}
spec: {schema: {properties: {containers: {type: array, items: {image: not-seen}}}}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: text}
data: {containers: "image: not-seen"}
`,
  'f',
);

describe('images of objects', () => {
  test('are found wherever a pod is described, sorted, each once', () => {
    expect(imagesOf(objects)).toEqual([
      'registry/a:1',
      'registry/custom:1',
      'registry/debug:1',
      'registry/init:1',
      'registry/volume:1',
      'registry/z:1',
    ]);
    expect(imagesOf([])).toEqual([]);
  });

  test('are changed in a copy, and nothing else is', () => {
    const before = structuredClone(objects);
    const changed = mapImages(objects, (image) => image.replace('registry/', 'mirror:5000/'));
    expect(objects).toEqual(before);
    expect(imagesOf(changed)).toEqual(imagesOf(objects).map((image) => image.replace('registry/', 'mirror:5000/')));
    expect(JSON.stringify(changed).replaceAll('mirror:5000/', 'registry/')).toBe(JSON.stringify(objects));
  });

  test('are told apart by whether a node may pull them', () => {
    const pod = parseDocuments(
      `
apiVersion: v1
kind: Pod
metadata: {name: pod}
spec:
  containers: [{name: a, image: a, imagePullPolicy: Never}, {name: b, image: b, imagePullPolicy: IfNotPresent}]
  initContainers: [{name: c, image: c}]
  volumes: [{name: v, image: {reference: v, pullPolicy: Never}}, {name: w, image: {reference: w, pullPolicy: Always}}]
`,
      'f',
    );
    const pulled = new Map<string, boolean>();
    mapImages(pod, (image, may) => {
      pulled.set(image, may);
      return image;
    });
    expect([...pulled].sort()).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
      ['v', false],
      ['w', true],
    ]);
  });
});
