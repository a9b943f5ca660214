import { isMend, type Mend, parseMend } from '../../../formats/trust/mend.ts';
import { type Flow, refused, SolpackError } from '../../kernel/events/index.ts';
import { readFile, writeFile } from '../../kernel/files/index.ts';
import type { PublicKey } from './keys.ts';
import { type Policy, policyFrom, readPolicy } from './policy.ts';
import { type Signer, signRoot } from './sign.ts';
import { type CheckedSignature, checkSignatures, type DetachedBundle, invalidOf, validKeys } from './verify.ts';

// Documents that the keys of a policy's [rotation] sign, in files beside them: its next version, and mends.

/** Bytes that the signatures of a document may have: far more than there are keys. */
const LIMIT = 1024 * 1024;

/** A signature that a document has now. */
export interface DocumentSigned {
  /** The file that holds it. */
  readonly output: string;
  readonly keyId: string;
  /** Whether it was there before. */
  readonly already: boolean;
}

/**
 * Adds a signature to those beside a policy or a mend, which has to be valid; it does not repeat the signature of a key
 * that has already signed. Throws `policy-invalid`, `mend-invalid`, `key-invalid`, `output-unwritable`.
 */
export async function signDocument(path: string, signer: Signer, flow: Flow): Promise<DocumentSigned> {
  const bytes = await readPolicy(path);
  const mend = await refused('policy-invalid', path, () => isMend(bytes));
  await (mend ? mendFrom(path, bytes) : policyFrom(path, bytes, 'pem'));
  const before = await readDocumentSignatures(path);
  const output = signaturesPath(path);
  const { keyId } = signer.public;
  const checked = checkSignatures(bytes, [], [signer.public], before);
  if (validKeys(checked).length > 0) return { output, keyId, already: true };
  // Signatures of what the file held before are of no use any longer.
  const broken = new Set(checked.flatMap(({ where, worth }) => (worth === 'broken' ? [where] : [])));
  const kept = before.filter(({ name }) => !broken.has(name));
  const made = await signRoot(bytes, signer, flow);
  const lines = [...kept.map((bundle) => bundle.bytes), made].map((line) => `${Buffer.from(line).toString('utf8')}\n`);
  await writeFile(output, Buffer.from(lines.join('')));
  return { output, keyId, already: false };
}

/** The mend in the bytes of the file `path`. Throws `mend-invalid`. */
export function mendFrom(path: string, bytes: Uint8Array): Promise<Mend> {
  return refused('mend-invalid', path, () => parseMend(bytes), '"solpack docs trust" describes every field');
}

/** The bundles beside a document; none where there is no such file. */
export async function readDocumentSignatures(path: string): Promise<DetachedBundle[]> {
  const name = signaturesPath(path);
  let text: string;
  try {
    text = Buffer.from(await readFile(name, LIMIT)).toString('utf8');
  } catch (error) {
    if (error instanceof SolpackError && error.code === 'file-missing') return [];
    throw error;
  }
  const lines = text.split('\n').map((line, index) => ({ name: `${name}:${index + 1}`, bytes: Buffer.from(line) }));
  return lines.filter(({ bytes }) => bytes.length > 0);
}

/** The keys of a policy's `rotation` that count at `time`, in seconds since 1970. */
export function rotationKeys({ keys, rotation }: Policy, time: number): readonly PublicKey[] {
  return (rotation?.keys ?? []).flatMap((id) => {
    const entry = keys.get(id);
    const counts = entry?.status === 'active' && time >= (entry.notBefore ?? time) && time <= (entry.notAfter ?? time);
    return counts ? [entry.key] : [];
  });
}

/**
 * The keys by which a document is signed as the `rotation` of a policy demands, of those that count at `time`.
 * `checked` are its signatures, checked by these keys at least. Where they are too few, throws what `refuse` makes of
 * the reason.
 */
export function requireQuorum(
  checked: readonly CheckedSignature[],
  policy: Policy,
  time: number,
  refuse: (reason: string) => SolpackError,
): readonly string[] {
  const { version, rotation } = policy;
  if (!rotation) throw refuse(`cannot be accepted: version ${version} has no [rotation], which says who may sign it`);
  const counting = rotationKeys(policy, time).map(({ keyId }) => keyId);
  // What another key has signed wrongly is nothing to this policy.
  const own = checked.filter(({ keyId, worth }) => worth === 'broken' || counting.includes(keyId ?? ''));
  const trusted = [...new Set(validKeys(own))];
  if (trusted.length >= rotation.threshold) return trusted;
  const why = invalidOf(own).map(({ subject, message }) => `; ${subject}: ${message}`);
  const count = `${trusted.length} of ${rotation.threshold}`;
  throw refuse(`is signed by ${count} keys that version ${version} requires in its [rotation]${why.join('')}`);
}

/** Where the signatures of the document `path` are: Sigstore bundles, one a line. */
function signaturesPath(path: string): string {
  return `${path}.sigstore.jsonl`;
}
