/**
 * Writes a word, such as a path, as a POSIX shell takes it: in quotes where it has a space or another character that a
 * shell obeys.
 */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
