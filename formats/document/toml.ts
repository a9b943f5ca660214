import { parse } from '@iarna/toml';
import { text } from '../bytes.ts';
import { type FormatCode, PositionedError } from '../error.ts';
import { firstProblem, reasonWords } from '../json.ts';
import type { z } from '../schema.ts';
import { judged } from '../schema-words.ts';
import { TextLines } from '../text-lines.ts';
import { among, fieldDepth, locateProblems } from './fields.ts';
import { locateToml } from './toml-fields.ts';
import { tomlWords } from './toml-words.ts';

/**
 * Parses TOML. A line break is one character in what it returns, whichever way the text writes it. Throws
 * `PositionedError` of `code`, also for a table or a key that is there twice (TOML 1.0.0, "Keys"), and for what nests
 * deeper, or has more tables, than anybody needs.
 */
export function parseToml(source: string, code: FormatCode): unknown {
  const many = tablesOver(source);
  if (many !== undefined) {
    throw new PositionedError(code, [new TextLines(source).problem(`more than ${TABLES} tables`, many)]);
  }
  let value: unknown;
  try {
    // The parser refuses the carriage return at the end of a comment. Nothing else of a line has another column without
    // it.
    value = parse(source.replaceAll('\r\n', '\n'));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const { line, col } = cause as { line?: unknown; col?: unknown };
    const lines = new TextLines(source);
    // The parser counts the columns of the first line from 1, and all others from 0.
    const at =
      typeof line === 'number' && typeof col === 'number' ? lines.offset(line + 1, line === 0 ? col : col + 1) : 0;
    const message = tomlWords(cause.message.split('\n')[0]!.split(' at row ')[0]!);
    throw new PositionedError(code, [lines.problem(message, at)], { cause });
  }
  if (depthOver(value)) {
    throw new PositionedError(code, [new TextLines(source).problem(`nests deeper than ${fieldDepth} levels`, 0)]);
  }
  return value;
}

/**
 * Parses `bytes` as TOML and checks the value against `schema`. Throws `FormatError` `toml-invalid` with position and
 * field.
 */
export function decodeToml<T>(bytes: Uint8Array, schema: z.ZodType<T>, what: string): T {
  const source = text(bytes, 'toml-invalid');
  const result = judged(schema, parseToml(source, 'toml-invalid'), 'TOML');
  if (result.success) return result.data;
  const problems = locateProblems(new TextLines(source), among(locateToml(source)), [firstProblem(result.error)]);
  throw new PositionedError(
    'toml-invalid',
    problems.map((problem) => ({ ...problem, message: `${what}: ${reasonWords(problem.message)}` })),
  );
}

/** Most tables of a text: the parser takes a second for ten thousands. */
const TABLES = 20_000;

/**
 * Where a text begins a table too many; undefined where it does not. A line within an array counts as well if it begins
 * like one.
 */
function tablesOver(source: string): number | undefined {
  const opening = /^[ \t]*\[/gm;
  for (let count = 1; opening.test(source); count += 1) if (count > TABLES) return opening.lastIndex - 1;
  return undefined;
}

/** Whether a value nests deeper than `fieldDepth`; found without recursion, which depth could exhaust. */
function depthOver(value: unknown): boolean {
  const waiting: [unknown, number][] = [[value, 0]];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [one, depth] = next;
    if (typeof one !== 'object' || one === null || one instanceof Date) continue;
    if (depth > fieldDepth) return true;
    for (const inner of Object.values(one)) waiting.push([inner, depth + 1]);
  }
  return false;
}
