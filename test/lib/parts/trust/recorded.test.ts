import { describe, expect, test } from 'vitest';
import type { PolicyRule } from '../../../../formats/trust/policy.ts';
import type { PublicKey } from '../../../../lib/parts/trust/keys.ts';
import { noMemory } from '../../../../lib/parts/trust/memory.ts';
import type { Policy, PolicyKey } from '../../../../lib/parts/trust/policy.ts';
import { judgeRecorded, type RecordedRelease, type RecordedTime } from '../../../../lib/parts/trust/recorded.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;
const [a, b] = ['a'.repeat(64), 'b'.repeat(64)] as const;
const root = `sha256:${'0'.repeat(64)}` as const;
const record = { created: NOW - 10 * DAY, predicates: [], components: [{ name: 'web', kind: 'helm' as const }] };
const release: RecordedRelease = { name: 'hello', root, signers: [a], images: ['registry.example.com/web:1'], record };
const older: RecordedRelease = { ...release, record: undefined };

function policyOf(rule: Partial<PolicyRule>, key: Partial<PolicyKey> = {}, more: Partial<Policy> = {}): Policy {
  const known = (keyId: string, own: Partial<PolicyKey> = {}): [string, PolicyKey] => [
    keyId,
    { key: { keyId } as PublicKey, status: 'active', notBefore: undefined, notAfter: undefined, ...own },
  ];
  const all = { match: '*', keys: [a, b], threshold: 1, requirePredicates: [], maxDaysAhead: 1, movesTime: false };
  const keys = new Map([known(a, key), known(b)]);
  return { version: 1, keys, rules: [{ ...all, ...rule }], deny: new Set(), rotation: undefined, ...more };
}

function found(one: RecordedRelease, policy: Policy, time: RecordedTime = 'passes', memory = noMemory): string[] {
  return judgeRecorded(one, { policy, clock: NOW, memory }, time).map(({ code }) => code);
}

describe('what was installed before may come back', () => {
  test('although a higher sequence is remembered', () => {
    const memory = { ...noMemory, solutions: new Map([['hello', { sequence: 9, newest: NOW - DAY }]]) };
    expect(
      found({ ...release, record: { ...record, sequence: 3 } }, policyOf({ minSequence: 3 }), 'passes', memory),
    ).toEqual([]);
  });

  test.each<[string, RecordedRelease, Policy, string]>([
    ['has expired', { ...release, record: { ...record, expires: NOW - 1 } }, policyOf({}), 'solution-expired'],
    ['is signed by a key that has expired', release, policyOf({}, { notAfter: NOW - 1 }), 'key-expired'],
    ['is signed by a key that does not count yet', release, policyOf({}, { notBefore: NOW + 1 }), 'key-not-yet-valid'],
    [
      'is from the future',
      { ...release, record: { ...record, created: NOW + 9 * DAY } },
      policyOf({}),
      'solution-from-the-future',
    ],
  ])('if it is there already, although it %s', (_, one, policy, code) => {
    expect(found(one, policy)).toContain(code);
    expect(found(one, policy, 'stands')).toEqual([]);
  });

  test('although it was not recorded what nobody demands', () => {
    for (const policy of [policyOf({}), policyOf({ allow: { namespaces: ['shop'] } })]) {
      expect(found(older, policy)).toEqual([]);
    }
  });
});

describe('what is there already does not come back', () => {
  test.each<[string, Policy, string[]]>([
    ['is denied', policyOf({}, {}, { deny: new Set([root]) }), ['solution-denied']],
    ['is signed by a revoked key', policyOf({}, { status: 'revoked' }), ['signature-untrusted', 'key-revoked']],
    [
      'was made after its key was retired',
      policyOf({}, { status: 'retired', notAfter: NOW - 20 * DAY }),
      ['signature-untrusted', 'key-expired'],
    ],
    ['is of a name that no rule matches', policyOf({ match: 'other' }), ['policy-unmatched']],
    ['is signed by too few', policyOf({ threshold: 2 }), ['threshold-unmet']],
    ['has too low a sequence', policyOf({ minSequence: 1 }), ['sequence-too-low']],
    [
      'lacks an attestation',
      policyOf({ requirePredicates: ['https://slsa.dev/provenance/v1'] }),
      ['predicate-missing'],
    ],
    ['has a component of another kind', policyOf({ allow: { components: ['manifests'] } }), ['policy-bounds']],
    ['has an image of elsewhere', policyOf({ allow: { images: ['docker.io/*'] } }), ['policy-bounds']],
  ])('if it %s', (_, policy, codes) => {
    expect(found(release, policy, 'stands')).toEqual(codes);
  });

  test.each<[string, Policy, string[], RegExp]>([
    ['its sequence', policyOf({ minSequence: 1 }), ['sequence-too-low'], /requires the sequence 1.*not recorded/],
    [
      'its attestations',
      policyOf({ requirePredicates: ['https://slsa.dev/provenance/v1'] }),
      ['predicate-missing'],
      /requires an attestation.*slsa.*not recorded/,
    ],
    [
      'its components',
      policyOf({ allow: { components: ['helm'] } }),
      ['policy-bounds'],
      /requires components of helm.*not recorded/,
    ],
    [
      'all of its images',
      policyOf({ allow: { images: ['*/*'] } }),
      ['policy-bounds'],
      /requires images of .*not recorded/,
    ],
    [
      'when it was made',
      policyOf({}, { status: 'retired', notAfter: NOW }),
      ['signature-untrusted', 'key-expired'],
      /retired.*not recorded/,
    ],
  ])('if an older solpack did not record %s, and the policy demands it', (_, policy, codes, words) => {
    expect(found(older, policy, 'stands')).toEqual(codes);
    const messages = judgeRecorded(older, { policy, clock: NOW, memory: noMemory }, 'stands').map((one) => one.message);
    expect(messages.join('\n')).toMatch(words);
  });
});
