import { FormatError } from '../error.ts';
import { limits } from './limits.ts';

/** Which of the trees of an image is read. */
export type Namespace = 'rock-ridge' | 'joliet' | 'plain';

/** The text of `bytes`, or undefined where they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decode('utf-8', bytes);
}

/**
 * The name that an identifier stands for (ECMA-119 7.5, 7.6): big-endian UCS-2 in the Joliet tree; without the version `;1`
 * and a dot at the end, the case as stored. Throws `FormatError` `iso9660-name`; `offset` is that of the record.
 */
export function identifierName(identifier: Uint8Array, namespace: Namespace, offset: number): string {
  const value =
    namespace === 'joliet'
      ? decode('utf-16be', identifier)
      : // Identifiers beyond the standard's characters are in no known encoding; each byte stays apart in Latin-1.
        (decodeUtf8(identifier) ?? Buffer.from(identifier).toString('latin1'));
  if (value === undefined) throw badName(offset, 'it is not UCS-2');
  return checkedName(value.replace(/;1$/, '').replace(/\.$/, ''), offset);
}

/** The name of an NM entry. Throws `FormatError` `iso9660-name`. */
export function rockRidgeName(bytes: Uint8Array, offset: number): string {
  const value = decodeUtf8(bytes);
  if (value === undefined) throw badName(offset, 'it is not UTF-8');
  return checkedName(value, offset);
}

/** A name of the directory record at byte `offset`, and what is wrong with it. */
export function badName(offset: number, why: string): FormatError {
  return new FormatError('iso9660-name', `the name in the directory record at byte ${offset} is refused: ${why}`, {
    offset,
  });
}

function checkedName(name: string, offset: number): string {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    throw badName(offset, `${JSON.stringify(name)} cannot be the name of a file`);
  }
  if (Buffer.byteLength(name) > limits.name) throw badName(offset, `it has more than ${limits.name} bytes`);
  return name;
}

function decode(encoding: 'utf-8' | 'utf-16be', bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
