import { z } from 'zod';
import { objects, version } from './json-parts.ts';

const number = z.number().int().positive();
const at = z.string().describe('when it began: a date and time of RFC 3339, in UTC');

const image = z.object({
  reference: z.string(),
  digest: z.string(),
  at: z
    .object({ scheme: z.enum(['http', 'https']), registry: z.string(), repository: z.string() })
    .optional()
    .describe('where a registry had it; absent where that had no address that lasts'),
});

const solution = z.object({
  name: z.string(),
  version: z.string(),
  root: z.string().optional(),
  site: z.string().optional().describe('digest of what the site sets for it'),
  signers: z.array(z.string()),
  archive: z.string().optional().describe('as the host that installed it names it'),
  images: z.array(image),
  release: z
    .object({
      sequence: z.number().int().optional(),
      created: z.number().int().describe('when it was made, in seconds since 1970'),
      expires: z.number().int().optional().describe('from when on it is not installed, in seconds since 1970'),
      predicates: z
        .array(z.string())
        .describe('types of predicates that are there about it or about each of its images'),
      components: z.array(z.object({ name: z.string(), kind: z.string() })),
      otherImages: z.array(z.string()).describe('images that its objects name, and its archive does not hold'),
    })
    .optional()
    .describe('what a policy judges it by, besides root and signers; absent where an older solpack has installed it'),
  migrated: z
    .array(z.string())
    .optional()
    .describe('custom resources that its plugins gave another form; absent where there are none'),
});

/** What commands print about the generations of a configuration. */
export const generationSchemas = {
  history: z.object({
    schemaVersion: version,
    configuration: z.string(),
    generations: z
      .array(
        z.object({
          number,
          at,
          ended: z
            .string()
            .optional()
            .describe('when it ended, the same way; absent if it has not ended, or if that is unknown'),
          by: z.string().describe('the user of the cluster who began it'),
          host: z.string().describe('the machine that it was begun on'),
          state: z.enum(['applying', 'ready', 'failed', 'interrupted']),
          reason: z.string().nullable().describe('why it failed or was interrupted'),
          cause: z.enum(['install', 'rollback', 'uninstall']),
          of: number.optional().describe('for a rollback: the generation that it went back to'),
          configuration: z.string().optional().describe('digest of the SolutionsConfiguration'),
          solutions: z.array(solution),
        }),
      )
      .describe('the newest first'),
  }),
  'history-objects': z.object({
    schemaVersion: version,
    configuration: z.string(),
    generation: number,
    solutions: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        components: z
          .array(
            z.object({
              name: z.string(),
              objects: z
                .array(z.looseObject({ apiVersion: z.string(), kind: z.string() }))
                .describe('as they were applied; without --raw, each value of a Secret is "***"'),
            }),
          )
          .describe('in the order of application'),
      }),
    ),
  }),
  rollback: z.object({
    schemaVersion: version,
    configuration: z.string(),
    of: z.object({ number, at, solutions: z.array(solution) }).describe('what was gone back to'),
    generation: number.describe('the number of what is there now'),
    solutions: z.array(z.object({ name: z.string(), version: z.string(), objects })),
    removed: z.array(z.object({ name: z.string(), version: z.string(), objects })),
  }),
};
