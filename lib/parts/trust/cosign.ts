import { createPrivateKey, type KeyObject, scryptSync } from 'node:crypto';
import { parseCosignKey } from '../../../formats/keys/cosign.ts';
import { fromFormat } from '../../kernel/events/index.ts';

/**
 * Opens a private key as cosign keeps it. Throws `key-invalid` about `path` where it is not of that form, and any error
 * where the passphrase is another.
 */
export async function openCosignKey(path: string, label: string, pem: string, passphrase: string): Promise<KeyObject> {
  const { N, r, p, salt, nonce, box } = parsed(path, label, pem);
  // What scrypt allocates, and what OpenSSL counts as well (RFC 7914 §6).
  const maxmem = 128 * N * r + 128 * r * p + 1024 * 1024;
  const { openSecretbox } = await import('../../../formats/keys/secretbox.ts');
  const der = openSecretbox(scryptSync(passphrase, salt, 32, { N, r, p, maxmem }), nonce, box);
  if (!der) throw new Error('the box does not open with this passphrase');
  return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
}

function parsed(path: string, label: string, pem: string): ReturnType<typeof parseCosignKey> {
  try {
    return parseCosignKey(label, pem);
  } catch (error) {
    throw fromFormat('key-invalid', path, error, 'copy it again, or make a pair with "solpack keygen"');
  }
}
