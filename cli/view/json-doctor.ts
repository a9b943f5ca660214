import { z } from 'zod';
import { version } from './json-parts.ts';

/** What `doctor` prints. */
export const doctorSchemas = {
  doctor: z.object({
    schemaVersion: version,
    ok: z.boolean().describe('whether nothing fails, so that it ends with 0'),
    for: z.array(z.enum(['pack', 'serve', 'install'])).describe('what was checked'),
    checks: z.array(
      z.object({
        code: z
          .enum([
            ...['profile', 'trust', 'configuration', 'images', 'program', 'rights', 'disk', 'clock'],
            ...['iso9660', 'systemd', 'port', 'registry', 'cluster', 'certificate'],
          ] as const)
          .describe('what was checked; several checks may have the same'),
        state: z
          .enum(['ok', 'warns', 'fails', 'unknown', 'skipped'])
          .describe(
            'warns: it works, but not for all or not for long; unknown: it could not be checked; skipped: it was not checked',
          ),
        subject: z.string().describe('a path, a program, an address, or what else it is about'),
        message: z.string(),
        hint: z.string().optional().describe('how to fix it, a command if there is one; absent if it is ok'),
      }),
    ),
  }),
};
