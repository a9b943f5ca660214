import { SolpackError } from '../errors.ts';
import type { Flow } from '../flow.ts';
import { readFile, writeFile } from '../host.ts';
import { type Policy, policyFrom, readPolicy } from './policy.ts';
import { type Signer, signRootBy } from './sign.ts';
import { type DetachedBundle, judgeSignatures } from './verify.ts';

/** Bytes that the signatures of a policy may have: far more than there are keys. */
const LIMIT = 1024 * 1024;

/** Which policy is to take the place of which. Paths are absolute. */
export interface RotationRequest {
  /** The policy that is followed now, and is replaced. */
  readonly current: string;
  readonly next: string;
  /** Seconds since 1970. */
  readonly clock: number;
}

/** A policy that was accepted. */
export interface Rotation {
  readonly path: string;
  readonly version: number;
  /** Ids of the keys that have signed it as both versions demand. */
  readonly signers: readonly string[];
}

/** A signature that a policy has now. */
export interface PolicySigned {
  /** The file that holds it. */
  readonly output: string;
  readonly keyId: string;
  /** Whether it was there before. */
  readonly already: boolean;
}

/** Where the signatures of the policy `path` are: Sigstore bundles, one a line. */
function signaturesPath(path: string): string {
  return `${path}.sigstore.jsonl`;
}

/**
 * Puts the next version of a policy in the place of the current one, as TUF does with its root (specification 1.0.34,
 * §5.3): its version is one more, and it is signed as the current version and as itself demand in `rotation`. Throws
 * `policy-untrusted` where not, `policy-invalid`, `key-invalid`, `file-missing`.
 */
export async function acceptPolicy({ current, next, clock }: RotationRequest): Promise<Rotation> {
  const before = await policyFrom(current, await readPolicy(current));
  const bytes = await readPolicy(next);
  const after = await policyFrom(next, bytes, 'pem');
  if (after.version !== before.version + 1) {
    throw refusal(next, `has version ${after.version}, and the one to follow ${before.version} is needed`);
  }
  const bundles = await readSignatureLines(next);
  const signers = [before, after].flatMap((policy) => quorum(next, bytes, bundles, policy, clock));
  await writeFile(current, bytes);
  return { path: current, version: after.version, signers: [...new Set(signers)] };
}

/** Adds a signature to those beside a policy, which has to be valid; one of a key that is there already is not made anew. */
export async function signPolicy(path: string, signer: Signer, flow: Flow): Promise<PolicySigned> {
  const bytes = await readPolicy(path);
  await policyFrom(path, bytes, 'pem');
  const before = await readSignatureLines(path);
  const output = signaturesPath(path);
  const { keyId } = signer.public;
  if (judgeSignatures(bytes, [], [signer.public], before).trusted.length > 0) return { output, keyId, already: true };
  // Signatures of what the file held before are of no use any longer.
  const kept = before.filter((bundle) => judgeSignatures(bytes, [], [], [bundle]).findings.length === 0);
  const made = await signRootBy(bytes, signer, flow);
  const lines = [...kept.map((bundle) => bundle.bytes), made].map((line) => `${Buffer.from(line).toString('utf8')}\n`);
  await writeFile(output, Buffer.from(lines.join('')));
  return { output, keyId, already: false };
}

/** The bundles beside a policy; none where there is no such file. */
async function readSignatureLines(path: string): Promise<DetachedBundle[]> {
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

/** The keys by which `bytes` are signed as `policy` demands of its successor, and of itself. */
function quorum(
  path: string,
  bytes: Uint8Array,
  bundles: readonly DetachedBundle[],
  { version, keys, rotation }: Policy,
  clock: number,
): readonly string[] {
  if (!rotation)
    throw refusal(path, `cannot be accepted: version ${version} has no [rotation], so only a person replaces it`);
  const now = rotation.keys.flatMap((id) => {
    const entry = keys.get(id);
    const counts =
      entry?.status === 'active' && clock >= (entry.notBefore ?? clock) && clock <= (entry.notAfter ?? clock);
    return counts ? [entry.key] : [];
  });
  const { trusted, findings } = judgeSignatures(bytes, [], now, bundles);
  if (trusted.length >= rotation.threshold) return trusted;
  const broken = findings.filter(({ code }) => code === 'signature-invalid');
  const why = broken.map(({ subject, message }) => `; ${subject}: ${message}`).join('');
  const count = `${trusted.length} of ${rotation.threshold}`;
  throw refusal(path, `is signed by ${count} keys that version ${version} demands in its [rotation]${why}`);
}

function refusal(path: string, message: string): SolpackError {
  return new SolpackError('policy-untrusted', path, message, {
    hint: 'have it signed with "solpack trust sign", by keys of the current version and of its own',
  });
}
