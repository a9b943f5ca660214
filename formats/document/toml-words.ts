const DATE = 'this is not a date, a time or a number; a text needs quotes';
const NUMBER = 'this is not a number; a text needs quotes';
const BACKSLASH = 'write a backslash twice, or put the text into single quotes';

/**
 * What the parser of TOML says, and what that means to whoever wrote the text. The first that begins a message counts.
 */
const words: readonly (readonly [said: string, meant: string])[] = [
  ['Unknown character', 'a line begins with a key, with [ and the name of a table, or with # and a comment'],
  [
    'Unexpected character, expecting string, number',
    'a value is missing here: a text in quotes, a number, a date, true, false, a list in [ ] or a table in { }',
  ],
  ['Unexpected character, expected only whitespace', 'only a comment may follow a value; a text needs quotes'],
  ["Can't redefine", 'this key or table is duplicated'],
  ["Can't extend", 'this is complete already, and nothing can be added to it'],
  ['Invalid character, expected "="', 'a key is followed by = and its value'],
  ['Unexpected character, expected whitespace, . or ]', 'the name of a table ends with ]'],
  ['Key without value', 'this key has no value'],
  ['Key ended without value', 'this key has no value'],
  ['Empty bare keys', 'a key is missing before ='],
  ['Unterminated string', 'the quotes that end this text are missing'],
  ['Unterminated multi-line string', 'the quotes that end this text are missing'],
  [
    'Control characters',
    'a control character cannot stand in a text or a comment: write it as \\u and its four digits',
  ],
  ["Can't escape whitespace", BACKSLASH],
  ['Unknown escape character', BACKSLASH],
  ['Invalid unicode', 'this is not a character of Unicode'],
  ['Invalid character in unicode', '\\u needs four hexadecimal digits, \\U eight'],
  ['Unexpected character, expected "inf"', NUMBER],
  ['Unexpected character, expected "nan"', NUMBER],
  ['Unexpected character, expected digit', NUMBER],
  ['Unexpected character, expected -, +', NUMBER],
  ['Invalid number', NUMBER],
  ['Incomplete number', NUMBER],
  ['Invalid boolean', 'this is neither true nor false; a text needs quotes'],
  ['Unterminated inline array', 'the bracket that ends this is missing'],
  ['Invalid character, expected whitespace, comma', 'commas separate entries, and a bracket ends them'],
  ['Empty elements in inline tables', 'no field follows this comma'],
  ['Trailing commas in inline tables', 'no field follows this comma'],
  ['Unexpected character in datetime', DATE],
  ['Expected digit', DATE],
  ['Expected hyphen', DATE],
  ['Incomplete', DATE],
  ['Years less', DATE],
  ['Months less', DATE],
  ['Days less', DATE],
  ['Hours less', DATE],
];

/** Says in words for whoever wrote a text what its parser says of it. */
export function tomlWords(said: string): string {
  return words.find(([begin]) => said.startsWith(begin))?.[1] ?? said;
}
