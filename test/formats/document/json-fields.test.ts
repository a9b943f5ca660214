import fc from 'fast-check';
import { expect, test } from 'vitest';
import { among } from '../../../formats/document/fields.ts';
import { locateJson } from '../../../formats/document/json-fields.ts';
import { secondsOf } from '../../support/yardstick.ts';

// No backslash: of two names in a row that begin with the same one, JSON.parse of Node.js 24.21 takes one for the
// other.
const name = fc.oneof(fc.stringMatching(/^[a-z0-9"]{0,3}$/), fc.constantFrom('__proto__', 'é', '\n'));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.oneof(fc.constantFrom('', '{"a": [', '\\"', ']', null, true, 1.5e-7), fc.string(), fc.integer()),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
  ),
}));

/** Every field and entry of a value, by its path. */
function* fieldsOf(node: unknown, above?: string): Generator<[string, string | undefined, unknown]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, inner] of Object.entries(node)) {
    const path = above === undefined ? key : `${above}.${key}`;
    yield [path, Array.isArray(node) ? undefined : key, inner];
    yield* fieldsOf(inner, path);
  }
}

test('the text of every field that is found is that field, as JSON.parse reads it', () => {
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1, '\t'), (document, indent) => {
      const text = JSON.stringify(document, undefined, indent);
      const { fields, repeated } = locateJson(text);
      expect(repeated).toEqual([]);
      const all = [...fieldsOf(document)];
      // A path that two fields share, such as "" and ".", is that of either.
      const once = all.filter(([path]) => all.filter(([other]) => other === path).length === 1);
      for (const [path, key, inner] of once) {
        const { start, nameEnd, end } = fields.get(path)!;
        const found = text.slice(start, end);
        if (key === undefined) expect(JSON.parse(found)).toEqual(inner);
        else {
          expect(Object.entries(JSON.parse(`{${found}}`))).toEqual([[key, inner]]);
          expect(JSON.parse(text.slice(start, nameEnd))).toBe(key);
        }
      }
    }),
    { numRuns: 1000, seed: 8 },
  );
});

test('a field that is there twice is where it is for the second time', () => {
  const { fields, repeated } = locateJson('{"a": {"b": 1, "c": 2, "\\u0062": [3]}}');
  expect(repeated).toEqual(['a.b']);
  expect(fields.get('a.b')).toEqual({ start: 23, nameEnd: 31, end: 36 });
});

test('what nests without end, and a name of many dots, take no time; a field that is there twice is found there too', async () => {
  const seconds = await secondsOf(() => {
    const deep = 60_000;
    const { repeated } = locateJson(`${'{"a":['.repeat(deep)}{"b":1,"b":2}${']}'.repeat(deep)}`);
    expect(repeated).toHaveLength(1);
    const { fields } = locateJson('{"a": 1}');
    const path = `a${'.a'.repeat(deep)}`;
    expect(among(fields)({ path, message: '' })).toMatchObject({ start: 1, end: 7 });
  });
  expect(seconds).toBeLessThan(2);
});
