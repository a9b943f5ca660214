/** Characters that Joliet forbids, that shells or other systems give a meaning, and that cannot be seen. */
const characters = [
  ...'*:;?\\<>|"\'`!#$%&()+,=@[]^{}~ ',
  ...['\x01', '\t', '\n', '\r', '\x1b', '\x1f', '\x7f', '\x80', '\x9f', '\u00a0', '\u00ad'],
  ...['\u200b', '\u200d', '\u2028', '\u202e', '\ue000', '\ufeff', '\ufffc', '\ufffd', '\ufffe', '\uffff'],
  ...['\u{10000}', '\u{1f680}', '\u{10fffd}', '\u{10ffff}'],
];

/** Names that some reader takes for one: by case, or by Unicode's normal forms. */
const clashes = [
  ...['README', 'readme', 'Readme', 'ReadMe.TXT', 'readme.txt', 'README.txt'],
  ...['É', 'é', 'E\u0301', 'e\u0301', 'ÅNGSTRÖM', 'ångström', 'A\u030angstro\u0308m', '\u212bngström'],
  ...['straße', 'STRASSE', 'STRAẞE', 'ı', 'i', 'İ', 'I', 'i\u0307', 'Σ', 'σ', 'ς', 'k', 'K', '\u212a'],
  ...['𐐀', '𐐨', 'ꭰ', 'Ꭰ', 'ა', 'Ა', 'ǅ', 'ǆ', 'Ǆ', 'ﬁ', 'fi', 'Ａ', 'ａ'],
  ...['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af', 'が', 'か\u3099', '①', '１'],
];

/** Dots, blanks and versions, which systems take from the ends of names. */
const ends = [
  ...['a', 'a.', 'a..', 'a...', 'a ', 'a  ', ' a', 'a. ', 'a .', '.a', '..a', '...', '. .', 'a..b', '..b..'],
  ...['a;1', 'a.;1', 'a;2', 'a;', ';1', 'b.c.d', 'b.c.', '-a', '--', '~1', 'a~1', 'A~1', 'a_', 'A_', '_'],
  ...['CON', 'nul.txt', 'COM1', 'rr_moved', '.rr_moved', 'TRANS.TBL', '%2e%2e', '\\..\\a', 'a:b', 'c:'],
];

/** Scripts, directions, and characters made of many. */
const scripts = [
  '日本語',
  'Ελληνικά',
  'русский',
  'עברית',
  'العربية',
  'ไทย',
  'தமிழ்',
  'हिन्दी',
  '👩‍👩‍👧‍👦',
  '🇨🇭',
  '𝒳𝕐',
  '\u0301',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
];

/** Names that are hard on writers and readers, each once. */
export const unicodeNames: readonly string[] = [
  ...new Set([
    ...characters.flatMap((character) => [`x${character}y`, `${character}y`, `x${character}`]),
    ...clashes,
    ...ends,
    ...scripts,
  ]),
];
