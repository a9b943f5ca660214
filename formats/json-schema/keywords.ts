import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../record.ts';
import type { Pattern, PatternWork } from './pattern.ts';

type Keywords = Readonly<Record<string, unknown>>;

const named: Readonly<Record<string, string>> = {
  null: 'null',
  boolean: 'true or false',
  object: 'a mapping',
  array: 'a list',
  number: 'a number',
  integer: 'a whole number',
  string: 'a text',
};

/** The patterns of a schema, and how much may be searched by them. */
export interface SearchedPatterns {
  readonly all: ReadonlyMap<string, Pattern>;
  readonly work: PatternWork;
}

/** Longest list of values that a message has. */
const SHOWN = 10;

/** Judges a value by the keywords that lead to no other schema, and says what is wrong, without quoting the value. */
export function judgeValue(schema: Keywords, value: unknown, patterns: SearchedPatterns): string[] {
  const { type, enum: allowed } = schema;
  const found: string[] = [];
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as string[];
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    found.push(`has to be ${types.map((one) => named[one]).join(' or ')}, but is ${typeWords(value)}`);
  }
  if (Array.isArray(allowed) && !allowed.some((one) => isDeepStrictEqual(one, value))) {
    const shown = allowed.slice(0, SHOWN).map((one) => JSON.stringify(one));
    found.push(`has to be one of ${shown.join(', ')}${allowed.length > SHOWN ? ' and others' : ''}`);
  }
  if (Object.hasOwn(schema, 'const') && !isDeepStrictEqual(schema['const'], value)) {
    found.push(`has to be ${JSON.stringify(schema['const'])}`);
  }
  if (typeof value === 'number') found.push(...judgeNumber(schema, value));
  if (typeof value === 'string') found.push(...judgeText(schema, value, patterns));
  if (Array.isArray(value)) found.push(...judgeList(schema, value));
  if (isRecord(value)) found.push(...judgeMapping(schema, value));
  return found;
}

/** Reports which type a value is, in words: `a text`, `a whole number`. */
export function typeWords(value: unknown): string {
  const type = ['null', 'boolean', 'integer', 'number', 'string', 'array'].find((one) => isOfType(value, one));
  return named[type ?? 'object']!;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function judgeNumber(schema: Keywords, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema as Record<string, unknown>;
  const found: string[] = [];
  // In draft 4 the exclusive ones say how the others are meant; later they are limits of their own.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  if (typeof minimum === 'number' && value < minimum) found.push(`has to be at least ${minimum}`);
  if (typeof maximum === 'number' && value > maximum) found.push(`has to be at most ${maximum}`);
  if (typeof above === 'number' && value <= above) found.push(`has to be more than ${above}`);
  if (typeof below === 'number' && value >= below) found.push(`has to be less than ${below}`);
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf))
    found.push(`has to be a multiple of ${multipleOf}`);
  return found;
}

/** Whether a number is a multiple of another, as decimals have it: 0.3 is one of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) <= Math.abs(times) * 1e-12;
}

function judgeText(schema: Keywords, value: string, { all, work }: SearchedPatterns): string[] {
  const { pattern } = schema;
  const found = judgeCount(schema, 'Length', [...value].length, 'characters');
  if (typeof pattern === 'string' && !all.get(pattern)!.isIn(value, work)) found.push(`has to match ${pattern}`);
  return found;
}

function judgeList(schema: Keywords, value: readonly unknown[]): string[] {
  const found = judgeCount(schema, 'Items', value.length, 'entries');
  if (schema['uniqueItems'] === true && hasRepeated(value)) found.push('has an entry twice');
  return found;
}

function hasRepeated(values: readonly unknown[]): boolean {
  const seen = new Set<string>();
  return values.some((value) => {
    const text = canonical(value);
    const repeated = seen.has(text);
    seen.add(text);
    return repeated;
  });
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function judgeMapping(schema: Keywords, value: Record<string, unknown>): string[] {
  const required = (schema['required'] ?? []) as readonly string[];
  const missing = required.filter((name) => !Object.hasOwn(value, name)).map((name) => `lacks the field "${name}"`);
  return [...missing, ...judgeCount(schema, 'Properties', Object.keys(value).length, 'fields')];
}

function judgeCount(schema: Keywords, what: string, count: number, words: string): string[] {
  const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
  const found: string[] = [];
  if (typeof least === 'number' && count < least) found.push(`has to have at least ${least} ${words}`);
  if (typeof most === 'number' && count > most) found.push(`has to have at most ${most} ${words}`);
  return found;
}
