import { isRecord } from '../record.ts';
import { type JsonSchema, resolveReference } from './schema.ts';
import { isSchema, type Schema } from './shapes.ts';

/** A schema within a document. */
export interface PlacedSchema {
  readonly document: JsonSchema;
  readonly schema: Schema;
}

/** How many references and combinations are followed for one field. */
const DEPTH = 16;

/** Lists what schemas say about the field `name` of a value, in whatever form of it; nothing where none of them names it. */
export function fieldSchemas(schemas: readonly PlacedSchema[], name: string): PlacedSchema[] {
  return schemas.flatMap(({ document, schema }) =>
    within(document, schema, name, 0).map((found) => ({ document, schema: found })),
  );
}

function within(document: JsonSchema, schema: Schema, name: string, depth: number): Schema[] {
  if (typeof schema === 'boolean' || depth > DEPTH) return [];
  const {
    $ref,
    properties,
    patternProperties,
    additionalProperties,
    allOf,
    anyOf,
    oneOf,
    then,
    else: otherwise,
  } = schema as Readonly<Record<string, unknown>>;
  const found: Schema[] = [];
  if (isRecord(properties) && Object.hasOwn(properties, name)) found.push(properties[name] as Schema);
  for (const [source, one] of Object.entries(isRecord(patternProperties) ? patternProperties : {})) {
    if (document.patterns.get(source)!.isIn(name)) found.push(one as Schema);
  }
  if (found.length === 0 && isRecord(additionalProperties)) found.push(additionalProperties);
  const referred = typeof $ref === 'string' ? resolveReference(document.root, $ref) : undefined;
  const forms = [referred, then, otherwise, ...[allOf, anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []))];
  return [...found, ...forms.filter(isSchema).flatMap((one) => within(document, one, name, depth + 1))];
}
