import { plain } from '../io.ts';

/** Writes a word as a shell takes it, without what a terminal would obey. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${plain(word).replaceAll("'", "'\\''")}'`;
}
