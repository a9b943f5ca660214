import { z } from 'zod';
import { version } from './json-parts.ts';

/** What every command prints that fails. */
export const errorSchemas = {
  error: z.object({
    schemaVersion: version,
    error: z.object({
      code: z
        .string()
        .describe(
          'as "solpack explain" knows it; `interrupted` where the user ended the command, `declined` where a person said no, `bug` for a fault of solpack',
        ),
      message: z.string().describe('what it is about, and why it failed'),
      hint: z.string().optional().describe('what to do next'),
      position: z
        .object({
          file: z.string().describe('its path, or what a text that is not a file is called'),
          line: z.number().int().positive(),
          column: z.number().int().positive().describe('in UTF-16 code units'),
          length: z.number().int().positive().describe('in UTF-16 code units; it ends with the line'),
        })
        .optional()
        .describe('where in a file it is; `message` begins with it'),
      findings: z
        .array(z.object({ code: z.string(), subject: z.string(), message: z.string() }))
        .optional()
        .describe('all that was found, where `message` only counts it'),
    }),
  }),
};
