import { z } from 'zod';
import { version } from './json-parts.ts';

/** What commands about solpack itself print. */
export const shellSchemas = {
  completion: z.object({
    schemaVersion: version,
    shell: z.enum(['bash', 'zsh', 'fish']),
    script: z.string().describe('what the shell has to read'),
  }),
  explain: z.object({
    schemaVersion: version,
    codes: z
      .array(
        z.object({
          code: z.string(),
          kind: z
            .enum(['error', 'verify', 'check', 'reason'])
            .describe('an error, a finding of verify or of check, or the reason that a format gives'),
          meaning: z.string(),
          advice: z.string().describe('what to do'),
          exit: z.number().int().optional().describe('the exit code of a command that ends with this error'),
        }),
      )
      .describe('all that the code stands for'),
  }),
};
