import { readBy, z } from '../schema.ts';
import { portablePattern } from './portable-pattern.ts';

/** A JSON Schema (draft-07). */
export type FileSchema = { readonly [keyword: string]: unknown };

/** A part of a schema that is being made. */
type Part = Record<string, unknown>;

/**
 * Makes the JSON Schema of what a schema reads, before defaults are filled in. It is of draft-07 and without
 * references: what all editors know.
 */
export function toJsonSchema(schema: z.ZodType): FileSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    target: 'draft-07',
    // What code checks, its schema says by itself.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => refine(zodSchema, jsonSchema as Part),
  }) as FileSchema;
}

function refine(source: object, part: Part): void {
  const later = readBy(source);
  if (later) {
    const { $schema: _, ...inner } = toJsonSchema(later);
    Object.assign(part, inner);
  }
  if (typeof part['pattern'] === 'string') part['pattern'] = portablePattern(part['pattern']);
  const names = part['propertyNames'] as Part | undefined;
  // Every name is a text.
  if (names !== undefined && Object.keys(names).join() === 'type') delete part['propertyNames'];
  flattenForms(part);
  joinNull(part);
}

/** Takes forms of a form for its own. */
function flattenForms(part: Part): void {
  const forms = part['anyOf'] as Part[] | undefined;
  if (forms === undefined) return;
  part['anyOf'] = forms.flatMap((form) => (Object.keys(form).join() === 'anyOf' ? (form['anyOf'] as Part[]) : [form]));
}

/**
 * Lets `null` be one of the types of a value, rather than another value: editors tell better then what is wrong with
 * one.
 */
function joinNull(part: Part): void {
  const forms = part['anyOf'] as Part[] | undefined;
  if (forms?.length !== 2 || forms[1]!['type'] !== 'null' || typeof forms[0]!['type'] !== 'string') return;
  const { type, ...form } = forms[0]!;
  if ('enum' in form || 'const' in form) return;
  delete part['anyOf'];
  Object.assign(part, { ...form, type: [type, 'null'] }, part);
}
