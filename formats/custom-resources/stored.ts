import { FormatError } from '../error.ts';
import { encodeJson } from '../json.ts';
import { Pattern } from '../json-schema/pattern.ts';
import { PatternError } from '../json-schema/pattern-syntax.ts';
import { type JsonSchema, parseSchema } from '../json-schema/schema.ts';
import { violationsOf } from '../json-schema/validate.ts';
import { checkCustom } from '../kubernetes/custom.ts';
import { fieldPlaceWords, isFields } from '../kubernetes/problems.ts';

/** What is wrong with a stored object by another schema than the one that it was stored by. */
export interface StoredProblem {
  /** Names of fields and numbers of entries, with dots between; '' is the object itself. */
  readonly path: string;
  readonly message: string;
  /** Whether the object stays valid, and what is stored at the place is dropped. */
  readonly isDropped: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Keywords that hold for the values of any structural schema, beside those that `checkCustom` judges. */
const limiting = [
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
] as const;
/** Keywords whose schemas only limit values; they may require fields, and list values. */
const combining = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/**
 * Makes what judges stored objects by the structural schema of a newer CustomResourceDefinition
 * (apiextensions.k8s.io/v1, `openAPIV3Schema`): types, required fields, enumerations, patterns and limits. Rules of CEL
 * and formats are left to the server, and so are patterns that only its engine understands. It never quotes a value.
 */
export function judgeStored(schema: Fields): (object: Fields) => StoredProblem[] {
  const limits = limitsOf(schema);
  return (object) => {
    const found: StoredProblem[] = [];
    checkCustom(
      schema,
      object,
      [],
      (path, message) =>
        found.push({
          path: fieldPlaceWords(path),
          message: withoutGuess(message),
          isDropped: message.startsWith('unknown field'),
        }),
      true,
    );
    const known = new Set(found.map(({ path }) => path));
    const beyond = limits === undefined ? [] : violations(limits, object);
    return [...found, ...beyond.filter(({ path }) => !known.has(path))];
  };
}

/** Nobody has mistyped what is stored. */
function withoutGuess(message: string): string {
  const at = message.indexOf('; did you mean');
  return at < 0 ? message : message.slice(0, at);
}

function violations(limits: JsonSchema, object: Fields): StoredProblem[] {
  try {
    return violationsOf(limits, object).map(({ path, message }) => {
      return { path: path.join('.'), message, isDropped: false };
    });
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}

/** Undefined where the schema is none that the server would take. */
function limitsOf(schema: Fields): JsonSchema | undefined {
  try {
    return parseSchema(encodeJson(limited(schema, false)), 'openAPIV3Schema');
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

/** Leaves of a schema what limits values; within a combination, everything. */
function limited(schema: unknown, isCombined: boolean): unknown {
  if (!isFields(schema)) return schema;
  const own = [...limiting, ...(isCombined ? ['type', 'enum', 'required'] : [])].filter((name) =>
    isUsable(schema, name),
  );
  const kept = own.map((name) => [name, schema[name]] as const);
  const inner = (one: unknown): unknown => limited(one, isCombined);
  const parts: (readonly [string, unknown])[] = [];
  if (isFields(schema['properties'])) {
    parts.push([
      'properties',
      Object.fromEntries(Object.entries(schema['properties']).map(([k, one]) => [k, inner(one)])),
    ]);
  }
  for (const name of ['items', 'additionalProperties'] as const) {
    if (isFields(schema[name])) parts.push([name, inner(schema[name])]);
  }
  for (const name of combining) {
    const value = schema[name];
    const one = (each: unknown): unknown => limited(each, true);
    if (Array.isArray(value)) parts.push([name, value.map(one)]);
    else if (isFields(value)) parts.push([name, one(value)]);
  }
  return Object.fromEntries([...kept, ...parts]);
}

function isUsable(schema: Fields, name: string): boolean {
  const value = schema[name];
  if (value === undefined || value === null) return false;
  if (name !== 'pattern') return true;
  try {
    return typeof value === 'string' && new Pattern(value).size >= 0;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}
