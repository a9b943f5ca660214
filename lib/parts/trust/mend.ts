import { sha256 } from '../../../formats/digest.ts';
import type { Mend } from '../../../formats/trust/mend.ts';
import { SolpackError } from '../../kernel/events/index.ts';
import { mendFrom, readDocumentSignatures, requireQuorum, rotationKeys } from './documents.ts';
import { changeMemory, type Memory, type Remembered } from './memory.ts';
import { type Policy, readPolicy } from './policy.ts';
import { date, provedTime } from './time.ts';
import { checkSignatures } from './verify.ts';

/** Which mend to apply to what. Paths are absolute. */
export interface MendRequest {
  /** The mend, with its signatures beside it. */
  readonly mend: string;
  /** The folder that remembers. */
  readonly state: string;
  /** Whose `rotation` says who may sign it. */
  readonly policy: Policy;
  /** Seconds since 1970. */
  readonly clock: number;
}

/** A fix that was applied. */
export interface Mended {
  readonly state: string;
  /** Ids of the keys that have signed it as the policy demands. */
  readonly signers: readonly string[];
  /** What is remembered now of the Solutions that it names. */
  readonly solutions: readonly ({ readonly name: string } & Remembered)[];
}

/**
 * Corrects the memory of some Solutions by a document that the policy's `rotation` has signed. The document names what
 * it replaces, all of which has to match, and is applied once. Throws `mend-untrusted`, `mend-mismatch`,
 * `mend-invalid`, `trust-state-invalid`, `output-unwritable`.
 */
export async function mendMemory({ mend: path, state, policy, clock }: MendRequest): Promise<Mended> {
  const bytes = await readPolicy(path);
  const mend = await mendFrom(path, bytes);
  const bundles = await readDocumentSignatures(path);
  let signers: readonly string[] = [];
  await changeMemory(state, (before) => {
    // By the time as it is remembered: a mend must not bring back the keys that sign it.
    const time = provedTime(policy, clock, before);
    const checked = checkSignatures(bytes, [], rotationKeys(policy, time), bundles);
    signers = requireQuorum(checked, policy, time, (reason) => untrusted(path, reason));
    return mended(path, before, mend, sha256(bytes));
  });
  return { state, signers, solutions: mend.solutions.map(({ name, to }) => ({ name, ...to })) };
}

function mended(path: string, { solutions, mends }: Memory, mend: Mend, digest: string): Memory {
  if (mends.includes(digest)) throw mismatch(path, 'was applied here before, and is applied only once');
  const after = new Map(solutions);
  for (const { name, from, to } of mend.solutions) {
    const now = solutions.get(name) ?? {};
    if (now.sequence !== from.sequence || now.newest !== from.newest) {
      throw mismatch(path, `is for a memory in which ${words(from)} of ${name}, but ${words(now)}`);
    }
    if (to.sequence === undefined && to.newest === undefined) after.delete(name);
    else after.set(name, to);
  }
  return { solutions: after, mends: [...mends, digest] };
}

function words({ sequence, newest }: Remembered): string {
  const parts = [
    ...(sequence === undefined ? [] : [`sequence ${sequence}`]),
    ...(newest === undefined ? [] : [`date ${date(newest)}`]),
  ];
  return `${parts.length === 0 ? 'nothing' : parts.join(' and ')} is remembered`;
}

function untrusted(path: string, reason: string): SolpackError {
  return new SolpackError('mend-untrusted', path, reason, {
    hint: 'have it signed with "solpack trust sign", by keys of the [rotation] of the policy',
  });
}

function mismatch(path: string, message: string): SolpackError {
  return new SolpackError('mend-mismatch', path, message, {
    hint: '"solpack trust show" prints what is remembered: write that as "from", and have it signed',
  });
}
