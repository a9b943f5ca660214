import { isRecord } from '../record.ts';

/** A schema: an object of keywords, or whether anything fits. */
export type Schema = boolean | { readonly [keyword: string]: unknown };

/** What the value of a keyword has to be, in words. */
export const shapeWords = {
  schema: 'a schema: an object, true or false',
  schemas: 'a list of schemas',
  map: 'schemas by name',
  items: 'a schema or a list of schemas',
  words: 'a list of texts',
  wordsByName: 'lists of texts by name',
  dependencies: 'schemas or lists of texts by name',
  types: 'a type of JSON, or a list of them',
  list: 'a list',
  count: 'a whole number from 0 on',
  number: 'a number',
  positive: 'a number above 0',
  limit: 'a number, true or false',
  flag: 'true or false',
  text: 'a text',
} as const;

type Shape = keyof typeof shapeWords;

/** The types of JSON Schema. */
export const jsonTypes = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'] as const;

/** What each keyword that judges values has to be (JSON Schema, drafts 4 to 2020-12). */
const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ...named(
    'schema',
    'not',
    'if',
    'then',
    'else',
    'propertyNames',
    'contains',
    'additionalProperties',
    'additionalItems',
  ),
  ...named('schemas', 'allOf', 'anyOf', 'oneOf', 'prefixItems'),
  ...named('map', 'properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'),
  ...named('items', 'items'),
  ...named('words', 'required'),
  ...named('wordsByName', 'dependentRequired'),
  ...named('dependencies', 'dependencies'),
  ...named('types', 'type'),
  ...named('list', 'enum'),
  ...named('count', 'minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'),
  ...named('count', 'minContains', 'maxContains'),
  ...named('number', 'minimum', 'maximum'),
  ...named('positive', 'multipleOf'),
  ...named('limit', 'exclusiveMinimum', 'exclusiveMaximum'),
  ...named('flag', 'uniqueItems'),
  ...named('text', 'pattern', '$ref', '$schema', '$id', '$anchor'),
]);

function named(shape: Shape, ...keywords: readonly string[]): (readonly [string, Shape])[] {
  return keywords.map((keyword) => [keyword, shape] as const);
}

/** Decides whether a value is a schema. */
export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isRecord(value);
}

/** Returns which shape a keyword lacks; undefined where it has it, or is not known. */
export function lackedShape(keyword: string, value: unknown): Shape | undefined {
  const shape = shapes.get(keyword);
  return shape === undefined || tests[shape](value) ? undefined : shape;
}

const tests: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  schema: isSchema,
  schemas: (value) => Array.isArray(value) && value.every(isSchema),
  map: (value) => isRecord(value) && Object.values(value).every(isSchema),
  items: (value) => isSchema(value) || (Array.isArray(value) && value.every(isSchema)),
  words: isWords,
  wordsByName: (value) => isRecord(value) && Object.values(value).every(isWords),
  dependencies: (value) => isRecord(value) && Object.values(value).every((one) => isWords(one) || isSchema(one)),
  types: (value) => (Array.isArray(value) ? value : [value]).every((one) => jsonTypes.some((type) => type === one)),
  list: Array.isArray,
  count: (value) => Number.isInteger(value) && (value as number) >= 0,
  number: (value) => typeof value === 'number',
  positive: (value) => typeof value === 'number' && value > 0,
  limit: (value) => typeof value === 'number' || typeof value === 'boolean',
  flag: (value) => typeof value === 'boolean',
  text: (value) => typeof value === 'string',
};

function isWords(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** A schema within another, and where it is in that. */
interface Subschema {
  readonly schema: Schema;
  readonly place: readonly string[];
}

/** Lists the schemas directly within a schema whose keywords have their shapes. */
export function subschemasOf(schema: Readonly<Record<string, unknown>>): Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]): Subschema[] => {
    const shape = shapes.get(keyword);
    if (shape === 'schema' || (shape === 'items' && !Array.isArray(value))) {
      return [{ schema: value as Schema, place: [keyword] }];
    }
    if (shape !== 'schemas' && shape !== 'map' && shape !== 'items' && shape !== 'dependencies') return [];
    return Object.entries(value as Record<string, unknown>).flatMap(([name, one]) =>
      isSchema(one) ? [{ schema: one, place: [keyword, name] }] : [],
    );
  });
}
