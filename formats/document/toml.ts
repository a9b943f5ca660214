import { parse } from '@iarna/toml';
import { text } from '../bytes.ts';
import { type FormatCode, PlacedError } from '../error.ts';
import { firstProblem, shortened } from '../json.ts';
import type { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';
import { among, placeProblems } from './places.ts';
import { locateToml } from './toml-places.ts';

/** How deep a document may nest. Those of this project need four. */
const DEPTH = 32;

/**
 * Parses TOML. Throws `PlacedError` of `code`, also for a table or a key that is there twice (TOML 1.0.0, "Keys"), and for
 * what nests deeper than anybody needs.
 */
export function parseToml(source: string, code: FormatCode): unknown {
  let value: unknown;
  try {
    value = parse(source);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const { line, col } = cause as { line?: unknown; col?: unknown };
    const lines = new TextLines(source);
    const at = typeof line === 'number' && typeof col === 'number' ? lines.offset(line + 1, col + 1) : 0;
    const message = cause.message.split('\n')[0]!.split(' at row ')[0]!;
    throw new PlacedError(code, [lines.problem(message, at)], { cause });
  }
  if (depthOver(value)) {
    throw new PlacedError(code, [new TextLines(source).problem(`nests deeper than ${DEPTH} levels`, 0)]);
  }
  return value;
}

/** Parses `bytes` as TOML and checks the value against `schema`. Throws `FormatError` `toml-invalid` with place and field. */
export function decodeToml<T>(bytes: Uint8Array, schema: z.ZodType<T>, what: string): T {
  const source = text(bytes, 'toml-invalid');
  const result = schema.safeParse(parseToml(source, 'toml-invalid'));
  if (result.success) return result.data;
  const problems = placeProblems(new TextLines(source), among(locateToml(source)), [firstProblem(result.error)]);
  throw new PlacedError(
    'toml-invalid',
    problems.map((problem) => ({ ...problem, message: `${what}: ${shortened(problem.message)}` })),
  );
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
