import { expect } from 'vitest';
import type { KubernetesObject } from '../../../../formats/manifest/documents.ts';
import { SolpackError } from '../../../../lib/kernel/events/errors.ts';
import { type ObjectPatch, patchObjects } from '../../../../lib/parts/components/index.ts';
import { testFlow } from '../../../support/flow.ts';
import { judged } from '../../../support/judges.ts';

const map = (name: string, data: object, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data,
});
const deployment: KubernetesObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
  spec: {
    replicas: 1,
    template: {
      spec: {
        containers: [
          { name: 'a', image: 'a:1' },
          { name: 'b', image: 'b:1' },
        ],
      },
    },
  },
};
const local = { annotations: { 'config.kubernetes.io/local-config': 'true' } };
const objects = [
  map('one', { a: '1' }),
  deployment,
  map('two', { a: '1' }, { labels: { app: 'web' } }),
  map('local', {}, local),
];

function patch(document: unknown, target?: ObjectPatch['target'], options?: ObjectPatch['options']): ObjectPatch {
  const refuse = (message: string): SolpackError => new SolpackError('site-invalid', 'the patch', message);
  return { documents: [document], target, options, refuse };
}
const patched = (...patches: readonly ObjectPatch[]): Promise<readonly (KubernetesObject | undefined)[]> =>
  patchObjects('web', objects, patches, testFlow());
const partial = (kind: string, name: string, more: object): unknown => ({
  apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1',
  kind,
  metadata: { name },
  ...more,
});

judged('a partial object is merged as its kind is, wherever the object is', ['kubectl'], async () => {
  const containers = [{ name: 'b', resources: { limits: { memory: '1Gi' } } }];
  const [one, web, ...rest] = await patched(
    patch(partial('Deployment', 'web', { spec: { template: { spec: { containers } } } })),
  );
  // kustomize puts what a patch names before the rest.
  const named = { name: 'b', image: 'b:1', resources: { limits: { memory: '1Gi' } } };
  const merged = [named, { name: 'a', image: 'a:1' }];
  expect(web).toEqual({ ...deployment, spec: { replicas: 1, template: { spec: { containers: merged } } } });
  // What no patch is for is the very same object.
  expect([one === objects[0], rest[0] === objects[2], rest[1] === objects[3]]).toEqual([true, true, true]);
});

judged('operations go to all objects that a target selects, in the order of the patches', ['kubectl'], async () => {
  const target = { kind: 'ConfigMap', name: 'one|two' };
  const result = await patched(
    patch([{ op: 'replace', path: '/data/a', value: '0123' }], target),
    patch([{ op: 'copy', from: '/data/a', path: '/data/b' }], { labelSelector: 'app=web', kind: 'ConfigMap' }),
  );
  expect(result.map((object) => object?.['data'])).toEqual([{ a: '0123' }, undefined, { a: '0123', b: '0123' }, {}]);
});

judged('an object that a patch deletes is gone, and those behind it keep their places', ['kubectl'], async () => {
  const result = await patched(
    patch(partial('ConfigMap', 'one', { $patch: 'delete' })),
    patch(partial('ConfigMap', 'two', { data: { a: null, z: 'yes' } })),
  );
  expect(result.map((object) => object?.metadata.name)).toEqual([undefined, 'web', 'two', 'local']);
  expect(result[2]!['data']).toEqual({ z: 'yes' });
});

judged('a name is changed where options allow it', ['kubectl'], async () => {
  const renamed = patch(
    [{ op: 'replace', path: '/metadata/name', value: 'uno' }],
    { kind: 'ConfigMap', name: 'one' },
    { allowNameChange: true },
  );
  expect((await patched(renamed)).map((object) => object?.metadata.name)).toEqual(['uno', 'web', 'two', 'local']);
});

judged('a patch that is for nothing, or cannot be applied, is refused by itself', ['kubectl'], async () => {
  const sound = patch(partial('ConfigMap', 'one', { data: { a: '2' } }));
  const refusals: [ObjectPatch, RegExp][] = [
    [patch(partial('ConfigMap', 'onee', {})), /there is no ConfigMap "onee" \(v1\); did you mean "one"/],
    [
      patch(partial('ConfigMap', 'one', { metadata: { name: 'one', namespace: 'x' } })),
      /no ConfigMap "one" \(v1\) in the namespace x/,
    ],
    [patch([], { kind: 'Job' }), /there is no object with kind Job/],
    [patch([], { name: 'on' }), /there is no object with name on$/],
    [patch([], { labelSelector: '(((' }), /has a target that kustomize cannot read/],
    [patch([{ op: 'remove', path: '/data/none' }], { name: 'one' }), /cannot be applied: .*none/],
    [
      patch({ metadata: { labels: { 'applyset.kubernetes.io/part-of': 'x' } } }, { name: 'one' }),
      /reserved for solpack/,
    ],
  ];
  for (const [wrong, message] of refusals) await expect(patched(sound, wrong)).rejects.toThrow(message);
});

judged('integers that a float cannot keep stay what they are, whichever form a patch has', ['kubectl'], async () => {
  const thing: KubernetesObject = {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: { name: 'one', annotations: { note: 'integer:7' } },
    spec: { priority: 9223372036854773801n, list: [9007199254740993n] },
  };
  const target = { kind: 'Thing' };
  const [after] = await patchObjects(
    'web',
    [thing],
    [
      patch(
        [
          { op: 'test', path: '/spec/priority', value: 9223372036854773801n },
          { op: 'add', path: '/spec/list/-', value: 18446744073709551615n },
        ],
        target,
      ),
      patch({ spec: { low: -9223372036854775807n } }, target),
    ],
    testFlow(),
  );
  expect(after).toEqual({
    ...thing,
    spec: {
      priority: 9223372036854773801n,
      list: [9007199254740993n, 18446744073709551615n],
      low: -9223372036854775807n,
    },
  });
});
