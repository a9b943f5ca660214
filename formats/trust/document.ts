import { text } from '../bytes.ts';
import { among, locateProblems } from '../document/fields.ts';
import { locateJson } from '../document/json-fields.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { PositionedError, type PositionedProblem } from '../error.ts';
import type { z } from '../schema.ts';
import { judged } from '../schema-words.ts';
import { TextLines } from '../text-lines.ts';

/** Names the errors about documents of either type. */
type DocumentCode = 'policy-invalid' | 'mend-invalid';

/** Describes a type of document. */
export interface DocumentShape<T> {
  /** The code of errors about such a document. */
  readonly code: DocumentCode;
  readonly schema: z.ZodType<T>;
  /** The names of fields, by the list or the field that has them; '' is the document itself. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Finds what is wrong with a document that has the shape of the schema. */
  readonly problems: (value: T) => readonly Problem[];
}

/**
 * Reads a document in TOML or JSON. Throws `PositionedError` of `code` with position and field of all that is wrong.
 */
export function readDocument<T>(bytes: Uint8Array, { code, schema, fields, problems }: DocumentShape<T>): T {
  const { value, language, locate } = sourceOf(bytes, code);
  const parsed = judged(schema, value, language, true);
  if (!parsed.success) {
    const found = problemsOf(parsed.error, (path) => fields[path.replace(/\.\d+/, '')] ?? []);
    throw new PositionedError(code, locate(found));
  }
  const wrong = problems(parsed.data);
  if (wrong.length > 0) throw new PositionedError(code, locate(wrong));
  return parsed.data;
}

/**
 * Reads the field `type` of a document; undefined if it has none. Throws `PositionedError` of `code` for what cannot be
 * parsed.
 */
export function typeOfDocument(bytes: Uint8Array, code: DocumentCode): unknown {
  const { value } = sourceOf(bytes, code);
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}

interface Source {
  readonly value: unknown;
  readonly language: 'TOML' | 'JSON';
  readonly locate: (problems: readonly Problem[]) => PositionedProblem[];
}

function sourceOf(bytes: Uint8Array, code: DocumentCode): Source {
  const source = text(bytes, code);
  return /^\s*\{/.test(source) ? readJson(source, code) : readToml(source, code);
}

function readToml(source: string, code: DocumentCode): Source {
  const value = parseToml(source, code);
  const locate = (problems: readonly Problem[]): PositionedProblem[] =>
    locateProblems(new TextLines(source), among(locateToml(source)), problems);
  return { value, language: 'TOML', locate };
}

function readJson(source: string, code: DocumentCode): Source {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    const offset = /position (\d+)/.exec(String(cause))?.[1];
    const at = offset === undefined ? source.length : Number(offset);
    throw new PositionedError(code, [new TextLines(source).problem('is not JSON from here on', at)], { cause });
  }
  const { fields, repeated } = locateJson(source);
  const locate = (problems: readonly Problem[]): PositionedProblem[] =>
    locateProblems(new TextLines(source), among(fields), problems);
  if (repeated.length === 0) return { value, language: 'JSON', locate };
  throw new PositionedError(code, locate(repeated.map((path) => ({ path, message: 'is there twice', ofName: true }))));
}
