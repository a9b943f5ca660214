import { z } from 'zod';

const place = {
  namespace: z.string().describe('* is everywhere, and outside of namespaces'),
  group: z.string().describe('API group; empty is the core group'),
};

/** What somebody may do, and what solpack has to be allowed. */
export const rightsFields = {
  subjects: z
    .array(
      z.object({
        subject: z
          .string()
          .describe('ServiceAccount namespace/name, User name, Group name; or a role that nobody is bound to'),
        rights: z.array(
          z.object({
            ...place,
            resource: z.string().describe('plural name, a path; role NAME is everything that a role of others allows'),
            name: z.string().describe('of the one object; * is all'),
            verbs: z.array(z.string()),
            power: z.string().optional().describe('why that is more than it seems'),
          }),
        ),
      }),
    )
    .describe('by the roles and bindings of the Solution; the most powerful rights come first'),
  needed: z
    .array(z.object({ ...place, resource: z.string().describe('plural name'), verbs: z.array(z.string()) }))
    .describe('the rights that solpack needs to install, upgrade and remove it'),
};

/** The schemas of what tells rights. */
export const rightsSchemas = {
  'inspect-rights': z.object({
    schemaVersion: z.literal(1).describe('of this schema; fields may be added without raising it'),
    path: z.string(),
    name: z.string(),
    version: z.string(),
    ...rightsFields,
    unknown: z
      .array(z.object({ component: z.string(), reason: z.string() }))
      .describe('components that were not rendered, so their rights are unknown'),
  }),
};
