import { exactJson } from '../exact-json.ts';
import { type FieldPlace, fieldOf, guessAt, isFields, type ReportProblem, valueWords } from './problems.ts';
import { isApiInteger, isApiNumber } from './scalars.ts';

/** A node of an OpenAPI schema of a CustomResourceDefinition. */
type Schema = Readonly<Record<string, unknown>>;

/** Fields that every object and every embedded resource has. */
const common = ['apiVersion', 'kind', 'metadata'];

/**
 * Reports what does not fit the schema of a custom resource: types, required and unknown fields, values of enumerations
 * (apiextensions.k8s.io/v1, `JSONSchemaProps`). What needs more of JSON Schema than that counts as fitting.
 */
export function checkCustom(
  schema: Schema,
  value: unknown,
  path: FieldPlace,
  report: ReportProblem,
  isRoot: boolean = false,
): void {
  if (value === undefined || (value === null && (takesNull(schema) || isRoot))) return;
  const type = typeOf(schema);
  if (type !== undefined && !fits(type, value)) {
    report(path, `has to be ${typeWords[type] ?? type}, not ${valueWords(value)}`);
    return;
  }
  const values = schema['enum'];
  if (Array.isArray(values) && !values.some((one) => same(one, value))) {
    const words = values.filter((one) => typeof one === 'string' && one !== '') as string[];
    const guess = typeof value === 'string' ? guessAt(value, words) : '';
    report(path, `has to be one of ${values.map(wordsOf).join(', ')}${guess}`);
  }
  if (isFields(value)) checkFields(schema, value, path, report, isRoot);
  if (Array.isArray(value) && isFields(schema['items'])) {
    for (const [index, entry] of value.entries()) checkCustom(schema['items'], entry, [...path, index], report);
  }
}

function checkFields(schema: Schema, value: Schema, path: FieldPlace, report: ReportProblem, isRoot: boolean): void {
  const properties = isFields(schema['properties']) ? schema['properties'] : {};
  const others = schema['additionalProperties'];
  const isEmbedded = isRoot || schema['x-kubernetes-embedded-resource'] === true;
  const isOpen =
    schema['x-kubernetes-preserve-unknown-fields'] === true ||
    others === true ||
    (schema['type'] === undefined && !isRoot);
  for (const [name, inner] of Object.entries(value)) {
    if (isEmbedded && common.includes(name)) continue;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (isFields(property)) checkCustom(property, inner, [...path, name], report);
    else if (isFields(others)) checkCustom(others, inner, [...path, name], report);
    else if (property === undefined && !isOpen) {
      report(
        [...path, name],
        `unknown field${guessAt(name, [...Object.keys(properties), ...(isEmbedded ? common : [])])}`,
      );
    }
  }
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  for (const name of required) {
    if (typeof name !== 'string' || Object.hasOwn(value, name)) continue;
    // What has a default is filled in before anything is checked.
    if (fieldOf(fieldOf(properties, name), 'default') === undefined) report([...path, name], 'is missing');
  }
}

/** Whether null is taken, or dropped for what is the default. */
function takesNull(schema: Schema): boolean {
  return schema['nullable'] === true || schema['default'] !== undefined || typeof schema['type'] !== 'string';
}

function typeOf(schema: Schema): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  return typeof schema['type'] === 'string' && schema['type'] !== '' ? schema['type'] : undefined;
}

const typeWords: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  'integer or string': 'an integer or a string',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

function fits(type: string, value: unknown): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isFields(value);
    case 'integer':
      return isApiInteger(value);
    case 'integer or string':
      return typeof value === 'string' || isApiInteger(value);
    case 'number':
      return isApiNumber(value);
    case 'boolean':
    case 'string':
      return typeof value === type;
    default:
      return true;
  }
}

/** Compares values of JSON; what is no scalar counts as the same. */
function same(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && one !== null && typeof other === 'object');
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : exactJson(value);
}
