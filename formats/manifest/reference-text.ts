import { type IsHeld, isImageName, isNamedImage } from './reference-form.ts';

/**
 * Finds the references that stand in a text among other words: in options, in scripts, in configuration of any form.
 * What a `#` makes a comment of is left out, and so are addresses with a scheme. Each is returned once.
 */
export function referencesInText(text: string, isHeld: IsHeld): string[] {
  const found = new Set<string>();
  // Texts in JSON within texts have their line breaks spelled.
  for (const line of text.replace(/\\[nrt]/g, '\n').split('\n')) {
    if (!/[:@]/.test(line)) continue;
    const words = wordsOf(line);
    for (const [at, word] of words.entries()) {
      if (isImageName(word, { named: isNamed(words, at) }, isHeld)) found.add(word);
    }
  }
  return [...found];
}

/** Splits a line at blanks, quotes, brackets and signs that no reference has. A comment is not a part of it. */
function wordsOf(line: string): string[] {
  const words = line
    .replaceAll('=', ' = ')
    .split(/[\s"'`,;()[\]{}<>|\\]+/)
    .filter((word) => word !== '');
  const comment = words.findIndex((word) => word.startsWith('#'));
  return (comment < 0 ? words : words.slice(0, comment)).map((word) => word.replace(/[.!?]$/, ''));
}

/**
 * Whether the word at `at` is the value of something that is called an image: `image: X`, `"image": "X"`, `image=X`,
 * `--image X`.
 */
function isNamed(words: readonly string[], at: number): boolean {
  const before = words[at - 1] ?? '';
  if (before === '=' || before === ':') return isNamedImage(words[at - 2] ?? '');
  return /^-|:$/.test(before) && isNamedImage(before);
}
