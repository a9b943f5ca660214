import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { utf8 } from '../../formats/bytes.ts';
import { FormatError } from '../../formats/error.ts';
import { checked, decodeJson, decodeUniqueJson, encodeJson } from '../../formats/json.ts';

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
