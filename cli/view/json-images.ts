import { z } from 'zod';
import { version } from './json-parts.ts';

const usedImage = z.object({
  reference: z.string().describe('as objects name it'),
  held: z.boolean().describe('whether the Solution brings it along'),
  certainty: z
    .enum(['certain', 'likely'])
    .describe(
      'certain: a container runs it, or a volume mounts it; likely: it has the form of an image, or is named as one',
    ),
  places: z.array(
    z.object({
      component: z.string(),
      object: z.string().describe('Kind/namespace/name; the middle is empty outside of namespaces'),
      path: z.string().describe('names of fields and numbers of entries, with dots between'),
      rewritten: z
        .boolean()
        .optional()
        .describe('whether the name there was replaced by that by which nodes pull; absent where both are the same'),
    }),
  ),
});

/** The shape of the images that rendered objects name. */
export const usedImages = z.array(usedImage).describe('what the rendered objects name, wherever they do so');

const size = z.number().int().nonnegative();

/** The shapes of what those commands print that write parts of an archive to files. */
export const writtenSchemas = {
  export: z.object({
    schemaVersion: version,
    path: z.string(),
    form: z.enum(['oci-archive', 'docker-archive']),
    bytes: size.describe('of the file'),
    images: z.array(z.object({ reference: z.string(), digest: z.string() })),
  }),
  extract: z.object({
    schemaVersion: version,
    folder: z.string(),
    files: z.number().int(),
    bytes: size.describe('bytes'),
  }),
};
