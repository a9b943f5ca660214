import { expect, test } from 'vitest';
import { locateKeys } from '../../../formats/solution/positions.ts';

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
  expect(locateKeys(text).get(path)).toEqual({ line, column });
});

test('takes nothing in strings and comments for a key', () => {
  const keys = locateKeys(text);
  expect(keys.has('b')).toBe(false);
  expect(keys.has('fake')).toBe(false);
  expect(keys.has('x')).toBe(false);
});

test('ends on any text', () => {
  for (const odd of ['[', '[[', '= = =', '"', "'''", 'a = [[[', 'a = {', 'a.b.', ']]]', '\u0000']) {
    expect(() => locateKeys(odd)).not.toThrow();
  }
});
