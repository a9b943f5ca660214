import type { PositionedProblem } from '../error.ts';
import type { TextLines } from '../text-lines.ts';
import type { Problem } from './problems.ts';

/** Limits how deep fields are looked for: paths of what lies deeper would take the square of its size. */
export const fieldDepth = 32;

/** Says where a field or an entry of a list is in a text, by offsets in UTF-16 code units from 0. */
export interface TextExtent {
  readonly start: number;
  /** Behind its name; the same as `end` for what has none. */
  readonly nameEnd: number;
  /** Behind its value. */
  readonly end: number;
}

/** Maps paths such as `images.0.reference`, which have the numbers of entries between dots, to where the fields are. */
export type FieldExtents = ReadonlyMap<string, TextExtent>;

/**
 * Finds the offsets of what a problem is about, or of the nearest thing around it; undefined stands for the whole
 * document.
 */
export type Locate = (problem: Problem) => { readonly start: number; readonly end: number } | undefined;

/** Puts problems into the order of the document, each at its position, with a message that begins with the field. */
export function locateProblems(lines: TextLines, locate: Locate, problems: readonly Problem[]): PositionedProblem[] {
  return problems
    .map((problem) => ({ ...problem, ...(locate(problem) ?? { start: 0, end: 1 }) }))
    .sort((a, b) => a.start - b.start)
    .map(({ path, message, start, end }) => lines.problem(path ? `${path}: ${message}` : message, start, end));
}

/** Makes the `Locate` that looks problems up among `fields`. */
export function among(fields: FieldExtents): Locate {
  return ({ path, ofName }) => {
    const exact = fields.get(path);
    if (exact && ofName) return { start: exact.start, end: exact.nameEnd };
    return exact ?? around(fields, path);
  };
}

/**
 * The deepest field that `path` leads through. A name may have any number of dots, of which only the first ones are
 * tried.
 */
function around(fields: FieldExtents, path: string): TextExtent | undefined {
  let found: TextExtent | undefined;
  for (let depth = 0, end = path.indexOf('.'); depth < fieldDepth && end >= 0; end = path.indexOf('.', end + 1)) {
    found = fields.get(path.slice(0, end)) ?? found;
    depth += 1;
  }
  return found;
}
