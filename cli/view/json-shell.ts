import { z } from 'zod';
import { version } from './json-parts.ts';

/** What commands about solpack itself print. */
export const shellSchemas = {
  completion: z.object({
    schemaVersion: version,
    shell: z.enum(['bash', 'zsh', 'fish']),
    script: z.string().describe('what the shell has to read'),
  }),
};
