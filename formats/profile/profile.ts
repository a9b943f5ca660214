import { text } from '../bytes.ts';
import { among, locateProblems } from '../document/fields.ts';
import { problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { type Position, PositionedError } from '../error.ts';
import { isRecord } from '../record.ts';
import { z } from '../schema.ts';
import { TextLines } from '../text-lines.ts';
import { type ProfileKey, type ProfileType, profileFields } from './fields.ts';

/** What a profile says of a setting, and where. */
export interface ProfileValue {
  readonly value: string | boolean | number | readonly string[];
  readonly position: Position;
}

const path = z.string().min(1);
const values = {
  path,
  paths: z.array(path).min(1),
  text: z.string().min(1),
  address: z
    .string()
    .regex(/^https?:\/\/[^\s/@]+(?:\/\S*)?$/, 'has to be an address such as http://127.0.0.1:5000, without a login'),
  duration: z
    .string()
    .regex(/^(?=.)(?:\d+h)?(?:\d+m)?(?:\d+s)?$/, 'has to be a duration from 1s to 24h, such as 90s, 5m or 1h30m'),
  yes: z.boolean(),
  count: z.number().int().min(1).max(Number.MAX_SAFE_INTEGER),
} as const satisfies Readonly<Record<ProfileType, z.ZodType>>;

/** The fields of a table of the document, or of the document itself. */
function fieldsOf(table: string | undefined): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(profileFields).flatMap(([key, { type }]) => {
      const [outer, inner] = key.split('.');
      if (table === undefined) return inner === undefined ? [[key, values[type].optional()]] : [];
      return outer === table && inner !== undefined ? [[inner, values[type].optional()]] : [];
    }),
  );
}

const tables = ['images', 'registry', 'install'] as const;

/** The names of fields that a table may have, or the document itself. */
function knownIn(table: string): readonly string[] {
  return table === '' ? [...Object.keys(fieldsOf(undefined)), ...tables] : Object.keys(fieldsOf(table));
}

const profile = z
  .strictObject({
    ...fieldsOf(undefined),
    ...Object.fromEntries(tables.map((table) => [table, z.strictObject(fieldsOf(table)).optional()])),
  })
  .refine((said) => !('policy' in said && 'keys' in said), {
    path: ['keys'],
    message: 'stands beside "policy": a policy has its own keys',
  });

/**
 * Reads a profile: what is so of this machine, in TOML. Returns its settings in the order of `profileFields`. Throws `FormatError`
 * `toml-invalid` with the position of what is wrong.
 */
export function parseProfile(bytes: Uint8Array): ReadonlyMap<ProfileKey, ProfileValue> {
  const source = text(bytes, 'toml-invalid');
  const parsed = profile.safeParse(parseToml(source, 'toml-invalid'), { reportInput: true });
  const [lines, extents] = [new TextLines(source), locateToml(source)];
  if (!parsed.success) {
    const problems = problemsOf(parsed.error, knownIn);
    throw new PositionedError('toml-invalid', locateProblems(lines, among(extents), problems));
  }
  const said: Readonly<Record<string, unknown>> = parsed.data;
  const found = new Map<ProfileKey, ProfileValue>();
  for (const key of Object.keys(profileFields) as ProfileKey[]) {
    const [outer = '', inner] = key.split('.');
    const table = said[outer];
    const value = inner === undefined ? table : isRecord(table) ? table[inner] : undefined;
    if (value === undefined) continue;
    const { start, end } = extents.get(key) ?? { start: 0, end: 1 };
    found.set(key, { value: value as ProfileValue['value'], position: lines.position(start, end) });
  }
  return found;
}
