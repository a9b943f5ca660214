import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsePlainYaml, type YamlDocument } from '../../../formats/manifest/plain-yaml.ts';
import { parseYaml } from '../../../formats/manifest/yaml.ts';

/** What the whole reader makes of a text: a directive keeps the plain one from it. */
function wholly(text: string): YamlDocument[] {
  const head = '%YAML 1.2\n---\n';
  const documents = parseYaml(head + text, 'f.yaml');
  return documents.map(({ value, start }) => ({ value, start: start - head.length }));
}

/** Compares both readers; returns whether the plain one has read the text. */
function isRead(text: string): boolean {
  const plain = parsePlainYaml(text);
  if (plain === undefined) return false;
  // The order of fields counts, too.
  const whole = wholly(text);
  expect(plain, text).toEqual(whole);
  expect(JSON.stringify(plain.map(({ value }) => value)), text).toBe(JSON.stringify(whole.map(({ value }) => value)));
  return true;
}

const manifest = `# Source: chart/templates/crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: things.example.com
  labels: {app.kubernetes.io/name: things, quoted: no}
  annotations: {a: "b, c: \\"d\\"", e: [], f: {g: 'it''s'}, h: [x, 1, {z: 0x10}]}

spec:
  names: { kind: Thing, plural: things }
  versions:
  - name: v1
    served: true
    storage: on
    additionalPrinterColumns:
      - jsonPath: .spec.replicas
        type: integer
      -   name: wide
          type: string
      - - nested
        - 0644
      -
        key: below
    # a comment
    schema:
      description: |-
        A text: with marks # and such
          deeper

        - and a list

      other: |
        kept
      folded: a plain scalar
        that goes on
          in other lines
      quoted: 'it''s # none'
      double: "a\\tb: \\"c\\""
      none:
      empty: ""
      url: https://example.com:8080/a#b
      max: 9223372036854775000
      ratio: 1.50
      minus: -1
      tilde: ~
---
# nothing
---
- 1
- text
-
- key: value
`;

describe('parsePlainYaml', () => {
  test('reads what programs write as the whole reader does', () => {
    expect(isRead(manifest)).toBe(true);
  });

  test.each([
    ['tabs', 'a:\tb\n'],
    ['a repeated key', 'a: 1\na: 2\n'],
    ['a key that is a value of another kind', 'on: 1\n'],
    ['a quoted key', '"a": 1\n'],
    ['a key that objects have a meaning for', '__proto__: 1\n'],
    ['an anchor', 'a: &b c\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a comment after a value', 'a: b # c\n'],
    ['a folded text', 'a: >\n  b\n'],
    ['a text whose indentation is stated', 'a: |2\n   b\n'],
    ['a quoted scalar of two lines', 'a: "b\n  c"\n'],
    ['a collection of two lines', 'a: [b,\n  c]\n'],
    ['what is not a mapping', 'a\n'],
    ['a mapping in a value', 'a: b: c\n'],
    ['a list in a value', 'a: -\n'],
    ['a list in a value that goes on', 'a: -\n  b\n'],
    ['an entry that lies between two mappings', 'a:\n    b: 1\n  c: 2\n'],
    ['a merge key', 'a: {<<: b}\n'],
    ['an integer that a number cannot hold', 'a: 9007199254740993\n'],
    ['a text that does not end', 'a: b'],
  ])('leaves %s to the whole reader', (_, text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });

  test('leaves what is nested deeply to the whole reader', () => {
    expect(parsePlainYaml(`${'- '.repeat(200)}a\n`)).toBeUndefined();
    expect(parsePlainYaml(`a: ${'['.repeat(200)}${']'.repeat(200)}\n`)).toBeUndefined();
  });

  test.each([
    ['values', '- a\n- [b, c]\n', 13],
    ['values', 'a: {b: 1, c: 2}\nd: 3\n', 16],
    ['documents', '---\na: 1\n---\nb: 2\n---\nc: 3\n', 27],
  ] as const)('ends where there are more %s than are read: %j', (what, text, at) => {
    const limits = { documents: 2, values: 3, excess: (of: string, offset: number) => new Error(`${of} ${offset}`) };
    expect(() => parsePlainYaml(text, limits)).toThrow(`${what} ${at}`);
  });

  test('reads any text as the whole reader does, or leaves it alone', () => {
    const indents = ['', '', '  ', '    ', '      ', '  - ', '- ', '-   ', '    - ', '- - '];
    const starts = ['a: ', 'b: ', 'c.d/e-f: ', 'g:', 'h: ', 'y: ', ''];
    const values = ['', 'x', '1', 'true', '-1', '- z', '|', '|-', 'two words', '{}', '[a, {b: 1}]', '"q: r"', "'s''t'"];
    const odd = [
      '# u',
      ' # v',
      '---',
      'w:',
      '.5',
      '1e3',
      '0x1F',
      '~',
      ': ',
      'a: b',
      '?',
      '\u00a0',
      'é',
      ' ',
      '{a: b-c d}',
    ];
    const part = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...values) }, fc.constantFrom(...odd));
    const line = fc
      .tuple(fc.constantFrom(...indents), fc.constantFrom(...starts), part)
      .map(([indent, start, value]) => `${indent}${start}${value}\n`);
    let count = 0;
    const check = (text: string): void => {
      let read: unknown;
      try {
        read = wholly(text);
      } catch {
        expect(parsePlainYaml(text), text).toBeUndefined();
      }
      if (read !== undefined && isRead(text)) count += 1;
    };
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 7 }), (lines) => check(lines.join(''))),
      { numRuns: 2000 },
    );
    // A text of a sound one, with a piece of something else in it.
    const noise = fc.array(fc.constantFrom(...' \n-:#|>{}[]"\'&*!?,%@`~a1'), { maxLength: 3 });
    fc.assert(
      fc.property(fc.nat(manifest.length), noise, fc.nat(4), (at, parts, cut) => {
        check(manifest.slice(0, at) + parts.join('') + manifest.slice(at + cut));
      }),
      { numRuns: 400 },
    );
    expect(count).toBeGreaterThan(100);
  });
});
