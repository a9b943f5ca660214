import type { z } from 'zod';
import { isRecord } from './record.ts';

/** The language of a document: each has a word of its own for what has fields. */
export type DocumentLanguage = 'TOML' | 'YAML' | 'JSON';

/** What a schema finds wrong, as it is known where the words for it are made. */
type Fault = z.core.$ZodRawIssue;

const fieldsWords: Readonly<Record<DocumentLanguage, string>> = {
  TOML: 'a table',
  YAML: 'a mapping',
  JSON: 'an object',
};

const PROTO = '__proto__';

const BE = 'has to be ';
const BUT = ', but is ';

/** Begins what is said of a field that is not there. */
export const MISSING = 'is missing';

/** The same for a part of what a form of several wants: its messages are made already. */
interface FormFault {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Judges a value of a document by a schema. What is wrong is said in words for whoever wrote the document: what has to
 * be there, and what is there instead, without quoting more of it than a word that is none of those that are allowed.
 * `isByHand`: a person writes it, and its texts may become paths or variables, which cannot have a NUL character.
 */
export function judged<T>(
  schema: z.ZodType<T>,
  value: unknown,
  language: DocumentLanguage,
  isByHand: boolean = language !== 'JSON',
): z.ZodSafeParseResult<T> {
  const result = schema.safeParse(value, { reportInput: true, error: (fault) => faultWords(fault, language) });
  const slip = result.success && isByHand ? slipIn(value, result.data) : undefined;
  if (slip === undefined) return result;
  const { path, message: error } = slip;
  return schema.refine(() => false, { error, path: [...path] }).safeParse(value, { reportInput: true });
}

interface Slip {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Finds what no schema reports: a field `__proto__`, which a table of any names leaves out without a word, and a text
 * with a NUL character. What a schema passes on as it is belongs to somebody else, as the values of a chart do.
 */
function slipIn(value: unknown, accepted: unknown): Slip | undefined {
  if (typeof value === 'string') {
    return value.includes('\0') ? { path: [], message: 'has a NUL character, which cannot stand here' } : undefined;
  }
  if (value === accepted) return undefined;
  if (Array.isArray(value) && Array.isArray(accepted)) return slipAmong(value.entries(), (index) => accepted[index]);
  if (!isRecord(value) || !isRecord(accepted)) return undefined;
  if (Object.hasOwn(value, PROTO) && !Object.hasOwn(accepted, PROTO)) {
    return { path: [PROTO], message: 'is not a name that anything may have' };
  }
  return slipAmong(Object.entries(value), (name) => accepted[name]);
}

function slipAmong<Step extends PropertyKey>(
  parts: Iterable<readonly [Step, unknown]>,
  acceptedAt: (step: Step) => unknown,
): Slip | undefined {
  for (const [step, part] of parts) {
    const below = slipIn(part, acceptedAt(step));
    if (below !== undefined) return { ...below, path: [step, ...below.path] };
  }
  return undefined;
}

/**
 * Finds what is wrong by the form, of several that a value may have, that it fits best: one of its kind, and then one
 * that is wrong deeper inside. Undefined where it is of no kind that any of them wants.
 */
export function nearestForm<T extends FormFault>(forms: readonly (readonly T[])[]): readonly T[] | undefined {
  const depth = (faults: readonly T[]): number => Math.max(0, ...faults.map(({ path }) => path.length));
  const isOther = ({ code, path }: T): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  return forms.filter((faults) => !faults.some(isOther)).sort((a, b) => depth(b) - depth(a))[0];
}

/** Says what is wrong: what has to be there, and what is there. */
function faultWords(fault: Fault, language: DocumentLanguage): string {
  if (fault.input === undefined) {
    return fault.code === 'invalid_value' ? `${MISSING}: it has to be ${choiceWords(fault.values)}` : MISSING;
  }
  switch (fault.code) {
    case 'invalid_type':
      return typeFault(String(fault.expected), fault.input, language);
    case 'invalid_value':
      return `has to be ${choiceWords(fault.values)}, but is ${valueWords(fault.input, language)}`;
    case 'unrecognized_keys':
      return `has ${fault.keys.length === 1 ? 'a field' : 'fields'} that are unknown: ${fault.keys.map(quoted).join(', ')}`;
    case 'too_small':
      return boundWords(fault.origin, 'at least', fault.minimum, fault.inclusive);
    case 'too_big':
      return boundWords(fault.origin, 'at most', fault.maximum, fault.inclusive);
    case 'invalid_key':
      return fault.issues.map(({ message }) => message).join('; ');
    case 'invalid_union':
      return formWords(fault.errors as readonly (readonly FormFault[])[]);
    default:
      return 'does not have the required form';
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  date: 'a date',
  null: 'null',
};

function typeFault(expected: string, input: unknown, language: DocumentLanguage): string {
  const wanted = typeWords[expected] ?? fieldsWords[language];
  const isBare = ['number', 'bigint', 'boolean'].includes(typeof input) || input instanceof Date;
  // Who writes 1.0 means a version, and YAML and TOML take it for a number.
  const quotes = expected === 'string' && isBare && language !== 'JSON' ? ': put it in quotes' : '';
  return `has to be ${wanted}, but is ${kindWords(input, language)}${quotes}`;
}

/** Reports which kind a value is. */
function kindWords(value: unknown, language: DocumentLanguage): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Date) return 'a date';
  if (typeof value === 'boolean') return `${value}`;
  if (typeof value === 'number' && Number.isNaN(value)) return 'no number';
  return typeof value === 'object' ? fieldsWords[language] : (typeWords[typeof value] ?? 'something else');
}

/** Quotes no more than a short text: a long one is no slip of the pen. */
function valueWords(value: unknown, language: DocumentLanguage): string {
  if (typeof value === 'string' && value.length <= 40) return quoted(value);
  return typeof value === 'number' && !Number.isNaN(value) ? `${value}` : kindWords(value, language);
}

function choiceWords(values: readonly unknown[]): string {
  const words = values.map(String);
  return words.length === 1 ? words[0]! : `one of ${words.join(', ')}`;
}

function boundWords(origin: string, bound: string, limit: number | bigint, inclusive: boolean | undefined): string {
  if (origin === 'string' || origin === 'array') {
    const noun = origin === 'string' ? ['character', 'characters'] : ['entry', 'entries'];
    if (bound === 'at least' && Number(limit) === 1) return 'must not be empty';
    return `has to have ${bound} ${limit} ${Number(limit) === 1 ? noun[0] : noun[1]}`;
  }
  if (inclusive === false) return `has to be ${bound === 'at least' ? 'more' : 'less'} than ${limit}`;
  return `has to be ${bound} ${limit}`;
}

function formWords(forms: readonly (readonly FormFault[])[]): string {
  const best = nearestForm(forms);
  if (best !== undefined) {
    return best
      .map(({ path, message }) => [...(path.length > 0 ? [path.map(String).join('.')] : []), message].join(': '))
      .join('; ');
  }
  const wanted = [...new Set(forms.flatMap((faults) => faults.map(({ message }) => message)))];
  const [first = 'is of an unknown kind', ...more] = wanted;
  const others = more.map((message) => message.slice(0, Math.max(0, message.indexOf(BUT))));
  if (!wanted.every((message) => message.startsWith(BE) && message.includes(BUT))) return wanted.join(', or ') || first;
  const at = first.indexOf(BUT);
  return [first.slice(0, at), ...others.map((message) => message.slice(BE.length))].join(' or ') + first.slice(at);
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
