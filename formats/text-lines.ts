import type { PlacedProblem, Position } from './error.ts';

/** The lines of a text, which tell where an offset in it is. Offsets count UTF-16 code units from 0. */
export class TextLines {
  readonly #text: string;
  /** Where each line begins. */
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The place of what begins at `start` and ends before `end`; offsets outside of the text stand for its ends. */
  position(start: number, end: number = start + 1): Position {
    const at = Math.min(Math.max(start, 0), this.#text.length);
    const line = this.#lineOf(at);
    const rest = this.#endOf(line) - at;
    return { line, column: at - this.#starts[line - 1]! + 1, length: Math.max(1, Math.min(end - at, rest)) };
  }

  /** What is wrong with what begins at `start` and ends before `end`. */
  problem(message: string, start: number, end?: number): PlacedProblem {
    const position = this.position(start, end);
    const lineText = this.#text.slice(this.#starts[position.line - 1], this.#endOf(position.line));
    return { position, message, lineText };
  }

  /** The offset of a place, whose line and column count from 1. */
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
    const end = next === undefined ? this.#text.length : next - 1;
    return this.#text[end - 1] === '\r' && end > this.#starts[line - 1]! ? end - 1 : end;
  }
}
