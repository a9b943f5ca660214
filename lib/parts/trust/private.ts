import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { cosignLabels } from '../../../formats/keys/cosign.ts';
import { pemLabel } from '../../../formats/keys/pem.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { openCosignKey } from './cosign.ts';
import { invalidKey, type PublicKey, publicKeyOf, readPem } from './keys.ts';

/** A key that signs, with its public half. */
export interface PrivateKey {
  readonly key: KeyObject;
  readonly public: PublicKey;
}

/**
 * A passphrase, or a function that returns the one for the key in the file `path`, which is called only for encrypted
 * keys.
 */
export type Passphrase = string | ((path: string) => Promise<string | undefined>);

/**
 * Reads a private key in PEM: PKCS#8, SEC 1, or as cosign keeps it. Throws `file-missing`, and `key-invalid`, also if
 * it is encrypted and there is no passphrase.
 */
export async function loadPrivateKey(path: string, passphrase?: Passphrase): Promise<PrivateKey> {
  const pem = await readPem(path);
  const label = pemLabel(pem);
  if (label?.endsWith('PUBLIC KEY')) {
    throw invalidKey(path, 'holds a public key, where a private one is needed', 'name the .key file, or add --signer');
  }
  if (!label?.endsWith('PRIVATE KEY')) {
    throw invalidKey(path, `is ${label ?? 'nothing'} in PEM, where a private key is needed`, howToMake);
  }
  const key = isEncrypted(label, pem)
    ? await opened(path, label, pem, await required(path, passphrase))
    : await read(path, () => createPrivateKey(pem), 'is not a readable private key', howToMake);
  return { key, public: publicKeyOf(createPublicKey(key), path) };
}

const howToMake = 'make a pair with "solpack keygen", or convert yours with "openssl pkcs8 -topk8"';

/** PKCS#8 says it by its label; the form that openssl used before says it in a header (RFC 1421 §4.6.1.1). */
function isEncrypted(label: string, pem: string): boolean {
  return label.startsWith('ENCRYPTED ') || /^Proc-Type: 4,ENCRYPTED\s*$/m.test(pem);
}

async function required(path: string, passphrase: Passphrase | undefined): Promise<string> {
  const known = typeof passphrase === 'function' ? await passphrase(path) : passphrase;
  if (known !== undefined) return known;
  throw invalidKey(
    path,
    'is encrypted, but no passphrase is known',
    'set SOLPACK_PASSPHRASE, or give --passphrase-file',
  );
}

function opened(path: string, label: string, pem: string, passphrase: string): Promise<KeyObject> {
  const open = (): KeyObject | Promise<KeyObject> =>
    cosignLabels.includes(label)
      ? openCosignKey(path, label, pem, passphrase)
      : createPrivateKey({ key: pem, passphrase });
  return read(
    path,
    open,
    'cannot be decrypted: the passphrase is wrong, or the key is damaged',
    'try the passphrase again',
  );
}

async function read(
  path: string,
  work: () => KeyObject | Promise<KeyObject>,
  message: string,
  hint: string,
): Promise<KeyObject> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof SolpackError ? cause : invalidKey(path, message, hint, cause);
  }
}
