import { z } from 'zod';
import { version } from './json-parts.ts';

/** What commands about solpack itself print. */
export const shellSchemas = {
  completion: z.object({
    schemaVersion: version,
    shell: z.enum(['bash', 'zsh', 'fish']),
    script: z.string().describe('what the shell has to read'),
  }),
  profile: z.object({
    schemaVersion: version,
    path: z.string().describe('the profile of this machine'),
    exists: z.boolean().describe('whether there is one'),
    settings: z
      .array(
        z.object({
          key: z.string().describe('its name, such as images.hosts-dir'),
          title: z.string().describe('what it is'),
          value: z
            .union([z.string(), z.boolean(), z.number(), z.array(z.string())])
            .optional()
            .describe('absent where the profile does not say'),
          line: z.number().int().optional().describe('of the profile, where it says so'),
        }),
      )
      .describe('all that a profile may say, in order'),
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
