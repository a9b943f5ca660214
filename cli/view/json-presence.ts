import { z } from 'zod';
import { nodeMirror } from './json-mirrors.ts';
import { objects, version } from './json-parts.ts';

const generation = z.number().int().positive().describe('the number of the generation that is there now');
const state = z.enum(['ready', 'progressing', 'degraded', 'drifted', 'interrupted']);
const place = z.string().describe('Kind/namespace/name; the middle is empty outside of namespaces');
const reason = z.string().nullable().describe('in one line; null where it is ready');

const drift = z.object({
  path: z.string().describe('names between dots; entries of a list by their name in brackets, or by their number'),
  wanted: z.unknown().describe('as it was applied; *** for what a Secret holds'),
  found: z.unknown().describe('null where it is gone'),
  manager: z.string().nullable().describe('who has set it; null where it is gone'),
  since: z.string().nullable().describe('when its manager last changed something: a date and time of RFC 3339'),
});

const objectStatus = z.object({
  object: place,
  state: z.enum(['ready', 'progressing', 'degraded', 'drifted']),
  reason,
  drift: z.array(drift).describe('fields that differ from what was applied'),
});

const images = z.object({
  asked: z.boolean().describe('whether registries were asked; not with --no-images'),
  missing: z.array(z.string()).describe('images that cannot be pulled any longer, as their authors named them'),
  reasons: z.record(z.string(), z.string()).describe('why, by image'),
});

/** What commands print about what there is of a configuration. */
export const presenceSchemas = {
  status: z.object({
    schemaVersion: version,
    configuration: z.string(),
    generation,
    at: z.string().describe('when it began: a date and time of RFC 3339, in UTC'),
    state: state.describe('the worst of its Solutions'),
    reason: z.string().nullable().describe('why the generation failed or was interrupted'),
    solutions: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        state,
        reason,
        images,
        objects: z.array(objectStatus).describe('all of them, in the order of application'),
      }),
    ),
    archives: z
      .array(
        z.object({
          path: z.string(),
          name: z.string().nullable().describe('null where it cannot be opened'),
          version: z.string().nullable(),
          active: z.boolean().describe('whether an install would choose it'),
          reason: z.string().optional().describe('why it cannot be opened'),
        }),
      )
      .optional()
      .describe('those that the SolutionsConfiguration names; only with -f'),
    mirrors: z.array(nodeMirror).optional().describe('how this node pulls its images; only with --hosts-dir'),
  }),
  repair: z.object({
    schemaVersion: version,
    configuration: z.string(),
    generation,
    repaired: z.array(
      z.object({
        object: place,
        action: z.enum(['created', 'changed', 'replaced', 'unchanged']),
        overrode: z
          .array(z.object({ manager: z.string(), fields: z.array(z.string()) }))
          .describe('whose changes were overridden'),
        restored: z.array(z.string()).describe('fields that were restored, and that no manager had set any more'),
      }),
    ),
    left: z.array(objectStatus).describe('objects that are not as they were applied even so'),
  }),
  uninstall: z.object({
    schemaVersion: version,
    configuration: z.string(),
    generation,
    removed: z.array(z.object({ name: z.string(), version: z.string(), objects })),
    taken: z
      .array(z.object({ object: z.string().describe('PersistentVolumeClaim namespace/name'), reason: z.string() }))
      .optional()
      .describe('claims that went with what owned them; absent where that is nothing'),
    kept: z
      .array(z.object({ object: z.string().describe('Kind name, or Kind namespace/name'), reason: z.string() }))
      .describe('objects that stay, and why'),
    staying: z
      .array(z.object({ name: z.string(), version: z.string() }))
      .describe('Solutions of the configuration that stay'),
    mirrors: z
      .object({
        removed: z.array(z.string()),
        stay: z.array(z.object({ path: z.string(), reason: z.string() })),
      })
      .optional()
      .describe('with --hosts-dir: files that were removed, and that stay'),
  }),
};
