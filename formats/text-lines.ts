import type { Position, PositionedProblem } from './error.ts';

/** Knows the lines of a text, and turns offsets into positions. Offsets count UTF-16 code units from 0. */
export class TextLines {
  readonly #text: string;
  /** Where each line begins. */
  readonly #starts: Uint32Array;

  constructor(text: string) {
    this.#text = text;
    this.#starts = new Uint32Array(linesIn(text));
    let line = 0;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts[++line] = at + 1;
  }

  /**
   * Tells the position of what begins at `start` and ends before `end`; offsets outside of the text stand for its ends.
   */
  position(start: number, end: number = start + 1): Position {
    const line = this.#lineOf(start);
    const [from, to] = [this.#starts[line - 1]!, this.#endOf(line)];
    // What ends a line may be two characters, of which neither has a position of its own.
    const at = Math.min(Math.max(start, from), to);
    return { line, column: at - from + 1, length: Math.max(1, Math.min(end, to) - at) };
  }

  /** Describes what is wrong with what begins at `start` and ends before `end`. */
  problem(message: string, start: number, end?: number): PositionedProblem {
    const position = this.position(start, end);
    const lineText = this.#text.slice(this.#starts[position.line - 1], this.#endOf(position.line));
    return { position, message, lineText };
  }

  /** Tells the offset of a position, whose line and column count from 1. */
  offset(line: number, column: number): number {
    return (this.#starts[line - 1] ?? this.#text.length) + column - 1;
  }

  /** The number of the line that an offset is on. */
  #lineOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }

  /** Where a line ends, before the characters that end it. */
  #endOf(line: number): number {
    const next = this.#starts[line];
    if (next === undefined) return this.#text.length;
    return this.#text[next - 2] === '\r' ? next - 2 : next - 1;
  }
}

/** Counts lines beforehand, because a list that grows takes more memory than a text of short lines. */
function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return lines;
}
