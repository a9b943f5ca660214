import { text, utf8 } from '../bytes.ts';
import { locateToml } from '../document/toml-fields.ts';
import { FormatError } from '../error.ts';
import { type ProfileKey, type ProfileType, profileFields } from './fields.ts';
import { parseProfile } from './profile.ts';

/**
 * Sets a setting in a profile, as a word that a user types: several paths have commas between them. What else is there stays as it is,
 * comments too. Throws `FormatError` `toml-invalid` for a value that the setting cannot have, and for a profile that is none.
 */
export function setInProfile(bytes: Uint8Array, key: ProfileKey, word: string): Uint8Array {
  parseProfile(bytes);
  const source = text(bytes, 'toml-invalid');
  const written = writtenOf(profileFields[key].type, word);
  const after = utf8(placed(source, key, written));
  parseProfile(after);
  return after;
}

function placed(source: string, key: ProfileKey, written: string): string {
  const there = locateToml(source).get(key);
  if (there !== undefined) {
    const equals = source.indexOf('=', there.nameEnd);
    return `${source.slice(0, equals + 1)} ${written}${source.slice(there.end)}`;
  }
  const [outer = '', inner] = key.split('.');
  const line = `${inner ?? outer} = ${written}\n`;
  const start = source === '' || source.endsWith('\n') ? source : `${source}\n`;
  if (inner === undefined) {
    // What stands before the first table is in none.
    const first = /^[ \t]*\[/m.exec(start)?.index ?? start.length;
    return `${start.slice(0, first)}${line}${start.slice(first)}`;
  }
  const behind = behindHeader(start, outer);
  if (behind === undefined) return `${start}${start === '' ? '' : '\n'}[${outer}]\n${line}`;
  return `${start.slice(0, behind)}${line}${start.slice(behind)}`;
}

/** Where the line behind the header of a table begins; undefined where the text has none. */
function behindHeader(source: string, table: string): number | undefined {
  let at = 0;
  for (const line of source.split('\n')) {
    at += line.length + 1;
    if (/^[ \t]*\[([^[\]]*)\]/.exec(line)?.[1]?.trim() === table) return at;
  }
  return undefined;
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
      throw new FormatError('toml-invalid', `${JSON.stringify(word)} is no number from 1 on`);
    default:
      return quoted(word);
  }
}

/** A basic string of TOML (1.0.0, "String"), whose escapes are those of JSON. */
function quoted(word: string): string {
  return JSON.stringify(word).replaceAll('\u007f', '\\u007f');
}
