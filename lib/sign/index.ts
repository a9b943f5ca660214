import { access } from 'node:fs/promises';
import type { Digest } from '../../formats/digest.ts';
import { FormatError } from '../../formats/error.ts';
import { parseBundle } from '../../formats/sigstore/bundle.ts';
import { type Archive, fillFirstSlot, openArchive } from '../archives/index.ts';
import { SolpackError } from '../errors.ts';
import { type Flow, lend } from '../flow.ts';
import { writeFile } from '../host.ts';
import { generateKey, type PrivateKey, type SignatureAlgorithm, signRoot } from '../trust/index.ts';

/** What to sign, with what, and where the signature goes. Paths are absolute. */
export interface SignRequest {
  readonly archive: string;
  readonly key: PrivateKey;
  /** A file for the bundle; undefined is a slot of the archive. */
  readonly output: string | undefined;
}

/** What was signed. */
export interface SignResult {
  readonly root: Digest;
  readonly keyId: string;
  /** The archive's slot that was filled, unless the bundle went to a file. */
  readonly slot: number | undefined;
}

/**
 * Signs an archive's root. A signature that the same key left in a slot before is replaced; no byte outside the slot
 * changes. Throws `archive-invalid`, `signature-slots-full`, `output-unwritable`.
 */
export async function signArchive(request: SignRequest, flow: Flow): Promise<SignResult> {
  return lend(await openArchive(request.archive, flow.signal), (archive) => signOpened(archive, request));
}

async function signOpened(archive: Archive, request: SignRequest): Promise<SignResult> {
  const { root, rootBytes } = archive.catalog;
  const bundle = signRoot(rootBytes, request.key);
  const { keyId } = request.key.public;
  if (request.output !== undefined) {
    await writeFile(request.output, bundle);
    return { root: root.digest, keyId, slot: undefined };
  }
  const slot = await fillFirstSlot(archive, bundle, (other) => isBy(other, keyId));
  return { root: root.digest, keyId, slot };
}

function isBy(bundle: Uint8Array, keyId: string): boolean {
  try {
    return Buffer.from(parseBundle(bundle).hint, 'base64').toString('hex') === keyId;
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

/** A key pair that was written to two files. */
export interface KeygenResult {
  readonly privatePath: string;
  readonly publicPath: string;
  readonly keyId: string;
}

/** Makes a key pair in `<path>.key` (mode 0600) and `<path>.pub`; never overwrites one. Throws `output-exists`. */
export async function keygen(path: string, algorithm: SignatureAlgorithm): Promise<KeygenResult> {
  const [privatePath, publicPath] = [`${path}.key`, `${path}.pub`];
  for (const file of [privatePath, publicPath]) {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) {
      throw new SolpackError('output-exists', file, 'is there already, and a key is never overwritten', {
        hint: 'choose another name with -o',
      });
    }
  }
  const { privatePem, publicPem, keyId } = generateKey(algorithm);
  await writeFile(privatePath, Buffer.from(privatePem), 0o600);
  await writeFile(publicPath, Buffer.from(publicPem), 0o644);
  return { privatePath, publicPath, keyId };
}
