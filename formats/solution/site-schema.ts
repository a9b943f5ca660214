import { isRecord } from '../record.ts';
import { readLater, withEither, z } from '../schema.ts';

const words = z.string().min(1);
const path = z.string('has to be a path').min(1);

const target = z.strictObject({
  group: z.string().optional().describe('The group of its kind.'),
  version: z.string().optional().describe('The version of its kind.'),
  kind: z.string().optional().describe('Its kind, as a regular expression.'),
  name: z.string().optional().describe('Its name, as a regular expression.'),
  namespace: z.string().optional().describe('Its namespace, as a regular expression.'),
  labelSelector: z.string().optional().describe('Labels that it has: app=web.'),
  annotationSelector: z.string().optional().describe('Annotations that it has.'),
});

const options = z.strictObject({
  allowNameChange: z.boolean().optional().describe('Whether it may change names. Left out: no.'),
  allowKindChange: z.boolean().optional().describe('Whether it may change kinds. Left out: no.'),
});

/** Accepts a patch for rendered objects. */
export const patchSchema = withEither(
  z.strictObject({
    path: path.optional().describe('A file with the patch.'),
    patch: words
      .optional()
      .describe('The patch itself: a partial object (strategic merge), or a list of operations (JSON 6902).'),
    target: target.optional().describe('What it applies to. Left out: what the partial object names.'),
    options: options.optional().describe('What else it may change.'),
  }),
  'path',
  'patch',
  'has to have either "path" or "patch"',
);

const values = z
  .custom<string | Record<string, unknown>>(
    (value) => (typeof value === 'string' && value !== '') || isRecord(value),
    'has to be the path of a values file, or a mapping of values',
  )
  .meta({ anyOf: [{ type: 'string', minLength: 1 }, { type: 'object' }] });

/** Accepts a value that is in no configuration. */
export const secretSchema = withEither(
  z.strictObject({
    path: z
      .union([z.string(), z.array(words).min(1)], 'has to be names with dots between them, or a list of names')
      .describe('Where in the values: names with dots between them (\\. is a dot in a name), or a list of names.'),
    env: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'has to be the name of a variable')
      .optional()
      .describe('The environment variable that has the value.'),
    file: path.optional().describe('The file that has the value. A line break at the end is ignored.'),
  }),
  'env',
  'file',
  'has to have either "env" or "file"',
);

/** Accepts the sections of a Solution, and of an environment of it, that say what its site sets, by component. */
export const sectionSchemas = {
  values: z.record(z.string(), z.array(values)),
  secrets: z.record(z.string(), z.array(secretSchema)),
  patches: z.record(z.string(), z.array(patchSchema)),
  keepDrawn: z.record(z.string(), z.boolean()),
} as const;

/** The name of such a section. */
export type SiteSection = keyof typeof sectionSchemas;

/** Names these sections. */
export const siteSections = Object.keys(sectionSchemas) as readonly SiteSection[];

const about = {
  values:
    'For charts and bundles of operators: paths of values files, and mappings of values, by component. Later ones win.',
  secrets: 'For charts: values that are not in this file, by component.',
  patches: 'For rendered objects of any kind of component: patches as of a kustomization, by component.',
  keepDrawn:
    'For charts: whether upgrades keep what the chart drew, such as passwords, by component: true or false. Left out: what its author says.',
} as const satisfies Readonly<Record<SiteSection, string>>;

type SiteFields = Readonly<Record<SiteSection, z.ZodOptional<z.ZodUnknown>>>;

/**
 * These sections as fields of a document. They are read by themselves, because plain values are there what Kubernetes'
 * tools take them for.
 */
export const siteFields: SiteFields = {
  values: readLater(sectionSchemas.values.nullable()).optional().describe(about.values),
  secrets: readLater(sectionSchemas.secrets.nullable()).optional().describe(about.secrets),
  patches: readLater(sectionSchemas.patches.nullable()).optional().describe(about.patches),
  keepDrawn: readLater(sectionSchemas.keepDrawn.nullable()).optional().describe(about.keepDrawn),
};

/** The same at the top of a document, below the names of Solutions. */
export const flatSiteFields: SiteFields = {
  values: readLater(z.record(z.string(), sectionSchemas.values.nullable()).nullable())
    .optional()
    .describe(`By Solution. ${about.values}`),
  secrets: readLater(z.record(z.string(), sectionSchemas.secrets.nullable()).nullable())
    .optional()
    .describe(`By Solution. ${about.secrets}`),
  patches: readLater(z.record(z.string(), sectionSchemas.patches.nullable()).nullable())
    .optional()
    .describe(`By Solution. ${about.patches}`),
  keepDrawn: readLater(z.record(z.string(), sectionSchemas.keepDrawn.nullable()).nullable())
    .optional()
    .describe(`By Solution. ${about.keepDrawn}`),
};

/** Names the fields of entries of these sections, and of what is in these, for suggestions. */
export const siteKnown: Readonly<Record<string, readonly string[]>> = {
  secrets: Object.keys(secretSchema.shape),
  patches: Object.keys(patchSchema.shape),
  target: Object.keys(target.shape),
  options: Object.keys(options.shape),
};
