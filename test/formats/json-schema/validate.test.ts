import { describe, expect, test } from 'vitest';
import { utf8 } from '../../../formats/bytes.ts';
import { PositionedError } from '../../../formats/error.ts';
import { parseSchema } from '../../../formats/json-schema/schema.ts';
import { violationsOf } from '../../../formats/json-schema/validate.ts';

const schemaOf = (schema: unknown): ReturnType<typeof parseSchema> =>
  parseSchema(utf8(JSON.stringify(schema)), 'site.json');
const found = (schema: unknown, value: unknown): string[] =>
  violationsOf(schemaOf(schema), value).map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('a value', () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    ['of another type', { type: 'integer' }, 'three', [': has to be a whole number, but is a text']],
    ['of one of two types', { type: ['integer', 'null'] }, null, []],
    ['that is none of those listed', { enum: ['a', 'b'] }, 'c', [': has to be one of "a", "b"']],
    ['that is a fixed one', { const: { a: 1 } }, { a: 1 }, []],
    ['below a limit', { minimum: 1, exclusiveMaximum: 3 }, 0, [': has to be at least 1']],
    [
      'at a limit that is excluded, as in draft 4',
      { minimum: 1, exclusiveMinimum: true },
      1,
      [': has to be more than 1'],
    ],
    ['that is a multiple in decimals', { multipleOf: 0.1 }, 0.3, []],
    ['that matches no pattern', { pattern: '^[a-z.]+$' }, 'A', [': has to match ^[a-z.]+$']],
    ['that is too long', { maxLength: 1 }, 'ab', [': has to have at most 1 characters']],
    [
      'with a field that is not known',
      { properties: { a: true }, patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      { a: 1, 'x-y': 1, b: 1 },
      ['x-y: has to be a text, but is a whole number', 'b: unknown field'],
    ],
    ['without a field', { required: ['host'] }, {}, [': lacks the field "host"']],
    [
      'without what another field needs',
      { dependentRequired: { tls: ['host'] } },
      { tls: 1 },
      [': needs "host" beside "tls"'],
    ],
    ['with wrong entries', { items: { type: 'integer' } }, [1, 'x'], ['1: has to be a whole number, but is a text']],
    [
      'with an entry twice',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [': has an entry twice'],
    ],
    [
      'that fits two forms of one',
      { oneOf: [{ minimum: 0 }, { maximum: 9 }] },
      5,
      [': matches several alternatives, but may only match one'],
    ],
    [
      'that nearly fits a form',
      { anyOf: [{ type: 'string' }, { properties: { a: { type: 'string' } }, type: 'object' }] },
      { a: 1 },
      ['a: has to be a text, but is a whole number'],
    ],
    [
      'that a condition asks more of',
      JSON.parse('{"if": {"required": ["tls"]}, "then": {"required": ["host"]}}'),
      { tls: 1 },
      [': lacks the field "host"'],
    ],
    ['behind a reference', { $ref: '#/$defs/p', $defs: { p: { minimum: 1 } } }, 0, [': has to be at least 1']],
    [
      'beside a reference of draft 7, where nothing counts',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#/definitions/p',
        minimum: 5,
        definitions: { p: {} },
      },
      0,
      [],
    ],
  ])('%s', (_, schema, value, messages) => {
    expect(found(schema, value)).toEqual(messages);
  });

  test('is never quoted: it may be secret', () => {
    const schema = {
      type: 'integer',
      enum: [1],
      pattern: '^b',
      minLength: 100,
      properties: {},
      const: 2,
      not: { type: 'string' },
    };
    expect(found(schema, 'hunter2').join()).not.toContain('hunter2');
  });
});

describe('a schema', () => {
  test.each<[string, string, RegExp]>([
    ['no JSON', '{', /not JSON/],
    ['neither object nor boolean', '[]', /a schema is an object, true or false/],
    [
      'a keyword of a wrong shape',
      '{\n "properties": {"a": {"type": "int"}}}',
      /2:23: properties\.a\.type: has to be a type of JSON/,
    ],
    ['a keyword that is not followed', '{"unevaluatedProperties": false}', /is a keyword that is not supported/],
    ['a reference to a file', '{"$ref": "/etc/passwd"}', /leads out of the schema/],
    ['a reference to an address', '{"items": {"$ref": "http://127.0.0.1/x"}}', /items\.\$ref: leads out/],
    ['a reference to nothing', '{"$ref": "#/$defs/a"}', /leads nowhere/],
    ['a pattern that looks around', '{"pattern": "(?=a)"}', /is a pattern that cannot be used/],
    ['a draft of its own', '{"$schema": "http://example.com/draft"}', /is not a known draft/],
  ])('with %s is refused', (_, text, reason) => {
    expect(() => parseSchema(utf8(text), 'site.json')).toThrow(reason);
  });

  test('says where it is wrong', () => {
    expect(() => parseSchema(utf8('{"minimum": "1"}'), 'site.json')).toThrow(PositionedError);
    expect(() => parseSchema(utf8('{"minimum": "1"}'), 'site.json')).toThrow(
      /^site\.json:1:2: minimum: has to be a number/,
    );
  });

  test('whose patterns would take minutes for all values together is refused', () => {
    const schema = { items: { pattern: 'a{900}b|a{900}c|a{900}d' } };
    expect(
      found(
        schema,
        Array.from({ length: 5 }, () => 'a'.repeat(1000)),
      ),
    ).toHaveLength(5);
    expect(() =>
      found(
        schema,
        Array.from({ length: 100 }, () => 'a'.repeat(1000)),
      ),
    ).toThrow(/one of too many/);
  });

  test('that leads into itself ends', () => {
    expect(() => found({ $ref: '#' }, 1)).toThrow(/without end/);
    const wide = {
      $ref: '#/$defs/a',
      $defs: { a: { anyOf: Array.from({ length: 9 }, () => ({ $ref: '#/$defs/a' })) } },
    };
    expect(() => found(wide, 1)).toThrow(/too long|without end/);
  });
});
