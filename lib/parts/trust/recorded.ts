import type { Digest } from '../../../formats/digest.ts';
import { shortKey } from '../../../formats/keys/short-key.ts';
import { UNDATED } from '../../../formats/solution/metadata.ts';
import { decide, type Entity, type Reason } from './decide.ts';
import type { Trust } from './judge.ts';
import { type Policy, ruleFor } from './policy.ts';
import { date } from './time.ts';

/** What was recorded of a Solution when it was installed, and so judged before. */
export interface RecordedRelease {
  readonly name: string;
  readonly root: Digest;
  /** Ids of the keys whose signatures counted for it. */
  readonly signers: readonly string[];
  /** References of its images. */
  readonly images: readonly string[];
  /** What else it is judged by; undefined where nobody recorded that. */
  readonly record:
    | (Partial<Pick<Entity, 'sequence' | 'expires'>> & Pick<Entity, 'created' | 'predicates' | 'components'>)
    | undefined;
}

/**
 * What time does to a release. `passes`: one that has expired, or whose key has, is refused. `stands`: it is not,
 * because it is there already, and is only put back.
 */
export type RecordedTime = 'passes' | 'stands';

/**
 * Decides by the same question as `decide` whether a release that was installed before may come back. The sequences
 * that are remembered do not count, because whoever goes back wants an older one. What the policy demands and nobody
 * recorded is refused. Pure.
 */
export function judgeRecorded(release: RecordedRelease, trust: Trust, time: RecordedTime): readonly Reason[] {
  const { name, root, signers, images, record } = release;
  const { clock, memory } = trust;
  const policy = time === 'stands' ? withoutTime(trust.policy) : trust.policy;
  const unrecorded = record === undefined ? demandedInVain(release, policy) : [];
  const entity: Entity = {
    ...{ name, root, images, claimed: signers },
    signatures: record === undefined ? signers.filter((id) => retirement(id, policy) === undefined) : signers,
    sequence: record?.sequence,
    created: record?.created ?? UNDATED,
    expires: time === 'stands' ? undefined : record?.expires,
    predicates: record?.predicates ?? [],
    components: record?.components ?? [],
  };
  const solutions = new Map([...memory.solutions].map(([known, { newest }]) => [known, { newest }] as const));
  const { findings } = decide(entity, policy, clock, { ...memory, solutions });
  // What nobody recorded is not what the release lacks.
  const others = record === undefined ? findings.filter(({ code }) => !absentCodes.has(code)) : findings;
  return [...others, ...unrecorded];
}

/** Codes that `decide` finds of a release of which nothing was recorded, if the policy demands it. */
const absentCodes: ReadonlySet<Reason['code']> = new Set(['sequence-too-low', 'predicate-missing']);

/** A policy for what is there already: no key of it begins to count, or ends. What is retired stays so. */
function withoutTime(policy: Policy): Policy {
  const keys = [...policy.keys].map(([id, key]) => {
    return [id, key.status === 'active' ? { ...key, notBefore: undefined, notAfter: undefined } : key] as const;
  });
  const rules = policy.rules.map((rule) => ({ ...rule, maxDaysAhead: Number.POSITIVE_INFINITY }));
  return { ...policy, keys: new Map(keys), rules };
}

/** When a key was retired; undefined where what it signs counts whenever that was made. */
function retirement(id: string, { keys }: Policy): number | undefined {
  const key = keys.get(id);
  return key?.status === 'retired' ? key.notAfter : undefined;
}

/** Finds what a policy demands to know of a release of which nothing more was recorded. */
function demandedInVain({ name, signers }: RecordedRelease, policy: Policy): Reason[] {
  const rule = ruleFor(policy, name);
  if (rule === undefined) return [];
  const { minSequence, requirePredicates, allow, keys } = rule;
  const demanded = (code: Reason['code'], what: string): Reason => {
    return {
      code,
      subject: name,
      message: `the policy requires ${what}, but that was not recorded when it was installed`,
    };
  };
  return [
    ...(minSequence === undefined ? [] : [demanded('sequence-too-low', `the sequence ${minSequence}`)]),
    ...requirePredicates.map((type) => demanded('predicate-missing', `an attestation of the predicate type ${type}`)),
    ...(allow?.components === undefined
      ? []
      : [demanded('policy-bounds', `components of ${listed(allow.components)}`)]),
    ...(allow?.images === undefined ? [] : [demanded('policy-bounds', `images of ${listed(allow.images)}`)]),
    ...signers.flatMap((id): Reason[] => {
      const since = retirement(id, policy);
      if (since === undefined || !keys.includes(id)) return [];
      const message = `has been retired since ${date(since)}, and the date of the Solution was not recorded`;
      return [{ code: 'key-expired', subject: `key ${shortKey(id)}`, message }];
    }),
  ];
}

function listed(names: readonly string[]): string {
  return names.join(', ') || 'none';
}
