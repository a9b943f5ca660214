import { text } from '../bytes.ts';
import { among, locateProblems } from '../document/fields.ts';
import { problemsOf } from '../document/problems.ts';
import { parseToml } from '../document/toml.ts';
import { locateToml } from '../document/toml-fields.ts';
import { type Position, PositionedError } from '../error.ts';
import { isRecord } from '../record.ts';
import { judged } from '../schema-words.ts';
import { TextLines } from '../text-lines.ts';
import { type ProfileKey, profileFields } from './fields.ts';
import { profileKnown, profileSchema } from './profile-schema.ts';

/** The value of a setting in a profile, and its place. */
export interface ProfileValue {
  readonly value: string | boolean | number | readonly string[];
  readonly position: Position;
}

/**
 * Reads a profile: the state of this machine, in TOML. Returns its settings in the order of `profileFields`. Throws
 * `FormatError` `toml-invalid` with the position of what is wrong.
 */
export function parseProfile(bytes: Uint8Array): ReadonlyMap<ProfileKey, ProfileValue> {
  const source = text(bytes, 'toml-invalid');
  const parsed = judged(profileSchema, parseToml(source, 'toml-invalid'), 'TOML');
  const [lines, extents] = [new TextLines(source), locateToml(source)];
  if (!parsed.success) {
    const problems = problemsOf(parsed.error, profileKnown);
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
