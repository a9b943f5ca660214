import { z } from 'zod';
import { jsonSchemas } from '../../cli/view/json.ts';
import { eventSchema } from '../../cli/view/json-events.ts';

/** A JSON Schema, or a part of one. */
export type SchemaPart = { readonly [keyword: string]: unknown };

/** Returns the schema of everything that commands print for programs, by name, as `docs/schemas/` has it. */
export function schemaDocuments(): Readonly<Record<string, SchemaPart>> {
  const named = Object.entries(jsonSchemas).map(([name, schema]) => [
    name,
    documentOf(name, `What "solpack ${name} --json" prints`, schema),
  ]);
  const events = documentOf('events', 'A line of "--progress json", and of the file of "--log-file"', eventSchema);
  return Object.fromEntries([...named, ['events', events]]);
}

function documentOf(name: string, title: string, schema: z.ZodType): SchemaPart {
  // As of input: an object of the output would forbid all fields but its own, and later releases add some.
  const { $schema, ...body } = z.toJSONSchema(schema, { io: 'input' });
  return { $schema, $id: `urn:solpack:schema:${name}:${versionOf(name, body)}`, title, ...body };
}

/** The one `schemaVersion` that every form of an output has. */
function versionOf(name: string, body: SchemaPart): number {
  const forms = (body['anyOf'] ?? body['oneOf'] ?? [body]) as readonly SchemaPart[];
  const versions = new Set(
    forms.map(({ properties }) => (properties as Record<string, SchemaPart>)?.['schemaVersion']?.['const']),
  );
  const [version] = versions;
  if (versions.size !== 1 || typeof version !== 'number') throw new Error(`${name} has no one schemaVersion`);
  return version;
}
