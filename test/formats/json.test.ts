import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8 } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { checked, countParts, decodeJson, decodeUniqueJson, encodeJson } from '../../formats/json.ts';
import { listOf, textsByName, z } from '../../formats/schema.ts';

const schema = z.looseObject({ name: z.string(), list: z.array(z.object({ size: z.number() })).optional() });
const decode = (text: string) => decodeJson(utf8(text), schema, 'chart-invalid', 'the document');
const refusal = (message: string | RegExp) =>
  expect.objectContaining({ code: 'chart-invalid', message: expect.stringMatching(message) });

describe('JSON', () => {
  test('is written in the order of its keys, without white space', () => {
    expect(Buffer.from(encodeJson({ b: 1, a: [true, null, 'ü'] })).toString()).toBe('{"b":1,"a":[true,null,"ü"]}');
  });

  test('keeps what the schema does not name', () => {
    expect(decode('{"name":"a","more":[1]}')).toEqual({ name: 'a', more: [1] });
  });

  test('that is none, or not UTF-8, is refused by name', () => {
    expect(() => decode('{"name":')).toThrow(refusal('the document is not JSON'));
    expect(() => decode('')).toThrow(refusal('the document is not JSON'));
    expect(() => decodeJson(Uint8Array.of(0x22, 0xff, 0x22), schema, 'chart-invalid', 'it')).toThrow(
      refusal('it is not JSON'),
    );
  });

  test('of another shape is refused with the field', () => {
    expect(() => decode('{"name":1}')).toThrow(refusal(/^the document: name: /));
    expect(() => decode('{"name":"a","list":[{"size":1},{"size":"2"}]}')).toThrow(
      refusal(/^the document: list\.1\.size: /),
    );
    expect(() => decode('[]')).toThrow(refusal(/^the document: /));
    expect(() => checked(undefined, schema, 'chart-invalid', 'it')).toThrow(refusal(/^it: /));
  });

  test('nested deeper than any stack is a FormatError or a value, never a crash', () => {
    try {
      decode(`{"name":"a","deep":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    } catch (error) {
      expect(error).toBeInstanceOf(FormatError);
    }
  });

  test('is read back as it was written', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(decodeJson(encodeJson(value), z.any(), 'json-invalid', 'it')).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe('JSON that no two readers may read differently', () => {
  const unique = (text: string) => decodeUniqueJson(utf8(text), z.unknown(), 'chart-invalid', 'it');

  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1},"c":[{"d":0,"d":0}]}', 'd'],
    ['{"a":"x","\\u0061":1}', 'a'],
    ['[{},{"":1, "" : 2}]', ''],
    ['{"a":[1,{"b":2}],"c":"}","a":0}', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"\\"":1,"\\"":2}', '"'],
  ])('is refused where a field is there twice: %s', (text, name) => {
    const message = `it: the field ${JSON.stringify(name)} is there twice`;
    expect(() => unique(text)).toThrow(expect.objectContaining({ code: 'chart-invalid', message }));
  });

  test.each(['{"a":"a","b":["a","a"],"c":{"a":"a"}}', '[{"a":1},{"a":1}]', '"a\\\\"', '{"a":"\\",\\"a\\":"}', '3'])(
    'is a value where none is: %s',
    (text) => {
      expect(unique(text)).toEqual(JSON.parse(text));
    },
  );

  test('is whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(unique(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('the names and values of a document', () => {
  test.each([
    ['{}', 2],
    ['[1,"a",{"b":[null]}]', 7],
    ['"a,b:c[d{\\",\\\\"', 1],
    ['{"a\\\\\\"":1,"b":"}"}', 5],
  ])('are counted in %s, and never too few', (text, count) => {
    expect(countParts(Buffer.from(text)).all).toBe(count);
  });

  test('are never fewer than what a parser makes of it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'), (value, space) => {
        expect(countParts(Buffer.from(JSON.stringify(value, undefined, space))).all).toBeGreaterThanOrEqual(
          partsIn(value),
        );
      }),
    );
  });

  test('may be so many, and nested so deep', () => {
    const many = (count: number): Buffer => Buffer.from(`[${Array.from({ length: count }, () => '{}')}]`);
    const deep = (depth: number): Buffer => Buffer.from('['.repeat(depth) + ']'.repeat(depth));
    expect(decodeJson(many(100_000), z.array(z.object({})), 'json-invalid', 'it')).toHaveLength(100_000);
    expect(decodeJson(deep(1000), z.unknown(), 'json-invalid', 'it')).toHaveLength(1);
    for (const bytes of [many(150_000), deep(1001), many(1_000_000).subarray(0, 900_000)]) {
      expect(() => decodeJson(bytes, z.unknown(), 'manifest-invalid', 'it')).toThrow(
        expect.objectContaining({
          code: 'manifest-invalid',
          message: expect.stringMatching(/^it: (more than|nested)/),
        }),
      );
    }
  });
});

describe('lists of which every element is wrong', () => {
  const whole = Array.from({ length: 200_000 }, () => 0);

  test('are told of by the first one', () => {
    const schema = z.object({ names: listOf(z.string()) });
    expect(() => checked({ names: ['a', ...whole] }, schema, 'json-invalid', 'it')).toThrow(
      'it: names.1: has to be a text, but is',
    );
    expect(checked({ names: ['a', 'b'] }, schema, 'json-invalid', 'it')).toEqual({ names: ['a', 'b'] });
  });

  test('are told of once where they have names', () => {
    const schema = z.object({ notes: textsByName });
    const wrong = Object.fromEntries(whole.map((value, at) => [`n${at}`, value]));
    expect(() => checked({ notes: wrong }, schema, 'json-invalid', 'it')).toThrow(
      'it: notes: has to be an object whose values are texts',
    );
    for (const notes of [[], null, 'a']) expect(() => checked({ notes }, schema, 'json-invalid', 'it')).toThrow();
    expect(checked({ notes: { a: 'b' } }, schema, 'json-invalid', 'it')).toEqual({ notes: { a: 'b' } });
  });

  test('are quoted in part', () => {
    const names = Object.fromEntries(whole.map((value, at) => [`n${at}`, value]));
    const refused = (): unknown => checked(names, z.strictObject({}), 'json-invalid', 'it');
    expect(refused).toThrow(expect.objectContaining({ message: expect.stringMatching(/^it: .{300}…$/) }));
  });
});

/** The names and values that a value consists of. */
function partsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const names = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + partsIn(inner), 1 + names);
}
