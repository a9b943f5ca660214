const INDENT = 'the indentation differs from that of its block';
const QUOTES = 'the quotes that end this text are missing';
/** What is wrong with the beginning of a second document in a file that holds one. */
export const SECOND_DOCUMENT = 'a second document begins here, but only one is allowed: keep one of them';
const COLON = 'a text with ": " in it needs quotes, and a mapping needs its own line';

/**
 * What the parser of YAML says, and what that means to whoever wrote the text. The first that begins a message counts.
 */
const words: readonly (readonly [said: string, meant: string])[] = [
  ['Nested mappings are not allowed', COLON],
  ['A block sequence may not be used', 'a list cannot be a key'],
  ['All mapping items must start', INDENT],
  ['All sequence items must start', INDENT],
  ['Sequence item without', 'an entry of this list does not begin with -'],
  ['Implicit map keys need', 'this is no key with a value: a colon and a space are missing'],
  ['Implicit keys', 'a key has to be on one line; a colon may be missing before it'],
  ['Map keys must be unique', 'this key is duplicated'],
  ['Block scalar values', 'the lines of this text have to be indented'],
  ['Block scalar lines', 'the lines of this text are less indented than its first one'],
  ['Block scalars with more-indented', 'empty lines at the beginning of this text are indented more than what follows'],
  ['Block scalar header', 'only -, + and a digit may follow | and >'],
  ['Comments must be separated', 'a comment needs a space before its #'],
  ["Missing closing 'quote", QUOTES],
  ['Missing closing "quote', QUOTES],
  ['Missing , ', 'a comma is missing between entries'],
  ['Missing space after :', 'a space has to follow a colon'],
  ['Flow map in block collection', 'the } that ends this mapping is missing'],
  ['Flow sequence in block collection', 'the ] that ends this list is missing'],
  ['Flow map must end', 'the } that ends this mapping is missing'],
  ['Flow sequence must end', 'the ] that ends this list is missing'],
  ['Plain value cannot start', 'a text that begins with this character needs quotes'],
  ['Invalid escape sequence', 'write a backslash twice, or put the text into single quotes'],
  ['Tabs are not allowed', 'a tab cannot indent: write spaces'],
  ['Unexpected scalar at node end', 'only a comment may follow this value'],
  ['Unexpected flow-', 'this closing bracket has no opening bracket'],
  ['Unexpected block-seq-ind on same line', 'a list begins on its own line'],
  ['Unexpected ', 'this is not allowed here'],
  ['Unresolved alias', 'there is no anchor & before this alias: '],
  ['Unresolved tag', 'this tag has no standard meaning: '],
  ['Source contains multiple documents', SECOND_DOCUMENT],
  ['Alias ', 'this is not an alias: a text that begins with * needs quotes'],
  ['Anchor ', 'this is not an anchor: a text that begins with & needs quotes'],
];

/** Says in words for whoever wrote a text what its parser says of it. */
export function yamlWords(said: string): string {
  const meant = words.find(([begin]) => said.startsWith(begin))?.[1] ?? said;
  return meant.endsWith(': ') ? `${meant}${said.slice(said.indexOf(': ') + 2)}` : meant;
}
