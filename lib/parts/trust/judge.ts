import { sha256 } from '../../../formats/digest.ts';
import type { SolutionMetadata } from '../../../formats/solution/metadata.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { type Decision, decide, type Entity } from './decide.ts';
import { policyOfFingerprints, withRecoveredKeys } from './fingerprint.ts';
import type { PublicKey } from './keys.ts';
import { type Memory, noMemory } from './memory.ts';
import { type Policy, policyOfKeys } from './policy.ts';
import { checkSignatures, type DetachedBundle, invalidOf, type Verifier, validKeys } from './verify.ts';

/** What an archive has to meet in addition to having the right bytes. */
export interface Trust {
  readonly policy: Policy;
  /** What this machine takes for the time, in seconds since 1970. */
  readonly clock: number;
  readonly memory: Memory;
}

/**
 * Trust in keys, of which one has to have signed. Throws `trust-required` if the list is empty, because nothing would
 * be checked then: to trust nobody, use `trustInNobody`.
 */
export function trustInKeys(
  keys: readonly PublicKey[],
  clock: number = Math.floor(Date.now() / 1000),
  memory: Memory = noMemory,
): Trust {
  someOf(keys, 'trustInKeys');
  return { policy: policyOfKeys(keys), clock, memory };
}

/**
 * Trust in keys that are known only by their fingerprints, such as those on paper; one of them has to have signed. A
 * fingerprint is the SHA-256 of the SubjectPublicKeyInfo in DER, in hexadecimal. Signatures of ECDSA reveal their key;
 * for one of Ed25519, the check of signatures throws `key-invalid`. Throws `trust-required` if the list is empty.
 */
export function trustInFingerprints(
  fingerprints: readonly string[],
  clock: number = Math.floor(Date.now() / 1000),
  memory: Memory = noMemory,
): Trust {
  someOf(fingerprints, 'trustInFingerprints');
  return { policy: policyOfFingerprints(fingerprints), clock, memory };
}

/** Trust in the same, with the keys that it knows by fingerprints alone, as far as signatures of the root tell them. */
export function withKeysOf(
  trust: Trust,
  { root, slots, bundles }: Pick<Evidence, 'root' | 'slots' | 'bundles'>,
): Trust {
  return { ...trust, policy: withRecoveredKeys(trust.policy, root, slots, bundles) };
}

function someOf(keys: unknown, subject: string): void {
  // Programs without types may give nothing at all, which must not open the door either.
  if (Array.isArray(keys) && keys.length > 0) return;
  throw new SolpackError('trust-required', subject, 'was given no key, so nobody would have to have signed', {
    hint: 'give the keys that have to have signed; trustInNobody accepts unsigned archives',
  });
}

/** Trust in nobody: no signature counts, so only archives are accepted that need none. */
export function trustInNobody(clock: number = Math.floor(Date.now() / 1000), memory: Memory = noMemory): Trust {
  return { policy: policyOfKeys([]), clock, memory };
}

/** What an archive brings to be judged by. */
export interface Evidence {
  /** The bytes that were signed. */
  readonly root: Uint8Array;
  readonly slots: readonly Uint8Array[];
  /** Signatures in files of their own, which count like those in slots. */
  readonly bundles: readonly DetachedBundle[];
  /** Undefined where the root is too damaged to say what it is. */
  readonly metadata: SolutionMetadata | undefined;
  /** Types of predicates that the root lists, for the Solution or for each of its images. */
  readonly predicates: readonly string[];
  /** References of the images that the root lists. */
  readonly images: readonly string[];
}

/** Whether an archive is trusted, and by whose signatures. */
export interface TrustVerdict extends Pick<Decision, 'signers'> {
  readonly trusted: boolean;
  /** Signatures that do not hold, and why the archive is not trusted. */
  readonly findings: readonly Finding[];
}

/**
 * Checks the signatures of an archive, each once, and decides whether they are enough. Pure. `verifier` says whether
 * one holds, as `checkSignatures` has it.
 */
export function judgeTrust(evidence: Evidence, trust: Trust, verifier?: Verifier): TrustVerdict {
  const { root, slots, bundles, metadata, predicates, images } = evidence;
  const { policy, clock, memory } = withKeysOf(trust, evidence);
  const keys = [...policy.keys.values()].map(({ key }) => key);
  const checked = checkSignatures(root, slots, keys, bundles, verifier);
  const invalid = invalidOf(checked);
  if (metadata === undefined) {
    const message = 'cannot be trusted: its root does not say what it is';
    const finding: Finding = { code: 'signature-untrusted', subject: 'archive', message };
    return { trusted: false, signers: [], findings: [...invalid, finding] };
  }
  const { name, sequence, created, expires, components } = metadata;
  const entity: Entity = {
    name,
    root: sha256(root),
    sequence,
    created,
    expires,
    signatures: validKeys(checked),
    claimed: checked.flatMap(({ slot, keyId }) => (slot === undefined || keyId === undefined ? [] : [keyId])),
    predicates,
    components,
    images,
  };
  const { signers, findings } = decide(entity, policy, clock, memory);
  return { trusted: findings.length === 0, signers, findings: [...invalid, ...findings] };
}
