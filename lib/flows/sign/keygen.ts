import { access } from 'node:fs/promises';
import { SolpackError } from '../../kernel/events/index.ts';
import { writeNew } from '../../kernel/files/index.ts';
import { generateKey, type SignatureAlgorithm } from '../../parts/trust/index.ts';

/** A key pair that was written to two files. */
export interface KeygenResult {
  readonly privatePath: string;
  readonly publicPath: string;
  readonly keyId: string;
  /** Whether a passphrase protects the private key. */
  readonly encrypted: boolean;
}

/**
 * Makes a key pair in `<path>.key` (mode 0600) and `<path>.pub`, and never overwrites a file. It calls `passphrase`
 * after it has found that neither file exists. Without a passphrase, or with an empty one, the private key is not
 * encrypted. Throws `output-exists`, `output-unwritable`.
 */
export async function keygen(
  path: string,
  algorithm: SignatureAlgorithm,
  passphrase: (path: string) => Promise<string | undefined>,
): Promise<KeygenResult> {
  const [privatePath, publicPath] = [`${path}.key`, `${path}.pub`];
  for (const file of [privatePath, publicPath]) {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) {
      throw new SolpackError('output-exists', file, 'exists, and a key is never overwritten', {
        hint: 'choose another name with -o',
      });
    }
  }
  const secret = await passphrase(privatePath);
  const { privatePem, publicPem, keyId } = generateKey(algorithm, secret);
  await writeNew(privatePath, Buffer.from(privatePem), 0o600);
  await writeNew(publicPath, Buffer.from(publicPem), 0o644);
  return { privatePath, publicPath, keyId, encrypted: secret !== undefined && secret !== '' };
}
