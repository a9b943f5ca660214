import type { Digest } from '../../../formats/digest.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { UNDATED } from '../../../formats/solution/metadata.ts';
import type { PolicyRule } from '../../../formats/trust/policy.ts';
import type { Finding } from '../../kernel/content/index.ts';
import { breachesOfRoot, type SolutionReach } from './bounds.ts';
import type { Memory } from './memory.ts';
import { type Policy, type PolicyKey, ruleFor } from './policy.ts';
import { date, type Time, timeFor } from './time.ts';

/** Seconds. */
const DAY = 86_400;

/** What is decided about: a Solution as its signed root tells it. Dates are seconds since 1970. */
export interface Entity extends SolutionReach {
  readonly name: string;
  readonly root: Digest;
  readonly sequence: number | undefined;
  readonly created: number;
  readonly expires: number | undefined;
  /** Ids of keys, one for each signature of the root that is valid; a key that signed twice is there twice. */
  readonly signatures: readonly string[];
  /** Ids that its signatures name, also those that nobody could check: for messages alone. */
  readonly claimed: readonly string[];
  /**
   * Types of predicates that the root lists, for the Solution or for each of its images: whoever signs it signs these.
   */
  readonly predicates: readonly string[];
}

/** What `decide` can find: a matter of trust, never of bytes. */
export const decisionCodes = [
  'signature-untrusted',
  'threshold-unmet',
  'signature-repeated',
  'key-revoked',
  'key-expired',
  'key-not-yet-valid',
  'solution-denied',
  'solution-expired',
  'solution-from-the-future',
  'sequence-too-low',
  'downgrade',
  'policy-unmatched',
  'predicate-missing',
  'policy-bounds',
] as const;

/** Something against a Solution. */
export type Reason = Finding & { readonly code: (typeof decisionCodes)[number] };

/** What `decide` says. */
export interface Decision {
  /** Ids of the keys whose signatures count, each once. */
  readonly signers: readonly string[];
  /** Why the Solution is not trusted; none where it is. */
  readonly findings: readonly Reason[];
}

/**
 * Decides whether a Solution is trusted. Pure: `verify` and `install` ask this same question, and nothing else answers
 * it. `clock` is what this machine takes for the time, in seconds since 1970; what is remembered may prove that it is
 * later. What no rule allows is refused.
 */
export function decide(entity: Entity, policy: Policy, clock: number, memory: Memory): Decision {
  const time = timeFor(entity.name, policy, clock, memory);
  const { latest } = time;
  const about = (code: Reason['code'], message: string): Reason => ({ code, subject: entity.name, message });
  const findings: Reason[] = [];
  if (policy.deny.has(entity.root))
    findings.push(about('solution-denied', `the policy denies its root ${entity.root}`));
  if (entity.expires !== undefined && latest >= entity.expires) {
    const since = latest > clock ? ' by what is remembered here' : '';
    findings.push(
      about('solution-expired', `it expired at ${date(entity.expires)}, and it is ${date(latest)}${since}`),
    );
  }
  const before = memory.solutions.get(entity.name)?.sequence;
  if (before !== undefined && (entity.sequence ?? 0) < before) {
    findings.push(about('downgrade', `${sequenceOf(entity)}, but sequence ${before} was installed before`));
  }
  const rule = ruleFor(policy, entity.name);
  if (!rule) {
    findings.push(about('policy-unmatched', 'no rule of the policy matches its name, so nobody may sign it'));
    return { signers: [], findings };
  }
  if (rule.minSequence !== undefined && (entity.sequence ?? 0) < rule.minSequence) {
    findings.push(about('sequence-too-low', `${sequenceOf(entity)}, but the policy requires ${rule.minSequence}`));
  }
  if (entity.created > UNDATED && entity.created > time.proved + DAY * rule.maxDaysAhead) {
    const ahead = `which is more than ${rule.maxDaysAhead} d ahead of the time here, ${date(time.proved)}`;
    const message = `it says that it was made at ${date(entity.created)}, ${ahead}: one of the two clocks is wrong`;
    findings.push(about('solution-from-the-future', message));
  }
  for (const type of rule.requirePredicates) {
    if (entity.predicates.includes(type)) continue;
    findings.push(
      about(
        'predicate-missing',
        `it has no attestation of the predicate type ${type}, about itself or about each of its images`,
      ),
    );
  }
  if (rule.allow) findings.push(...breachesOfRoot(entity, rule.allow));
  const { signers, findings: unmet } = countSigners(entity, policy, rule, time);
  return { signers, findings: [...findings, ...unmet] };
}

/** Whose signatures count; where these are too few, also why others do not. */
function countSigners(entity: Entity, policy: Policy, rule: PolicyRule, time: Time): Decision {
  const signed = [...new Set(entity.signatures)].filter((id) => rule.keys.includes(id));
  const signers: string[] = [];
  const refusals: Reason[] = [];
  for (const id of signed) {
    const key = policy.keys.get(id);
    const refusal = key && refusalOf(key, entity, time);
    if (refusal) refusals.push({ code: refusal.code, subject: `key ${shortKey(id)}`, message: refusal.message });
    else if (key) signers.push(id);
  }
  if (signers.length >= rule.threshold) return { signers, findings: [] };
  return { signers, findings: [unmet(entity, rule, signers), ...refusals, ...repeatedBy(entity, rule, signers)] };
}

function unmet(
  { name, claimed, signatures }: Entity,
  { keys, threshold }: PolicyRule,
  signers: readonly string[],
): Reason {
  if (signers.length > 0) {
    const message = `${signers.length} of ${threshold} keys that are needed have signed, of ${keys.map(shortKey).join(', ')}`;
    return { code: 'threshold-unmet', subject: name, message };
  }
  const pretended = claimed.some((id) => keys.includes(id) && !signatures.includes(id));
  // Whoever compares with paper has to see where two ids differ.
  const isAlike = claimed.some((id) => keys.some((key) => key !== id && shortKey(key) === shortKey(id)));
  const shown = (id: string): string => (isAlike ? id : shortKey(id));
  const by = claimed.map(shown).join(', ');
  const has =
    claimed.length === 0 ? 'it is not signed' : pretended ? 'one under its name is not valid' : `signed by ${by}`;
  const message = `no valid signature by key ${keys.map(shown).join(', ')}: ${has}`;
  return { code: 'signature-untrusted', subject: name, message };
}

/** Keys that would have met the threshold if each of their signatures counted. */
function repeatedBy({ signatures }: Entity, { threshold }: PolicyRule, signers: readonly string[]): Reason[] {
  if (signatures.filter((id) => signers.includes(id)).length < threshold) return [];
  return signers.flatMap((id): Reason[] => {
    const times = signatures.filter((other) => other === id).length;
    if (times < 2) return [];
    const message = `has signed ${times} times, which counts once`;
    return [{ code: 'signature-repeated', subject: `key ${shortKey(id)}`, message }];
  });
}

function refusalOf(
  { status, notBefore, notAfter }: PolicyKey,
  { created }: Entity,
  { proved, latest }: Time,
): { code: Reason['code']; message: string } | undefined {
  if (status === 'revoked') return { code: 'key-revoked', message: 'is revoked' };
  if (notBefore !== undefined && proved < notBefore) {
    return { code: 'key-not-yet-valid', message: `is valid from ${date(notBefore)} on, but it is ${date(proved)}` };
  }
  if (notAfter === undefined) return undefined;
  if (status === 'retired') {
    if (created <= notAfter) return undefined;
    const message = `has been retired since ${date(notAfter)}, but the Solution was made at ${date(created)}`;
    return { code: 'key-expired', message };
  }
  if (latest <= notAfter) return undefined;
  return { code: 'key-expired', message: `was valid until ${date(notAfter)}, but it is ${date(latest)}` };
}

function sequenceOf({ sequence }: Entity): string {
  return sequence === undefined ? 'it has no sequence' : `it has sequence ${sequence}`;
}
