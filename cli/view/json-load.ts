import { z } from 'zod';
import { usedImages } from './json-images.ts';
import { digest, keyId, natural, objects, variableList, version } from './json-parts.ts';

/** What `load` prints. */
export const loadSchemas = {
  load: z.object({
    schemaVersion: version,
    name: z.string().describe('the Solution as which the tree was applied'),
    version: z.string().describe('made from the rendered objects: the same objects have the same version'),
    folder: z.string().describe('the first of the folders'),
    folders: z.array(z.string()).optional().describe('all folders, in the order of application'),
    variables: variableList.optional().describe('the variables that plugins got; empty if there is no plugin'),
    components: z
      .array(
        z.object({
          name: z.string(),
          folder: z.string(),
          kind: z.enum(['kustomize', 'plugin']),
          state: z.enum(['loaded', 'empty', 'failed']),
          objects: natural,
          reason: z.string().optional().describe('why it failed'),
        }),
      )
      .describe('in the order of application'),
    files: z.array(z.string()).describe('files that were rendered, in order'),
    objects,
    skipped: z.array(z.string()).describe('entries of the folder that are no components'),
    images: usedImages.optional().describe('what the rendered objects name; absent without --images'),
    archives: z
      .array(
        z.object({
          archive: z.string(),
          name: z.string(),
          version: z.string(),
          root: digest,
          signers: z.array(keyId).describe('whose signatures count'),
        }),
      )
      .optional()
      .describe('what --images has given'),
    registry: z
      .string()
      .optional()
      .describe('where the images can be pulled from; absent where they stay where they are'),
  }),
};
