import { describe, expect, test } from 'vitest';
import type { KubernetesObject } from '../../../formats/manifest/documents.ts';
import { drawnPlaces, withEarlierDraws } from '../../../formats/manifest/drawn.ts';

const object = (kind: string, name: string, more: object = {}): KubernetesObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, namespace: 'n' },
  ...more,
});
const paths = (one: KubernetesObject[], other: KubernetesObject[]) =>
  drawnPlaces(one, other).map(({ object: { kind }, path }) => [kind, ...path].join('.'));

/** A chart that draws a certificate: a Secret, a webhook that trusts it, a checksum, a Job with a name of its own. */
const drawn = (draw: string, more: { replicas?: number; hooks?: string[]; extra?: KubernetesObject[] } = {}) => [
  object('Secret', 'tls', { data: { ca: `ca ${draw}`, key: `key ${draw}`, user: 'admin' } }),
  object('Hook', 'hook', { webhooks: (more.hooks ?? ['a']).map((name) => ({ name, caBundle: `ca ${draw}` })) }),
  object('Deployment', 'web', { spec: { replicas: more.replicas ?? 1, checksum: `sum ${draw}` } }),
  object('Job', `once-${draw}`),
  ...(more.extra ?? []),
];

describe('the places that are drawn', () => {
  test('are those where two renderings differ, to the field', () => {
    expect(paths(drawn('1'), drawn('2'))).toEqual([
      'Secret.data.ca',
      'Secret.data.key',
      'Hook.webhooks.0.caBundle',
      'Deployment.spec.checksum',
      'Job.metadata.name',
    ]);
    expect(paths(drawn('1'), drawn('1'))).toEqual([]);
  });

  test('are whole values where their shape is drawn', () => {
    const of = (value: unknown) => [object('ConfigMap', 'a', { data: value })];
    expect(paths(of({ a: 1 }), of(['a']))).toEqual(['ConfigMap.data']);
    expect(paths(of(['a']), of(['a', 'b']))).toEqual(['ConfigMap.data']);
    expect(paths(of({ a: 1 }), of({ b: 1 }))).toEqual(['ConfigMap.data.a', 'ConfigMap.data.b']);
    expect(paths(of(null), of({}))).toEqual(['ConfigMap.data']);
  });

  test('are whole objects where only one rendering has them', () => {
    expect(paths([object('Job', 'a'), object('Job', 'b')], [object('Job', 'b')])).toEqual(['Job']);
    expect(paths([object('Job', 'b')], [object('Job', 'a'), object('Job', 'b')])).toEqual([]);
  });
});

describe('a later rendering', () => {
  const settled = (fresh: KubernetesObject[], again: KubernetesObject[], earlier: KubernetesObject[]) =>
    withEarlierDraws(fresh, drawnPlaces(fresh, again), earlier);

  test('has the draws of the earlier one, and all else is new', () => {
    const [fresh, again] = [drawn('2', { replicas: 5 }), drawn('3', { replicas: 5 })];
    expect(settled(fresh, again, drawn('1'))).toEqual(drawn('1', { replicas: 5 }));
    expect(fresh).toEqual(drawn('2', { replicas: 5 }));
  });

  test('has them in new places too, where the same was drawn', () => {
    const more = { hooks: ['b', 'a'] };
    expect(settled(drawn('2', more), drawn('3', more), drawn('1'))).toEqual(drawn('1', more));
  });

  test('finds items of a list by their names', () => {
    const of = (draw: string, ...names: string[]) => [
      object('Hook', 'h', { webhooks: names.map((name) => ({ name, caBundle: `${name} ${draw}` })) }),
    ];
    expect(settled(of('2', 'x', 'a'), of('3', 'x', 'a'), of('1', 'a', 'x'))).toEqual(of('1', 'x', 'a'));
  });

  test('draws anew what the earlier one did not have', () => {
    const password = (draw: string) => object('Secret', 'new', { data: { password: `new ${draw}` } });
    const fresh = drawn('2', { extra: [password('2')] });
    expect(settled(fresh, drawn('3', { extra: [password('3')] }), drawn('1'))).toEqual([...drawn('1'), password('2')]);
  });

  test.each([
    ['as it is', (text: string) => text],
    ['in base64', (text: string) => Buffer.from(text).toString('base64')],
  ])('is none where a new certificate, %s, might not fit', (_, coded) => {
    const leaf = (draw: string) =>
      object('Secret', 'leaf', { data: { tls: coded(`-----BEGIN CERTIFICATE-----\nsigned by ca ${draw}`) } });
    const fresh = drawn('2', { extra: [leaf('2')] });
    expect(settled(fresh, drawn('3', { extra: [leaf('3')] }), drawn('1'))).toBeUndefined();
  });

  test('has draws of its own where the earlier value was of another type', () => {
    const of = (value: unknown) => [object('ConfigMap', 'a', { data: { value } })];
    expect(settled(of('2'), of('3'), of(1))).toEqual(of('2'));
  });
});
