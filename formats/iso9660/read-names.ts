import { isUtf8 } from 'node:buffer';
import { FormatError } from '../error.ts';
import { limits } from './limits.ts';

/** The trees of an image that can be read. */
export type Namespace = 'rock-ridge' | 'joliet' | 'enhanced' | 'plain';

const ucs2 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });

/**
 * Decodes the name that an identifier stands for, as UTF-8. The plain tree adds a version, `;1`, and before it perhaps
 * a dot, which are left out (ECMA-119 7.5). In the Joliet tree only the version is left out, and in that of ISO
 * 9660:1999 nothing is. The case stays as it is stored. Throws `FormatError` `iso9660-name`; `offset` is that of the
 * record.
 */
export function identifierName(identifier: Uint8Array, namespace: Namespace, offset: number): Uint8Array {
  if (namespace === 'joliet') return checkedName(utf8Of(decodeUcs2(withoutVersion(identifier, 2), offset)), offset);
  const bytes = namespace === 'enhanced' ? identifier : withoutDot(withoutVersion(identifier, 1));
  // Bytes beyond the standard's characters are in no known encoding. In Latin-1 each of them stays a character of its
  // own.
  return checkedName(isUtf8(bytes) ? bytes : utf8Of(Buffer.from(bytes).toString('latin1')), offset);
}

/** Returns the name of an NM entry after checking it. Throws `FormatError` `iso9660-name`. */
export function rockRidgeName(bytes: Uint8Array, offset: number): Uint8Array {
  if (!isUtf8(bytes)) throw badName(offset, 'it is not UTF-8');
  return checkedName(bytes, offset);
}

/** Makes the error for a bad name in the directory record at byte `offset`. */
export function badName(offset: number, why: string): FormatError {
  return new FormatError('iso9660-name', `the name in the directory record at byte ${offset} is refused: ${why}`, {
    offset,
  });
}

function checkedName(name: Uint8Array, offset: number): Uint8Array {
  const dots = name.length <= 2 && name.every((byte) => byte === 0x2e);
  if (dots || name.includes(0x2f) || name.includes(0)) {
    throw badName(offset, `${JSON.stringify(Buffer.from(name).toString())} cannot be the name of a file`);
  }
  if (name.length > limits.name) throw badName(offset, `it has more than ${limits.name} bytes`);
  return name;
}

/** Cuts `;1` off the end; each character has `width` bytes. */
function withoutVersion(bytes: Uint8Array, width: 1 | 2): Uint8Array {
  const [semicolon, one] = [bytes.length - width - 1, bytes.length - 1];
  const is = (at: number, value: number): boolean => bytes[at] === value && (width === 1 || bytes[at - 1] === 0);
  return is(semicolon, 0x3b) && is(one, 0x31) ? bytes.subarray(0, -2 * width) : bytes;
}

function withoutDot(bytes: Uint8Array): Uint8Array {
  return bytes.at(-1) === 0x2e ? bytes.subarray(0, -1) : bytes;
}

function decodeUcs2(bytes: Uint8Array, offset: number): string {
  try {
    return ucs2.decode(bytes);
  } catch {
    throw badName(offset, 'it is not UCS-2');
  }
}

function utf8Of(text: string): Uint8Array {
  return Buffer.from(text);
}
