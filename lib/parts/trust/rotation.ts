import { SolpackError } from '../../kernel/events/index.ts';
import { writeFile } from '../../kernel/files/index.ts';
import { readDocumentSignatures, requireQuorum, rotationKeys } from './documents.ts';
import type { Memory } from './memory.ts';
import { policyFrom, readPolicy } from './policy.ts';
import { provedTime } from './time.ts';
import { checkSignatures } from './verify.ts';

/** Which policy replaces which. Paths are absolute. */
export interface RotationRequest {
  /** The policy that is followed now, and is replaced. */
  readonly current: string;
  readonly next: string;
  /** Seconds since 1970. */
  readonly clock: number;
  readonly memory: Memory;
}

/** A policy that was accepted. */
export interface Rotation {
  readonly path: string;
  readonly version: number;
  /** Ids of the keys that have signed it as both versions demand. */
  readonly signers: readonly string[];
}

/**
 * Replaces the current version of a policy by the next one, as TUF does with its root (specification 1.0.34, §5.3): its
 * version is one more, and it is signed as the current version and as itself demand in `rotation`. The clock does not
 * count if the Solutions that move time for all by the current version prove that it is later. Throws
 * `policy-untrusted` if not, `policy-invalid`, `key-invalid`, `file-missing`.
 */
export async function acceptPolicy({ current, next, clock, memory }: RotationRequest): Promise<Rotation> {
  const before = await policyFrom(current, await readPolicy(current));
  const bytes = await readPolicy(next);
  const after = await policyFrom(next, bytes, 'pem');
  if (after.version !== before.version + 1) {
    throw refusal(next, `has version ${after.version}, but the one after ${before.version} is needed`);
  }
  const bundles = await readDocumentSignatures(next);
  const time = provedTime(before, clock, memory);
  const refuse = (reason: string): SolpackError => refusal(next, reason);
  const policies = [before, after];
  const keys = policies.flatMap((policy) => rotationKeys(policy, time));
  const checked = checkSignatures(bytes, [], keys, bundles);
  const signers = policies.flatMap((policy) => requireQuorum(checked, policy, time, refuse));
  await writeFile(current, bytes);
  return { path: current, version: after.version, signers: [...new Set(signers)] };
}

function refusal(path: string, message: string): SolpackError {
  return new SolpackError('policy-untrusted', path, message, {
    hint: 'have it signed with "solpack trust sign", by keys of the current version and of its own',
  });
}
