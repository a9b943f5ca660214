import type { PlacedProblem } from '../error.ts';
import type { TextLines } from '../text-lines.ts';
import type { Problem } from './problems.ts';

/** Offsets in a text, in UTF-16 code units from 0, of a field or of an entry of a list. */
export interface TextExtent {
  readonly start: number;
  /** Behind its name; the same as `end` for what has none. */
  readonly nameEnd: number;
  /** Behind its value. */
  readonly end: number;
}

/** Where the fields of a document are, by paths such as `images.0.reference`, with the numbers of entries between dots. */
export type FieldExtents = ReadonlyMap<string, TextExtent>;

/** Tells the offsets of what a problem is about, or of the nearest thing around it; undefined for the whole document. */
export type Locate = (problem: Problem) => { readonly start: number; readonly end: number } | undefined;

/** Puts problems into the order of the document, each at its place, with a message that begins with the field. */
export function placeProblems(lines: TextLines, locate: Locate, problems: readonly Problem[]): PlacedProblem[] {
  return problems
    .map((problem) => ({ ...problem, ...(locate(problem) ?? { start: 0, end: 1 }) }))
    .sort((a, b) => a.start - b.start)
    .map(({ path, message, start, end }) => lines.problem(path ? `${path}: ${message}` : message, start, end));
}

/** Looks problems up among the fields of a document. */
export function among(fields: FieldExtents): Locate {
  return ({ path, ofName }) => {
    const exact = fields.get(path);
    if (exact && ofName) return { start: exact.start, end: exact.nameEnd };
    for (let rest = path; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))) {
      const found = fields.get(rest);
      if (found) return found;
    }
    return undefined;
  };
}
