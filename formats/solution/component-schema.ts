import { RESERVED_NAMESPACE } from '../manifest/reserved.ts';
import { formedText, z } from '../schema.ts';
import { componentKinds, fieldKinds } from './component-kinds.ts';
import { DURATION, durationWords, isDuration } from './duration.ts';
import { labelSchema } from './names.ts';
import { MOST_PROBES, readyProbeSchema } from './ready-probe-schema.ts';

const releaseWords = 'is not a name that Helm accepts for a release';

// A release's name as Helm checks it: a subdomain of at most 53 characters.
const releaseSchema = z
  .string()
  .max(53, { error: releaseWords, abort: true })
  .regex(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/, releaseWords);

const fields = z.strictObject({
  name: labelSchema.describe('The name of the component, an RFC 1123 label.'),
  kind: z
    .enum(componentKinds)
    .describe(
      'What it is: files of manifests, a kustomization, a chart, an executable that prints objects, a bundle of an operator or of ' +
        'manifests, or a folder of components.',
    ),
  path: z
    .string()
    .min(1)
    .describe(
      'The file or folder, relative to the definition; or an address: oci://…, https://…, docker://…, catalog://…, or a folder of a git repository as ' +
        'https://HOST/REPOSITORY//FOLDER?ref=COMMIT.',
    ),
  values: z
    .array(z.string().min(1))
    .optional()
    .describe('Values files of a chart or a bundle of an operator. Later ones win.'),
  namespace: labelSchema
    .refine((value) => value !== RESERVED_NAMESPACE, 'is reserved for solpack')
    .meta({ not: { const: RESERVED_NAMESPACE } })
    .optional()
    .describe('The namespace for objects that name none.'),
  after: z.array(z.string()).optional().describe('Names of components that have to be applied first.'),
  timeout: formedText(DURATION, durationWords, isDuration)
    .optional()
    .describe(
      'How long it may take to become ready, from 1s to 24h: 90s, 5m, 1h30m. Left out: what install --timeout says.',
    ),
  version: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The version of what "path" names on a network, or a range as Helm writes it: ^1.2, >=1.2 <2. Left out: the highest that is not a pre-release.',
    ),
  channel: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The channel of a catalog that the bundle of an operator is taken from. Left out: the default one of its package.',
    ),
  set: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Values in the definition itself. They win over those of "values".'),
  release: releaseSchema.optional().describe("The name of a chart's release. Left out: the name of the component."),
  'create-namespace': z
    .union([
      z.boolean(),
      z.strictObject({
        labels: z.record(z.string(), z.string()).optional().describe('The labels of the namespace.'),
      }),
    ])
    .optional()
    .meta({
      description: 'Whether the Solution creates the namespace, and with which labels. It is applied first.',
      default: false,
    }),
  render: z.literal('install').optional().describe('"install": only the node can render it, and pack does not try.'),
  'site-schema': z
    .string()
    .min(1)
    .optional()
    .describe('A file with a JSON Schema of the values that a site may set. It is packed and signed with the archive.'),
  'skip-schema-validation': z.boolean().optional().meta({
    description: 'Values of a chart are not checked by its values.schema.json.',
    default: false,
  }),
  'keep-drawn': z.boolean().optional().meta({
    description: 'Upgrades keep passwords and certificates that a chart generated, as long as they exist.',
    default: false,
  }),
  ready: z
    .array(readyProbeSchema)
    .max(MOST_PROBES)
    .optional()
    .describe('Further conditions of its readiness, besides that its objects are ready.'),
});

/** Says what an entry of `[[components]]` in `solution.toml` may hold. */
export const componentSchema: typeof fields = fields.meta({
  allOf: Object.entries(fieldKinds).map(([field, kinds]) => ({
    // An empty list says nothing, and may stand anywhere.
    if: { required: [field], properties: { [field]: { not: { type: 'array', maxItems: 0 } } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { kind: { enum: kinds } } },
  })),
});

/** What the schema takes for a component. */
export type ComponentFields = z.infer<typeof componentSchema>;
