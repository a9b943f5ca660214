import type { FileFormat } from '../document/schema-line.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { z } from '../schema.ts';
import { configurationSchema } from '../solution/configuration-schema.ts';
import { definitionSchema } from '../solution/definition-schema.ts';
import { policySchema } from '../trust/policy.ts';

import { type FileSchema, toJsonSchema } from './to-json.ts';

/** The schema that reads each format, and what it is called for people. */
const formats: Readonly<Record<FileFormat, { readonly schema: z.ZodType; readonly title: string }>> = {
  definition: {
    schema: definitionSchema,
    title: 'solution.toml: the definition from which "solpack pack" makes a Solution',
  },
  configuration: {
    schema: configurationSchema,
    title: 'SolutionsConfiguration: archives, and which versions are active',
  },
  policy: {
    schema: policySchema,
    title: 'The policy that says whose signatures count, and what signed Solutions may do',
  },
  profile: { schema: profileSchema, title: 'profile.toml: the settings of a machine' },
};

/**
 * Returns the JSON Schema of files of a format, made of the schema by which solpack reads them. It lacks what only code
 * checks.
 */
export function fileSchema(format: FileFormat): FileSchema {
  const { schema, title } = formats[format];
  const { $schema, ...body } = toJsonSchema(schema);
  return { $schema, title, ...body };
}

/** Writes the JSON Schema of a format as the file that editors read. */
export function fileSchemaText(format: FileFormat): string {
  return `${JSON.stringify(fileSchema(format), null, 2)}\n`;
}
