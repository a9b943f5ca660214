import { text, utf8 } from '../bytes.ts';
import { schemaLine } from '../document/schema-line.ts';
import { removeFromToml, setInToml } from '../document/toml-edit.ts';
import { FormatError } from '../error.ts';
import { type ProfileKey, type ProfileType, profileFields } from './fields.ts';
import { parseProfile } from './profile.ts';

/** What a profile begins with that is made. */
export const PROFILE_HEAD: string = `${schemaLine('profile')}\n`;

/**
 * Sets a setting in a profile, as a word that a user types: several paths have commas between them. What else is there
 * stays as it is, comments too. Throws `FormatError` `toml-invalid` for a value that the setting cannot have, and for a
 * profile that is none.
 */
export function setInProfile(bytes: Uint8Array, key: ProfileKey, word: string): Uint8Array {
  parseProfile(bytes);
  const source = text(bytes, 'toml-invalid');
  const written = writtenOf(profileFields[key].type, word);
  const after = utf8(setInToml(source, key, written));
  parseProfile(after);
  return after;
}

/**
 * Takes a setting out of a profile; all else stays as it is. Throws `FormatError` `toml-invalid` for a profile that is
 * none.
 */
export function unsetInProfile(bytes: Uint8Array, key: ProfileKey): Uint8Array {
  parseProfile(bytes);
  return utf8(removeFromToml(text(bytes, 'toml-invalid'), key));
}

function writtenOf(type: ProfileType, word: string): string {
  switch (type) {
    case 'paths':
      return `[${word
        .split(',')
        .map((one) => quoted(one.trim()))
        .join(', ')}]`;
    case 'yes':
      if (word === 'true' || word === 'false') return word;
      throw new FormatError('toml-invalid', `${JSON.stringify(word)} is neither true nor false`);
    case 'count':
      if (/^[1-9]\d{0,14}$/.test(word)) return word;
      throw new FormatError('toml-invalid', `${JSON.stringify(word)} is not a number from 1 on`);
    default:
      return quoted(word);
  }
}

/** A basic string of TOML (1.0.0, "String"), whose escapes are those of JSON. */
function quoted(word: string): string {
  return JSON.stringify(word).replaceAll('\u007f', '\\u007f');
}
