import { expect, test } from 'vitest';
import { knownFields } from '../../../formats/kubernetes/known-fields.ts';

const pod = (spec: unknown): { apiVersion: string; kind: string; spec: unknown } => ({
  apiVersion: 'v1',
  kind: 'Pod',
  spec,
});

test('leaves out fields that the type of an object does not have, however deep, and names them', () => {
  const container = { name: 'a', image: 'b', imag: 'c', env: [{ name: 'A', valu: 'b' }] };
  const { object, left } = knownFields({ ...pod({ containers: [container], nodeSelector: { any: 'x' } }), more: 1 });
  expect(object).toEqual(
    pod({ containers: [{ name: 'a', image: 'b', env: [{ name: 'A' }] }], nodeSelector: { any: 'x' } }),
  );
  expect(left).toEqual(['spec.containers.0.imag', 'spec.containers.0.env.0.valu', 'more']);
});

test('leaves values of a wrong type, what may be anything, and kinds of others as they are', () => {
  for (const object of [
    pod({ containers: 'none', volumes: { a: 1 }, nodeSelector: ['x'], hostNetwork: 'yes' }),
    pod(null),
    { apiVersion: 'example.com/v1', kind: 'Pod', spec: { odd: true } },
  ]) {
    expect(knownFields(object)).toEqual({ object, left: [] });
  }
});
