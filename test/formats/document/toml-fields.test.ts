import fc from 'fast-check';
import { type AST, parseTOML } from 'toml-eslint-parser';
import { expect, test } from 'vitest';
import { locateToml } from '../../../formats/document/toml-fields.ts';
import { TextLines } from '../../../formats/text-lines.ts';

const text = `a = 1 # b = 2
"quoted key" = 'x = 1'
long = """
fake = 1
"""
list = [ # comment ]
  "one", { inner = [1, 2] },
]

[table]
x.y = true

[[many]]
k = 1
[many.sub]
s = '\\'
[[many]]
k = "\\"]" 
`;

test.each([
  ['a', 1, 1],
  ['quoted key', 2, 1],
  ['long', 3, 1],
  ['list', 6, 1],
  ['list.0', 7, 3],
  ['list.1.inner', 7, 12],
  ['list.1.inner.1', 7, 24],
  ['table', 10, 1],
  ['table.x.y', 11, 1],
  ['many.0', 13, 1],
  ['many.0.k', 14, 1],
  ['many.0.sub.s', 16, 1],
  ['many.1', 17, 1],
  ['many.1.k', 18, 1],
])('finds %s', (path, line, column) => {
  const { start } = locateToml(text).get(path)!;
  expect(new TextLines(text).position(start)).toMatchObject({ line, column });
});

test('takes nothing in strings and comments for a key', () => {
  const keys = locateToml(text);
  expect(keys.has('b')).toBe(false);
  expect(keys.has('fake')).toBe(false);
  expect(keys.has('x')).toBe(false);
});

test('ends on any text', () => {
  for (const odd of ['[', '[[', '= = =', '"', "'''", 'a = [[[', 'a = {', 'a.b.', ']]]', '\u0000']) {
    expect(() => locateToml(odd)).not.toThrow();
  }
});

const key = fc.oneof(
  fc.stringMatching(/^[a-z0-9_-]{1,3}$/),
  fc.stringMatching(/^[a-z .#=[\]-]{0,4}$/).map((name) => `"${name}"`),
);
const keys = fc.array(key, { minLength: 1, maxLength: 3 }).map((names) => names.join(' . '));
const scalar = fc.constantFrom(
  '1',
  '-1e5',
  'true',
  '1979-05-27T07:32:00Z',
  '1979-05-27 07:32:00',
  '"a # \\" b"',
  "'C:\\'",
  '"""\n[x]\ny = \\"""1\n"""',
  "'''\n]]\n'''",
  '""',
);
const value = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((values) => `[ ${values.join(', # ,]\n ')} ]`),
    fc
      .array(fc.tuple(key, tie('value')), { maxLength: 3 })
      .map((pairs) => `{ ${pairs.map((pair) => pair.join(' = ')).join(', ')} }`),
  ),
})).value;
const line = fc.oneof(
  fc.tuple(keys, value).map(([name, one]) => `${name} = ${one} # = [`),
  keys.map((name) => `[ ${name} ]`),
  keys.map((name) => `[[ ${name} ]]`),
  fc.constantFrom('', '\t# comment = 1'),
);

/** The extents of all keys, entries and headers, as the parser tells them; undefined where it refuses the text. */
function parsed(toml: string): Map<string, readonly [number, number]> | undefined {
  let program: AST.TOMLProgram;
  try {
    program = parseTOML(toml);
  } catch {
    return undefined;
  }
  const found = new Map<string, readonly [number, number]>();
  const visitValue = (node: AST.TOMLContentNode, path: readonly string[]): void => {
    if (node.type === 'TOMLArray') {
      for (const [index, element] of node.elements.entries()) {
        found.set([...path, index].join('.'), element.range);
        visitValue(element, [...path, String(index)]);
      }
    }
    if (node.type === 'TOMLInlineTable') for (const pair of node.body) visitPair(pair, path);
  };
  const visitPair = (pair: AST.TOMLKeyValue, above: readonly string[]): void => {
    const path = [...above, ...pair.key.keys.map((one) => (one.type === 'TOMLBare' ? one.name : one.value))];
    found.set(path.join('.'), pair.range);
    visitValue(pair.value, path);
  };
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') visitPair(node, []);
    else {
      const path = node.resolvedKey.map(String);
      const start = node.range[0];
      found.set(path.join('.'), [start, toml.indexOf(']', node.key.range[1]) + (node.kind === 'array' ? 2 : 1)]);
      for (const pair of node.body) visitPair(pair, path);
    }
  }
  return found;
}

test('finds all that toml-eslint-parser finds, from the first character to the last', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (lines, end) => {
      const toml = lines.join('\n').replaceAll('\n', end);
      const theirs = parsed(toml);
      if (!theirs) return;
      accepted += 1;
      const ours = locateToml(toml);
      // One path may be written in two ways, with a dot in quotes: then it is the first.
      for (const [path, [start, stop]] of theirs) {
        if (/"[^"]*\.[^"]*"/.test(toml)) continue;
        expect([path, ours.get(path)]).toMatchObject([path, { start, end: stop }]);
      }
    }),
    { numRuns: 2000, seed: 8 },
  );
  expect(accepted).toBeGreaterThan(500);
});
