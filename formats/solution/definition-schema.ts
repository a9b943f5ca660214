import { z } from '../schema.ts';
import { componentSchema } from './component-schema.ts';
import { externalImageSchema, imageSchema, referenceSchema } from './image-schema.ts';
import { instantSchema } from './instant.ts';
import { kubernetesRangeSchema } from './kubernetes-range.ts';
import { labelSchema, semVerSchema } from './names.ts';
import { relationFields } from './relations.ts';
import { upgradeField, upgradeFields } from './upgrade.ts';

/** Says what `solution.toml` may hold. */
export const definitionSchema = z
  .strictObject({
    name: labelSchema.describe('The name of the Solution, an RFC 1123 label.'),
    version: semVerSchema.describe('The version of the Solution, of SemVer 2.0.0 and without a leading "v".'),
    sequence: z
      .number()
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('A number that rises with each release. After a higher one was installed, a lower one is refused.'),
    created: instantSchema
      .optional()
      .describe('Date and time, with offset, of everything in the archive. SOURCE_DATE_EPOCH wins over it.'),
    expires: instantSchema
      .optional()
      .describe('Date and time, with offset, after which the Solution cannot be installed.'),
    description: z.string().optional().describe('One line about the Solution.'),
    annotations: z.record(z.string(), z.string()).optional().describe('Becomes metadata.annotations of manifest.yaml.'),
    operator: referenceSchema.optional().describe('The image that MetalK8s runs as the operator.'),
    sbom: z.string().min(1).optional().describe('A file with the SBOM of the Solution itself.'),
    'make-sboms': z
      .union([z.boolean(), z.array(z.enum(['cyclonedx', 'spdx']))])
      .optional()
      .meta({
        description:
          'Whether SBOMs are made for images that have none, and in which formats: true is cyclonedx. Every layer is read for that.',
        default: false,
      }),
    kubernetes: kubernetesRangeSchema
      .optional()
      .describe('The Kubernetes versions that the Solution is for, as a SemVer range: >=1.29 <1.36.'),
    'external-images': z
      .array(externalImageSchema)
      .optional()
      .describe(
        'Images that objects use and the archive does not hold, because sites provide them; * matches any letters.',
      ),
    ...relationFields,
    upgrade: upgradeField,
    images: z.array(imageSchema).optional().describe('The images that the archive holds.'),
    components: z.array(componentSchema).optional().describe('The components that are installed in the cluster.'),
  })
  .meta({
    anyOf: ['images', 'components'].map((list) => ({ required: [list], properties: { [list]: { minItems: 1 } } })),
  });

const knownFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(definitionSchema.shape),
  images: Object.keys(imageSchema.shape),
  components: Object.keys(componentSchema.shape),
  upgrade: upgradeFields,
};

/** Lists the fields that are known where `path` is, for suggestions. */
export function definitionFields(path: string): readonly string[] {
  return knownFields[path.split('.')[0] ?? ''] ?? [];
}
