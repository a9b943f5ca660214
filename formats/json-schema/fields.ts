import { isRecord } from '../record.ts';
import type { Pattern, PatternWork } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';
import { type JsonSchema, resolveReference } from './schema.ts';
import { isSchema, type Schema } from './shapes.ts';

/** A schema within a document. */
export interface PlacedSchema {
  readonly document: JsonSchema;
  readonly schema: Schema;
}

/** How many references and combinations are followed for one field. */
const DEPTH = 16;

/** How much patterns search in a name, in characters times instructions. */
const SEARCHED = 1_000_000;

/**
 * Lists what schemas say about the field `name` of a value, in whatever form of it; nothing where none of them names
 * it.
 */
export function fieldSchemas(schemas: readonly PlacedSchema[], name: string): PlacedSchema[] {
  return schemas.flatMap(({ document, schema }) => {
    const asking: Asking = { document, name, asked: new Set(), work: { left: SEARCHED } };
    return within(asking, schema, 0).map((found) => ({ document, schema: found }));
  });
}

interface Asking {
  readonly document: JsonSchema;
  readonly name: string;
  /** The schemas that were asked: in a document that refers to itself, there are ways without end to each. */
  readonly asked: Set<Schema>;
  readonly work: PatternWork;
}

function within(asking: Asking, schema: Schema, depth: number): Schema[] {
  const { document, name, asked } = asking;
  if (typeof schema === 'boolean' || depth > DEPTH || asked.has(schema)) return [];
  asked.add(schema);
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
    if (mayMatch(document.patterns.get(source)!, asking)) found.push(one as Schema);
  }
  if (found.length === 0 && isRecord(additionalProperties)) found.push(additionalProperties);
  const referred = typeof $ref === 'string' ? resolveReference(document.root, $ref) : undefined;
  const forms = [referred, then, otherwise, ...[allOf, anyOf, oneOf].flatMap((one) => (Array.isArray(one) ? one : []))];
  return [...found, ...forms.filter(isSchema).flatMap((one) => within(asking, one, depth + 1))];
}

/** A pattern that would take too long may match: then nobody is informed that the field is unknown. */
function mayMatch(pattern: Pattern, { name, work }: Asking): boolean {
  try {
    return pattern.isIn(name, work);
  } catch (error) {
    if (error instanceof PatternError) return true;
    throw error;
  }
}
