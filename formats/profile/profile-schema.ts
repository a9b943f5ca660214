import { formedText, z } from '../schema.ts';
import { DURATION, durationWords, isDuration } from '../solution/duration.ts';
import { type ProfileField, type ProfileType, profileFields } from './fields.ts';

const path = z.string().min(1);
const values = {
  path,
  paths: z.array(path).min(1),
  text: z.string().min(1),
  address: z
    .string()
    .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/, 'has to be an address such as http://127.0.0.1:5000, without a login'),
  duration: formedText(DURATION, durationWords, isDuration),
  yes: z.boolean(),
  count: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
} as const satisfies Readonly<Record<ProfileType, z.ZodType>>;

/** The fields of a table of the document, or of the document itself. */
function fieldsOf(table: string | undefined): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries<ProfileField>(profileFields).flatMap(([key, { type, title, default: usual }]) => {
      const [outer, inner] = key.split('.');
      const description = `${title[0]!.toUpperCase()}${title.slice(1)}.`;
      const field = values[type].optional().meta({ description, ...(usual === undefined ? {} : { default: usual }) });
      if (table === undefined) return inner === undefined ? [[key, field]] : [];
      return outer === table && inner !== undefined ? [[inner, field]] : [];
    }),
  );
}

const tables = {
  images: 'How images get to nodes.',
  registry: 'How registries are reached.',
  install: 'How installs are done.',
  boot: 'What a boot has installed by a loader.',
} as const;

/** Lists the fields that a table may have, or the document itself, which is ''; for suggestions. */
export function profileKnown(table: string): readonly string[] {
  return Object.keys(table === '' ? { ...fieldsOf(undefined), ...tables } : fieldsOf(table));
}

/** Says what a profile may hold. */
export const profileSchema = z
  .strictObject({
    ...fieldsOf(undefined),
    ...Object.fromEntries(
      Object.entries(tables).map(([table, about]) => [
        table,
        z.strictObject(fieldsOf(table)).optional().describe(about),
      ]),
    ),
  })
  .refine((said) => !('policy' in said && 'keys' in said), {
    path: ['keys'],
    message: 'is set beside "policy": a policy has its own keys',
  })
  .meta({ not: { required: ['policy', 'keys'] } });
