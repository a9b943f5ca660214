import { RESERVED_NAMESPACE } from '../manifest/reserved.ts';
import { referenceFault } from '../oci/reference.ts';
import { z } from '../schema.ts';
import { componentKinds } from './component-kinds.ts';
import { durationWords, isDuration } from './duration.ts';
import { instantSchema } from './instant.ts';
import { isKubernetesRange, kubernetesRangeWords } from './kubernetes-range.ts';
import { labelSchema, semVerSchema } from './names.ts';
import { MOST_PROBES, readyProbeSchema } from './ready-probe.ts';
import { relationFields } from './relations.ts';

const reference = z
  .string()
  .refine((value) => referenceFault(value) === undefined, { error: ({ input }) => referenceFault(String(input)) });

const image = z.strictObject({
  reference,
  source: z.string().min(1).optional(),
  platforms: z
    .array(
      z.string().regex(/^[a-z0-9]+\/[a-z0-9_]+(?:\/[a-z0-9.]+)?$/, 'has to be os/architecture, such as linux/arm64'),
    )
    .min(1)
    .optional(),
  select: z.enum(['sparse', 'index']).optional(),
  referrers: z.boolean().optional(),
  'foreign-layers': z.enum(['refuse', 'fetch']).optional(),
  sbom: z.string().min(1).optional(),
});

// A release's name as Helm checks it: a subdomain of at most 53 characters.
const releaseSchema = z
  .string()
  .regex(
    /^(?=.{1,53}$)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/,
    'is no name that Helm accepts for a release',
  );

const component = z.strictObject({
  name: labelSchema,
  kind: z.enum(componentKinds),
  path: z.string().min(1),
  values: z.array(z.string().min(1)).optional(),
  namespace: labelSchema.refine((value) => value !== RESERVED_NAMESPACE, 'is for solpack alone').optional(),
  after: z.array(z.string()).optional(),
  timeout: z.string().refine(isDuration, durationWords).optional(),
  version: z.string().min(1).optional(),
  set: z.record(z.string(), z.unknown()).optional(),
  release: releaseSchema.optional(),
  'create-namespace': z
    .union([z.boolean(), z.strictObject({ labels: z.record(z.string(), z.string()).optional() })])
    .optional(),
  render: z.literal('install').optional(),
  'site-schema': z.string().min(1).optional(),
  'skip-schema-validation': z.boolean().optional(),
  'keep-drawn': z.boolean().optional(),
  ready: z.array(readyProbeSchema).max(MOST_PROBES).optional(),
});

const externalImage = z
  .string()
  .refine(
    (value) =>
      referenceFault(value) === undefined ||
      (value.length <= 512 && value.includes('*') && /^[\w.\-/:@*[\]]+$/.test(value)),
    'is neither an image reference nor one in which * stands for any letters, such as registry.site.example/*',
  );

/** Says what `solution.toml` may hold. */
export const definitionSchema = z.strictObject({
  name: labelSchema,
  version: semVerSchema,
  sequence: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  created: instantSchema.optional(),
  expires: instantSchema.optional(),
  description: z.string().optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  operator: reference.optional(),
  sbom: z.string().min(1).optional(),
  'make-sboms': z.boolean().optional(),
  kubernetes: z.string().refine(isKubernetesRange, kubernetesRangeWords).optional(),
  'external-images': z.array(externalImage).optional(),
  ...relationFields,
  images: z.array(image).optional(),
  components: z.array(component).optional(),
});

/** What the schema takes for an image. */
export type ImageFields = z.infer<typeof image>;

/** What the schema takes for a component. */
export type ComponentFields = z.infer<typeof component>;

const knownFields: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(definitionSchema.shape),
  images: Object.keys(image.shape),
  components: Object.keys(component.shape),
};

/** Lists the fields that are known where `path` is, for suggestions. */
export function definitionFields(path: string): readonly string[] {
  return knownFields[path.split('.')[0] ?? ''] ?? [];
}
