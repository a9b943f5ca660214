import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeStored } from '../../../formats/custom-resources/stored.ts';

const widget = (spec: unknown) => ({ apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec });
const schema = (spec: object) => ({ type: 'object', properties: { spec: { type: 'object', ...spec } } });
const problems = (spec: object, value: unknown): string[] =>
  judgeStored(schema(spec))(widget(value)).map(({ path, message, isDropped }) =>
    `${isDropped ? 'dropped ' : ''}${path}: ${message}`.trim(),
  );

describe('a stored object', () => {
  test.each<[string, object, unknown, string[]]>([
    ['fits what it fitted', { properties: { a: { type: 'string' } } }, { a: 'x' }, []],
    [
      'of another type',
      { properties: { a: { type: 'integer' } } },
      { a: '1' },
      ['spec.a: has to be an integer, not a string'],
    ],
    [
      'without what is newly required',
      { required: ['b'], properties: { b: { type: 'string' } } },
      {},
      ['spec.b: is missing'],
    ],
    ['for which there is a default', { required: ['b'], properties: { b: { type: 'string', default: 'x' } } }, {}, []],
    [
      'of a value that is gone',
      { properties: { a: { type: 'string', enum: ['y'] } } },
      { a: 'x' },
      ['spec.a: has to be one of y'],
    ],
    [
      'of a value that is gone, where some are no texts',
      { properties: { a: { enum: ['y', 1, { b: [] }] } } },
      { a: 'x' },
      ['spec.a: has to be one of y, 1, {"b":[]}'],
    ],
    [
      'that a pattern no longer takes',
      { properties: { a: { type: 'string', pattern: '^y' } } },
      { a: 'x' },
      ['spec.a: has to match ^y'],
    ],
    [
      'above a limit',
      { properties: { a: { type: 'integer', maximum: 2 } } },
      { a: 3 },
      ['spec.a: has to be at most 2'],
    ],
    [
      'at a limit that is exclusive, as draft 4 says it',
      { properties: { a: { type: 'integer', maximum: 3, exclusiveMaximum: true } } },
      { a: 3 },
      ['spec.a: has to be less than 3'],
    ],
    [
      'in an entry of a list',
      { properties: { l: { type: 'array', items: { type: 'string', maxLength: 1 } } } },
      { l: ['a', 'bb'] },
      ['spec.l.1: has to have at most 1 characters'],
    ],
    [
      'in an entry of a map',
      { additionalProperties: { type: 'string', minLength: 2 } },
      { any: 'x' },
      ['spec.any: has to have at least 2 characters'],
    ],
    [
      'that lacks what a combination requires',
      { properties: { a: { type: 'string' } }, anyOf: [{ required: ['a'] }] },
      {},
      ['spec: lacks the field "a"'],
    ],
    ['with a field that is gone', { properties: {} }, { a: 1 }, ['dropped spec.a: unknown field']],
    ['with unknown fields that are kept', { 'x-kubernetes-preserve-unknown-fields': true }, { a: 1 }, []],
    ['that is an integer or a string', { properties: { a: { 'x-kubernetes-int-or-string': true } } }, { a: '5' }, []],
    [
      'with a pattern that only the server understands',
      { properties: { a: { type: 'string', pattern: '(?P<x>y' } } },
      { a: 'x' },
      [],
    ],
    ['that is null where it may be', { properties: { a: { type: 'string', nullable: true } } }, { a: null }, []],
  ])('%s', (_, spec, value, expected) => {
    expect(problems(spec, value)).toEqual(expected);
  });

  test('is not quoted', () => {
    const spec = { properties: { a: { type: 'string', pattern: '^y', enum: ['y'], maxLength: 1 } } };
    expect(problems(spec, { a: 'secret' }).join()).not.toContain('secret');
  });

  test('of any shape is judged by a schema of any shape', () => {
    const keyword = fc.constantFrom(
      'type',
      'properties',
      'items',
      'pattern',
      'enum',
      'required',
      'anyOf',
      'not',
      'maximum',
    );
    const odd = fc.dictionary(keyword, fc.jsonValue());
    fc.assert(
      fc.property(odd, fc.jsonValue(), (spec, value) => {
        expect(Array.isArray(judgeStored(schema(spec))(widget(value)))).toBe(true);
      }),
    );
  });
});
