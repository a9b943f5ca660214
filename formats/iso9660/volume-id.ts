import { FormatError } from '../error.ts';

/** Characters of a volume identifier (ECMA-119 8.4.8). */
const LENGTH = 32;

/**
 * Makes the volume identifier for version `version` of `name`: both in d-characters (A-Z, 0-9, _), joined by `_`, at
 * most 32. The version keeps its first 16 characters, and the name as many as have room beside it. Volume identifiers
 * need not be unique.
 */
export function volumeIdFrom(name: string, version: string): string {
  const tail = dCharacters(version).slice(0, LENGTH / 2);
  const head = dCharacters(name).slice(0, tail === '' ? LENGTH : LENGTH - 1 - tail.length);
  return tail === '' || head === '' ? head + tail : `${head}_${tail}`;
}

/**
 * Maps `value` to d-characters (ECMA-119 7.4.1): letters become upper case, all other characters but digits become `_`.
 */
export function dCharacters(value: string): string {
  if (/^[A-Za-z0-9_]*$/.test(value)) return value.toUpperCase();
  return value.replace(/[^A-Za-z0-9_]/gu, '_').toUpperCase();
}

/** Throws `FormatError` `iso9660-unrepresentable` unless `value` is 1 to 32 d-characters. */
export function requireVolumeId(value: string): void {
  if (!/^[A-Z0-9_]{1,32}$/.test(value)) {
    throw new FormatError(
      'iso9660-unrepresentable',
      `volume identifier ${JSON.stringify(value)} is not 1 to 32 of A-Z, 0-9 and _`,
    );
  }
}
