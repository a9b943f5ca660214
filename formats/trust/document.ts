import { text } from '../bytes.ts';
import { locateJson } from '../document/json-places.ts';
import { among, placeProblems } from '../document/places.ts';
import { type Problem, problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-places.ts';
import { PlacedError, type PlacedProblem } from '../error.ts';
import type { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';

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

/** Reads a document in TOML or JSON. Throws `PlacedError` of `code` with place and field of all that is wrong. */
export function readDocument<T>(bytes: Uint8Array, { code, schema, fields, problems }: DocumentShape<T>): T {
  const { value, place } = sourceOf(bytes, code);
  const parsed = schema.safeParse(value, { reportInput: true });
  if (!parsed.success) {
    const found = problemsOf(parsed.error, (path) => fields[path.replace(/\.\d+/, '')] ?? []);
    throw new PlacedError(code, place(found));
  }
  const wrong = problems(parsed.data);
  if (wrong.length > 0) throw new PlacedError(code, place(wrong));
  return parsed.data;
}

/** The field `type` of a document, which tells what it is; undefined where it has none. Throws as `readDocument` does. */
export function typeOfDocument(bytes: Uint8Array, code: DocumentCode): unknown {
  const { value } = sourceOf(bytes, code);
  return typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined;
}

interface Source {
  readonly value: unknown;
  readonly place: (problems: readonly Problem[]) => PlacedProblem[];
}

function sourceOf(bytes: Uint8Array, code: DocumentCode): Source {
  const source = text(bytes, code);
  return /^\s*\{/.test(source) ? readJson(source, code) : readToml(source, code);
}

function readToml(source: string, code: DocumentCode): Source {
  const value = parseToml(source, code);
  return { value, place: (problems) => placeProblems(new TextLines(source), among(locateToml(source)), problems) };
}

function readJson(source: string, code: DocumentCode): Source {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (cause) {
    const offset = /position (\d+)/.exec(String(cause))?.[1];
    const at = offset === undefined ? source.length : Number(offset);
    throw new PlacedError(code, [new TextLines(source).problem('is not JSON from here on', at)], { cause });
  }
  const { fields, repeated } = locateJson(source);
  const place = (problems: readonly Problem[]): PlacedProblem[] =>
    placeProblems(new TextLines(source), among(fields), problems);
  if (repeated.length === 0) return { value, place };
  throw new PlacedError(code, place(repeated.map((path) => ({ path, message: 'is there twice', ofName: true }))));
}
