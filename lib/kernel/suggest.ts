import { nearest } from '../../formats/document/suggest.ts';

/** Finds the candidate that `word` most likely misspells; undefined if none is near. */
export function meantWord(word: string, candidates: readonly string[]): string | undefined {
  return nearest(word, candidates);
}
