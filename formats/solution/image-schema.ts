import { referenceFault } from '../oci/reference.ts';
import { formedText, z } from '../schema.ts';

/** The form of a reference, as far as it goes: names between slashes without blanks, and one digest at most. */
const REFERENCE = /^[^\s@/]+(?:\/[^\s@/]+)*(?:@[a-z0-9]+:[0-9a-f]+)?$/;

/** Accepts the name of an image. */
export const referenceSchema: z.ZodString = z
  .string()
  .regex(REFERENCE, { error: ({ input }) => referenceFault(String(input)), abort: true })
  .refine((value) => referenceFault(value) === undefined, { error: ({ input }) => referenceFault(String(input)) });

/** Says what an entry of `[[images]]` in `solution.toml` may hold. */
export const imageSchema = z
  .strictObject({
    reference: referenceSchema.describe(
      'The name that manifests use. A missing registry is docker.io, a missing tag latest.',
    ),
    source: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The source of the image, as containers-transports(5) writes it: docker://REFERENCE, oci:PATH[:REFERENCE], ' +
          'oci-archive:PATH[:REFERENCE], docker-archive:PATH[:REFERENCE], dir:PATH, solpack:PATH[:REFERENCE], containerd:REFERENCE, ' +
          'docker-daemon:REFERENCE. Left out: docker:// and the reference.',
      ),
    platforms: z
      .array(
        z.string().regex(/^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/, 'has to be os/architecture, such as linux/arm64'),
      )
      .min(1)
      .optional()
      .describe(
        'Platforms to keep, as os/architecture[/variant], all of which the source must have. Left out: all that it has.',
      ),
    select: z.enum(['sparse', 'index']).optional().meta({
      description: 'How platforms are selected: by leaving children of the index out, or by a new index.',
      default: 'sparse',
    }),
    referrers: z
      .boolean()
      .optional()
      .meta({ description: 'Whether signatures, SBOMs and attestations are included.', default: true }),
    'foreign-layers': z
      .enum(['refuse', 'fetch'])
      .optional()
      .meta({ description: 'How layers that registries do not hold are handled.', default: 'refuse' }),
    keep: z.boolean().optional().meta({
      description:
        'Whether it stays even though no component names it, because a value of a site, an operator or a plugin needs it.',
      default: false,
    }),
    sbom: z
      .string()
      .min(1)
      .optional()
      .describe('A file with the SBOM of the image. SBOMs of the image itself are then ignored.'),
  })
  .meta({ dependencies: { select: ['platforms'] } });

/** The letters of names of images, and `*`. */
const EXTERNAL = /^[\w.\-/:@*[\]]+$/;

/** Accepts the name of an image that sites bring, or a pattern of such names. */
export const externalImageSchema: z.ZodString = formedText(
  EXTERNAL,
  'is neither an image reference nor one in which * matches any letters, such as registry.site.example/*',
  (value) => referenceFault(value) === undefined || (value.length <= 512 && value.includes('*')),
);

/** What the schema takes for an image. */
export type ImageFields = z.infer<typeof imageSchema>;
