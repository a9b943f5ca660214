import { text } from '../bytes.ts';
import { FormatError } from '../error.ts';
import type { z } from '../schema.ts';
import { type Problem, problemsOf } from '../solution/problems.ts';
import { locateProblems, parseToml, placeProblems } from '../solution/toml.ts';
import { locateJson } from './json-positions.ts';

/** Codes of documents that are not what they have to be. */
type DocumentCode = 'policy-invalid' | 'mend-invalid';

/** What a document has to be. */
export interface DocumentShape<T> {
  /** Of the errors about it. */
  readonly code: DocumentCode;
  readonly schema: z.ZodType<T>;
  /** Fields that there are, by the list or the field that has them; '' is the document itself. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** What is wrong with one that has the shape of the schema. */
  readonly problems: (value: T) => readonly Problem[];
}

/** Reads a document in TOML or JSON. Throws `FormatError` of `code` with line, column and field of all that is wrong. */
export function readDocument<T>(bytes: Uint8Array, { code, schema, fields, problems }: DocumentShape<T>): T {
  const { value, place } = sourceOf(bytes, code);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    throw invalid(code, place(problemsOf(parsed.error, (path) => fields[path.replace(/\.\d+/, '')] ?? [])));
  }
  const wrong = problems(parsed.data);
  if (wrong.length > 0) throw invalid(code, place(wrong));
  return parsed.data;
}

/** The field `type` of a document, which tells what it is; undefined where it has none. Throws as `readDocument` does. */
export function typeOfDocument(bytes: Uint8Array, code: DocumentCode): unknown {
  const { value } = sourceOf(bytes, code);
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}

interface Source {
  readonly value: unknown;
  readonly place: (problems: readonly Problem[]) => string[];
}

function sourceOf(bytes: Uint8Array, code: DocumentCode): Source {
  const source = text(bytes, code);
  return /^\s*\{/.test(source) ? readJson(source, code) : readToml(source, code);
}

function readToml(source: string, code: DocumentCode): Source {
  const value = parseToml(source, (problem) => invalid(code, [problem]));
  return { value, place: (problems) => locateProblems(source, problems) };
}

function readJson(source: string, code: DocumentCode): Source {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    const offset = /position (\d+)/.exec(String(cause))?.[1];
    const before = source.slice(0, offset === undefined ? source.length : Number(offset)).split('\n');
    throw invalid(code, [`${before.length}:${before.at(-1)!.length + 1}: is not JSON from here on`], cause);
  }
  const { keys, repeated } = locateJson(source);
  const place = (problems: readonly Problem[]): string[] => placeProblems(keys, problems);
  if (repeated.length > 0) throw invalid(code, place(repeated.map((path) => ({ path, message: 'is there twice' }))));
  return { value, place };
}

function invalid(code: DocumentCode, problems: readonly string[], cause?: unknown): FormatError {
  return new FormatError(code, problems.join('; '), { cause });
}
