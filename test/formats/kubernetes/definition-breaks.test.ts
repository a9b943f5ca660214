import { expect, test } from 'vitest';
import { definitionBreaks } from '../../../formats/kubernetes/definition-breaks.ts';
import { changed, soundOne } from './support.ts';

const before = soundOne('CustomResourceDefinition/gadgets.sound.example.com');
const schema = ['spec', 'versions', 0, 'schema', 'openAPIV3Schema'];
const spec = [...schema, 'properties', 'spec'];
const rule = [...spec, 'properties', 'rules', 'items'];
const broken = (path: readonly (string | number)[], value: unknown): string[] =>
  definitionBreaks(before, changed(before, path, value)).map(
    ({ version = '-', path: at, message }) => `${version} ${at}: ${message}`,
  );

test('the same definition breaks nothing', () => {
  expect(definitionBreaks(before, structuredClone(before))).toEqual([]);
});

test.each([
  [
    'a version dropped',
    ['spec', 'versions'],
    [(before['spec'] as { versions: unknown[] }).versions[0]],
    'v1beta1 : the version is dropped',
  ],
  ['a version not served', ['spec', 'versions', 0, 'served'], false, 'v1 : the version is no longer served'],
  ['another scope', ['spec', 'scope'], 'Cluster', '- : the scope changes from Namespaced to Cluster'],
  [
    'another type',
    [...spec, 'properties', 'size', 'type'],
    'string',
    'v1 spec.size: the type changes from integer to string',
  ],
  [
    'a type where there was none',
    [...spec, 'properties', 'any', 'type'],
    'object',
    'v1 spec.any: the type changes from anything to object',
  ],
  ['a field newly required', [...spec, 'required'], ['size', 'mode', 'tags'], 'v1 spec.tags: is newly required'],
  ['one inside of a list', [...rule, 'required'], ['name', 'parts'], 'v1 spec.rules[].parts: is newly required'],
  [
    'a type inside of a list',
    [...rule, 'properties', 'name', 'type'],
    'integer',
    'v1 spec.rules[].name: the type changes from string to integer',
  ],
  [
    'a type inside of a map',
    [...spec, 'properties', 'labels', 'additionalProperties', 'type'],
    'integer',
    'v1 spec.labels[]: the type changes from string to integer',
  ],
  [
    'a field gone',
    [...spec, 'properties', 'tags'],
    undefined,
    'v1 spec.tags: is removed: what is stored in it is dropped',
  ],
  ['a value gone', [...spec, 'properties', 'mode', 'enum'], ['fast'], 'v1 spec.mode: no longer accepts slow'],
  [
    'values where all were taken',
    [...spec, 'properties', 'tags', 'items', 'enum'],
    ['a'],
    'v1 spec.tags[]: takes certain values only',
  ],
])('tells of %s', (_, path, value, told) => {
  expect(broken(path, value)).toEqual([told]);
});

test.each([
  [
    'a field added',
    [...spec, 'properties', 'fresh'],
    { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
  ],
  ['a field with a default newly required', [...spec, 'required'], ['size', 'mode']],
  ['a wider type', [...spec, 'properties', 'size', 'type'], 'number'],
  ['a value added', [...spec, 'properties', 'mode', 'enum'], ['fast', 'slow', 'idle']],
  [
    'a type that is no longer asked for',
    [...spec, 'properties', 'tags', 'items'],
    { 'x-kubernetes-preserve-unknown-fields': true },
  ],
  ['what no definition has', ['spec', 'versions', 0, 'schema'], 7],
])('takes %s', (_, path, value) => {
  expect(broken(path, value)).toEqual([]);
});

test.each([7, null, [], {}, { versions: 7 }, { versions: [null, { name: 7 }] }])('takes %j for a spec', (value) => {
  expect(() => definitionBreaks(before, { ...before, spec: value })).not.toThrow();
  expect(() => definitionBreaks({ ...before, spec: value }, before)).not.toThrow();
});
