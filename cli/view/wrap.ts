import { stripVTControlCharacters } from 'node:util';
import { eastAsianWidth } from 'get-east-asian-width';

/** Counts the columns that a line takes on a terminal: none for what colours it, two for wide characters. */
export function columnsOf(line: string): number {
  const text = line.includes('\u001b') ? stripVTControlCharacters(line) : line;
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (!/\p{M}|\u200d|\ufe0f/u.test(character)) columns += eastAsianWidth(character.codePointAt(0)!);
  }
  return columns;
}

/** Cuts a line to at most `columns` columns; one that was cut ends in `mark`. */
export function cutTo(line: string, columns: number, mark = '…'): string {
  if (columnsOf(line) <= columns) return line;
  const room = columns - columnsOf(mark);
  let text = '';
  let used = 0;
  for (const character of line) {
    used += columnsOf(character);
    if (used > room) break;
    text += character;
  }
  return `${text.trimEnd()}${mark}`;
}

/**
 * Breaks a line between words, so that each part takes at most `columns` columns; all but the first part begin with
 * `indent`. A word that is longer than that, such as a path or a digest, stays whole: it can be copied.
 */
export function wrap(line: string, columns: number, indent = ''): string[] {
  const lines: string[] = [];
  let current = '';
  let used = 0;
  for (const chunk of chunksOf(line)) {
    const width = columnsOf(chunk);
    if (used === 0 || used + width <= columns) {
      current += chunk;
      used += width;
    } else {
      lines.push(current);
      current = `${indent}${chunk.trimStart()}`;
      used = columnsOf(current);
    }
  }
  return [...lines, current];
}

/** The words of a line, each with the spaces before it. */
function chunksOf(line: string): string[] {
  const chunks: string[] = [];
  let spaces = '';
  for (const [at, word] of line.split(' ').entries()) {
    if (at > 0) spaces += ' ';
    if (word === '') continue;
    chunks.push(`${spaces}${word}`);
    spaces = '';
  }
  return chunks;
}

/** Breaks a line of a result or an error for a terminal of `columns` columns, below its own beginning. */
export function wrapLine(line: string, columns: number): string[] {
  if (columnsOf(line) <= columns) return [line];
  const own = /^ */.exec(line)![0].length;
  return wrap(line, columns, ' '.repeat(Math.min(own + 4, Math.floor(columns / 2))));
}
