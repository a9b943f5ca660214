import { parse } from '@iarna/toml';
import { locateKeys, type Position } from './positions.ts';
import type { Problem } from './problems.ts';

/** How deep a document may nest. Those of this project need four. */
const DEPTH = 32;

/** Where things stand in a document, by path such as `images.0.reference`. */
export type Positions = ReadonlyMap<string, Position>;

/**
 * Parses TOML. What is wrong is told to `refuse`, as `line:column: words`, whose error is thrown; a table or key that is
 * there twice is wrong (TOML 1.0.0, "Keys").
 */
export function parseToml(source: string, refuse: (problem: string) => Error): unknown {
  let value: unknown;
  try {
    value = parse(source);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const { line, col } = cause as { line?: unknown; col?: unknown };
    const place = typeof line === 'number' && typeof col === 'number' ? `${line + 1}:${col + 1}: ` : '';
    throw refuse(`${place}${cause.message.split('\n')[0]!.split(' at row ')[0]}`);
  }
  if (depthOver(value)) throw refuse(`1:1: nests deeper than ${DEPTH} levels`);
  return value;
}

/** Problems of a TOML document as lines `line:column: field: words`, in the order of the document. */
export function locateProblems(source: string, problems: readonly Problem[]): string[] {
  return placeProblems(locateKeys(source), problems);
}

/** Problems as lines `line:column: field: words`, each at its field or at the nearest thing around it. */
export function placeProblems(keys: Positions, problems: readonly Problem[]): string[] {
  const at = (path: string): Position => {
    for (let rest = path; rest !== ''; rest = rest.slice(0, Math.max(0, rest.lastIndexOf('.')))) {
      const position = keys.get(rest);
      if (position) return position;
    }
    return { line: 1, column: 1 };
  };
  const lines = problems.map(({ path, message }) => {
    const { line, column } = at(path);
    return { line, column, words: `${line}:${column}: ${path ? `${path}: ` : ''}${message}` };
  });
  lines.sort((a, b) => a.line - b.line || a.column - b.column);
  return lines.map(({ words }) => words);
}

/** Whether a value nests deeper than `DEPTH`; found without recursion, which depth could exhaust. */
function depthOver(value: unknown): boolean {
  const waiting: [unknown, number][] = [[value, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [one, depth] = next;
    if (typeof one !== 'object' || one === null || one instanceof Date) continue;
    if (depth > DEPTH) return true;
    for (const inner of Object.values(one)) waiting.push([inner, depth + 1]);
  }
  return false;
}
