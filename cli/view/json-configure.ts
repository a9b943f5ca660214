import { z } from 'zod';

const version = z.literal(1).describe('of this schema; fields may be added without raising it');
const edited = {
  schemaVersion: version,
  configuration: z.string().describe('the SolutionsConfiguration'),
  form: z.enum(['grouped', 'flat']).describe('by Solutions, or as MetalK8s ships it'),
  changed: z.boolean().describe('whether the file was written'),
};
const from = z
  .string()
  .optional()
  .describe('the version that was active by the configuration before; absent where none was');
const environment = z.string().optional().describe('the namespace, with --environment');
const archive = z.string().describe('as the configuration writes it');

/** The shapes of what the commands that edit a SolutionsConfiguration print with `--json`. */
export const configureSchemas = {
  import: z.object({
    ...edited,
    created: z.boolean().describe('whether there was no such file before'),
    archives: z.array(
      z.object({
        archive,
        name: z.string().optional().describe('of its Solution; absent where it was not looked at'),
        version: z.string().optional(),
        action: z.enum(['imported', 'present']),
        active: z.boolean().describe('whether an install would choose it now'),
      }),
    ),
  }),
  unimport: z.object({
    ...edited,
    archives: z.array(
      z.object({
        archive,
        name: z.string().optional().describe('of its Solution; absent where it could not be opened'),
        version: z.string().optional(),
        action: z.enum(['removed', 'absent']),
      }),
    ),
  }),
  activate: z.object({
    ...edited,
    name: z.string(),
    environment,
    wanted: z.string().describe('a version, a range, or latest'),
    version: z.string().describe('the one that an install chooses by that'),
    archive,
    from,
    downgraded: z.boolean().describe('whether that one was higher'),
  }),
  deactivate: z.object({ ...edited, name: z.string(), environment, from }),
} as const;
