import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { utf8 } from '../../../formats/bytes.ts';
import { exactJson } from '../../../formats/exact-json.ts';

const derive: (secret: Uint8Array, salt: string, length: number) => Promise<Buffer> = promisify(scrypt);

/**
 * Seals a value, so that another one shows, and nobody finds out what it is: `SALT:DIGEST`. A secret in it may be a
 * short one, so that trying many has to take long (RFC 7914, scrypt).
 */
export async function sealOf(value: unknown, salt: string): Promise<string> {
  return `${salt}:${(await derive(utf8(exactJson(value)), salt, 32)).toString('hex')}`;
}

/** Returns the salt of a seal. */
export function saltOf(seal: string): string {
  return seal.slice(0, seal.indexOf(':'));
}
