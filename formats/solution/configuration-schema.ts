import { z } from '../schema.ts';
import { environmentFields, environmentsSchema } from './environments.ts';
import { labelSchema } from './names.ts';
import { flatSiteFields, siteFields, siteSections } from './site-schema.ts';
import { SOLUTIONS_API } from './solutions-api.ts';
import { wantedOrNoneSchema, wantedSchema } from './wanted-version.ts';

/** What a SolutionsConfiguration is called that has no name. */
export const DEFAULT_NAME = 'default';

/** The kind of document. */
export const CONFIGURATION_KIND = 'SolutionsConfiguration';

const path = z
  .string()
  .min(1)
  .describe(
    'A file, a device, a folder, a pattern, an https:// address, or HOST/REPOSITORY:TAG. Paths are relative to this file.',
  );

const group = z.strictObject({
  name: z.string().min(1).describe('The name of the Solution, as its archives have it.'),
  activeVersion: wantedOrNoneSchema.nullish().meta({
    description:
      'Which version is active: latest, a version in quotes, a range of them, or none. Left out: latest, unless there are environments.',
    examples: ['latest', '1.1.0', '^1.2', 'none'],
  }),
  archives: z.array(path).describe('Archives of the Solution, in any number of versions.'),
  environments: environmentsSchema
    .nullish()
    .describe('Namespaces that the Solution runs in, and in which version: latest, a version in quotes, or a range.'),
  ...siteFields,
});

/** Fields of the flat form that the grouped one has no room for, as long as they say nothing. */
export const flatFields = ['archives', 'active', 'environments'] as const;

/** Says what a SolutionsConfiguration may hold, in either form. */
export const configurationSchema = z
  .strictObject({
    apiVersion: z.enum([SOLUTIONS_API, 'metalk8s.scality.com/v1alpha1']).describe('The version of this format.'),
    kind: z.literal(CONFIGURATION_KIND).describe('The kind of this document.'),
    metadata: z
      .looseObject({
        name: labelSchema.nullish().meta({
          description: 'The name of the configuration, an RFC 1123 label. What it installed belongs to that name.',
          default: DEFAULT_NAME,
        }),
      })
      .nullish()
      .describe('What identifies the configuration.'),
    solutions: z.array(group).optional().describe('The grouped form: Solutions, with their archives.'),
    archives: z.array(path).nullish().describe('The flat form: archives of all Solutions.'),
    active: z
      .record(z.string(), wantedSchema)
      .nullish()
      .describe('The flat form: which version is active, by Solution: latest, a version in quotes, or a range.'),
    environments: z
      .record(labelSchema, environmentsSchema.nullable())
      .nullish()
      .describe('The flat form: namespaces that a Solution runs in, and in which version, by Solution.'),
    ...flatSiteFields,
  })
  .meta({
    if: { required: ['solutions'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: {
      properties: {
        ...Object.fromEntries(flatFields.map((field) => [field, { type: 'null' }])),
        ...Object.fromEntries(siteSections.map((section) => [section, false])),
      },
    },
  });

/** What the schema takes for a group. */
export type GroupFields = z.infer<typeof group>;

/** Lists the fields that are known where `path` is, for suggestions. */
export function configurationFields(path: string): readonly string[] {
  if (/(?:^|\.)environments\./.test(path)) return environmentFields;
  return Object.keys(path.startsWith('solutions') ? group.shape : configurationSchema.shape);
}
