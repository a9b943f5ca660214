import { z } from 'zod';
import { version } from './json-parts.ts';

/** What `mount` and `unmount` print. */
export const mountSchemas = {
  mount: z.object({
    schemaVersion: version,
    archive: z.string(),
    folder: z.string(),
    by: z.enum(['kernel', 'fuseiso']).describe('who reads the image'),
    already: z.boolean().describe('whether that was so before'),
  }),
  unmount: z.object({
    schemaVersion: version,
    folder: z.string(),
    already: z.boolean().describe('whether nothing was mounted there before'),
  }),
};
