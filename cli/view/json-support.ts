import { z } from 'zod';
import { size, version } from './json-parts.ts';

/** What commands print for those who help. */
export const supportSchemas = {
  'support-bundle': z.object({
    schemaVersion: version,
    path: z.string(),
    size,
    files: z.array(z.object({ path: z.string(), size })).describe('what is in it'),
    missing: z.array(z.object({ what: z.string(), reason: z.string() })).describe('what could not be read, and why'),
  }),
};
