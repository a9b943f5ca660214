import { isInMinors } from './minors.ts';
import { type FieldPlace, fieldOf, guessAt, isFields, type ReportProblem, valueWords } from './problems.ts';
import { checkScalar } from './scalars.ts';
import { type ApiShape, type ApiType, type FieldShape, typeNamed } from './types.ts';

/**
 * Reports what does not fit a type of the API of this minor version: fields, their types, lists with an entry twice.
 */
export function checkType(type: ApiType, value: unknown, path: FieldPlace, minor: number, report: ReportProblem): void {
  if ('stands' in type) checkShape(type.stands, value, path, minor, report);
  else if (isFields(value)) checkFields(type.fields, value, path, minor, report);
  else report(path, `has to be an object, not ${valueWords(value)}`);
}

function checkFields(
  fields: ReadonlyMap<string, FieldShape>,
  value: Readonly<Record<string, unknown>>,
  path: FieldPlace,
  minor: number,
  report: ReportProblem,
): void {
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.get(name);
    if (!field) {
      report([...path, name], `unknown field${guessAt(name, [...fields.keys()])}`);
    } else if (!isInMinors(minor, field)) {
      const range =
        field.since !== undefined && minor < field.since ? `since 1.${field.since}` : `until 1.${field.until}`;
      report([...path, name], `is a field ${range} only, which Kubernetes 1.${minor} does not know`);
    } else {
      checkShape(field.shape, inner, [...path, name], minor, report);
    }
  }
  for (const [name, { isRequired, ...range }] of fields) {
    if (isRequired && isInMinors(minor, range) && fieldOf(value, name) === undefined) {
      report([...path, name], 'is missing');
    }
  }
}

function checkShape(shape: ApiShape, value: unknown, path: FieldPlace, minor: number, report: ReportProblem): void {
  // Go reads null as what is empty, wherever it stands.
  if (value === null || value === undefined || shape.is === 'anything') return;
  if (shape.is === 'type') {
    const type = typeNamed(shape.name);
    if (type) checkType(type, value, path, minor, report);
  } else if (shape.is === 'list') {
    if (!Array.isArray(value)) report(path, `has to be a list, not ${valueWords(value)}`);
    else checkList(shape, value, path, minor, report);
  } else if (shape.is === 'map' || shape.is === 'object') {
    if (!isFields(value)) report(path, `has to be an object, not ${valueWords(value)}`);
    else if (shape.is === 'map') {
      for (const [key, inner] of Object.entries(value)) checkShape(shape.of, inner, [...path, key], minor, report);
    }
  } else if (shape.is === 'string' && isUnlisted(value, shape.values)) {
    const words = shape.values?.filter((one) => one !== '') ?? [];
    report(path, `has to be one of ${words.join(', ')}${guessAt(String(value), words)}`);
  } else {
    checkScalar(shape, value, path, report);
  }
}

/** Returns whether a text is none of `values`; an empty one stands for what is left out. */
function isUnlisted(value: unknown, values: readonly string[] | undefined): boolean {
  return typeof value === 'string' && value !== '' && values !== undefined && !values.includes(value);
}

/** A list whose entries are of one shape. */
type ListShape = ApiShape & { readonly is: 'list' };

function checkList(
  shape: ListShape,
  value: readonly unknown[],
  path: FieldPlace,
  minor: number,
  report: ReportProblem,
): void {
  for (const [index, inner] of value.entries()) checkShape(shape.of, inner, [...path, index], minor, report);
  if (shape.keys || shape.isSet) checkEntries(shape.keys, value, path, report);
}

/** What server-side apply takes for a key that an entry leaves out. */
const defaults: Readonly<Record<string, string>> = { protocol: 'TCP' };

/** Reports entries that are there twice, in lists where server-side apply tells them apart, by `keys` or as a whole. */
function checkEntries(
  keys: readonly string[] | undefined,
  entries: readonly unknown[],
  path: FieldPlace,
  report: ReportProblem,
): void {
  const seen = new Set<string>();
  for (const [index, entry] of entries.entries()) {
    const parts = keys ? keys.map((key) => fieldOf(entry, key) ?? defaults[key]) : [entry];
    if (parts.some((part) => typeof part !== 'string' && typeof part !== 'number')) continue;
    const identity = JSON.stringify(parts);
    if (seen.has(identity)) {
      const what = keys ? keys.map((key, at) => `${key} ${parts[at]}`).join(' and ') : `${parts[0]}`;
      report([...path, index], `is there twice: ${what}`);
    }
    seen.add(identity);
  }
}
