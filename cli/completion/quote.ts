/** The word that is typed in a line of bash. */
export interface OpenWord {
  /** Without quotes. */
  readonly text: string;
  /** How much of `text` stands before what bash replaces, which begins behind the last of its breaking characters. */
  readonly kept: number;
  /** The quote that is open; undefined where a quote stands anywhere else, which nothing can be put behind. */
  readonly quote: '' | '"' | "'" | undefined;
}

/** The words of a line that bash is given, without quotes; nothing in it is expanded. */
export interface BashLine {
  readonly words: readonly string[];
  readonly last: OpenWord;
}

/** Reads a line of bash up to the cursor. `breaks` are the characters at which bash breaks words for completion. */
export function readBashLine(line: string, breaks: string): BashLine {
  const words: string[] = [];
  let word = { text: '', kept: 0, started: false, quoted: false };
  let quote: '' | '"' | "'" = '';
  let openedAtStart = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    const isEscape = character === '\\' && quote !== "'" && at + 1 < line.length;
    if (isEscape && (quote === '' || /[\\"$`]/.test(line[at + 1]!))) {
      at += 1;
      word = { ...word, text: word.text + line[at]!, started: true };
    } else if (quote !== '') {
      if (character === quote) quote = '';
      else word = { ...word, text: word.text + character };
    } else if (character === '"' || character === "'") {
      quote = character;
      openedAtStart = word.text.length === word.kept && !word.quoted;
      word = { ...word, started: true, quoted: true };
    } else if (/\s/.test(character)) {
      if (word.started) words.push(word.text);
      word = { text: '', kept: 0, started: false, quoted: false };
    } else {
      const text = word.text + character;
      word = { ...word, text, started: true, kept: breaks.includes(character) ? text.length : word.kept };
    }
  }
  const isPlain = quote === '' ? !word.quoted : openedAtStart;
  return { words, last: { text: word.text, kept: word.kept, quote: isPlain ? quote : undefined } };
}

/**
 * Writes a word so that bash takes it for nothing but that word, behind the quote that is open. Undefined where it
 * cannot be written there.
 */
export function bashWord(text: string, quote: OpenWord['quote']): string | undefined {
  if (quote === '') return text.replace(/[^\p{L}\p{N}_@%+=:,./-]/gu, '\\$&');
  if (quote === "'") return text.includes("'") ? undefined : text;
  // Between double quotes nothing keeps `!` from standing for an earlier command.
  return quote === undefined || text.includes('!') ? undefined : text.replace(/[\\"$`]/g, '\\$&');
}
