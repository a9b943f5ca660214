import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNDATED } from '../../../../formats/solution/metadata.ts';
import type { PolicyRule } from '../../../../formats/trust/policy.ts';
import { decide, decisionCodes, type Entity } from '../../../../lib/parts/trust/decide.ts';
import type { PublicKey } from '../../../../lib/parts/trust/keys.ts';
import { type Memory, noMemory, type Remembered } from '../../../../lib/parts/trust/memory.ts';
import type { Policy, PolicyKey } from '../../../../lib/parts/trust/policy.ts';

const NOW = 1_800_000_000;
const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const root = `sha256:${'0'.repeat(64)}` as const;

function keyOf(id: string, more: Partial<PolicyKey> = {}): [string, PolicyKey] {
  const key = { keyId: id } as PublicKey;
  return [id, { key, status: 'active', notBefore: undefined, notAfter: undefined, ...more }];
}

const DAY = 86_400;
const ruleOfAll = {
  match: '*',
  keys: [a, b, c],
  threshold: 1,
  requirePredicates: [],
  maxDaysAhead: 1,
  movesTime: false,
};

function policyOf(rule: Partial<PolicyRule>, more: Partial<Policy> = {}): Policy {
  const full = { ...ruleOfAll, ...rule };
  const keys = new Map([keyOf(a), keyOf(b), keyOf(c)]);
  return { version: 1, keys, rules: [full], deny: new Set(), rotation: undefined, ...more };
}

function entityOf(more: Partial<Entity> = {}): Entity {
  const signatures = more.signatures ?? [a];
  const rest = { sequence: undefined, created: 0, expires: undefined, predicates: [], components: [], images: [] };
  return { name: 'hello', root, ...rest, signatures, claimed: signatures, ...more };
}

function codes(entity: Entity, policy: Policy, memory: Memory = noMemory, clock: number = NOW): string[] {
  return decide(entity, policy, clock, memory).findings.map(({ code }) => code);
}

const remembered = (solutions: Record<string, Remembered>): Memory => ({
  solutions: new Map(Object.entries(solutions)),
  mends: [],
});
const seen = (sequence: number): Memory => remembered({ hello: { sequence } });
const only = (more: Partial<PolicyKey>): Policy => policyOf({ keys: [a] }, { keys: new Map([keyOf(a, more)]) });

describe('a Solution is trusted', () => {
  test.each<[string, Entity, Policy, Memory]>([
    ['that one key of several has signed', entityOf({ signatures: [b] }), policyOf({}), noMemory],
    ['that as many keys as needed have signed', entityOf({ signatures: [a, b] }), policyOf({ threshold: 2 }), noMemory],
    [
      'that a revoked key has signed as well',
      entityOf({ signatures: [a, b] }),
      policyOf({}, { keys: new Map([keyOf(a), keyOf(b, { status: 'revoked' })]) }),
      noMemory,
    ],
    [
      'that a retired key has signed in its time',
      entityOf({ created: 100 }),
      only({ status: 'retired', notAfter: 100 }),
      noMemory,
    ],
    ['in the first and the last second of its key', entityOf(), only({ notBefore: NOW, notAfter: NOW }), noMemory],
    ['in the last second before it expires', entityOf({ expires: NOW + 1 }), policyOf({}), noMemory],
    ['made a day ahead of the clock, and no more', entityOf({ created: NOW + DAY }), policyOf({}), noMemory],
    [
      'made as far ahead as its rule allows',
      entityOf({ created: NOW + 9 * DAY }),
      policyOf({ maxDaysAhead: 9 }),
      noMemory,
    ],
    [
      'made a day ahead of a Solution that advances the time for all',
      entityOf({ created: NOW + 3 * DAY }),
      policyOf({ movesTime: true }),
      remembered({ other: { newest: NOW + 2 * DAY } }),
    ],
    [
      'whatever other Solutions say of the time',
      entityOf({ expires: NOW + 1 }),
      only({ notAfter: NOW }),
      remembered({ other: { newest: NOW + 5 * DAY } }),
    ],
    ['of the sequence that is there already', entityOf({ sequence: 4 }), policyOf({ minSequence: 4 }), seen(4)],
    [
      'with the attestations that are demanded',
      entityOf({ predicates: ['x', 'y'] }),
      policyOf({ requirePredicates: ['y'] }),
      noMemory,
    ],
  ])('%s', (_, entity, policy, memory) => {
    expect(codes(entity, policy, memory)).toEqual([]);
  });
});

describe('a Solution is refused', () => {
  test.each<[string, Entity, Policy, string[], Memory?]>([
    ['that nobody has signed', entityOf({ signatures: [] }), policyOf({}), ['signature-untrusted']],
    [
      'that goes beyond what its rule allows, however well it is signed',
      entityOf({ components: [{ name: 'gpu', kind: 'plugin' }], images: ['docker.io/library/nginx:1'] }),
      policyOf({ allow: { components: ['helm'], images: [] } }),
      ['policy-bounds', 'policy-bounds'],
    ],
    [
      'that a key has signed which is not of its rule',
      entityOf({ signatures: [c] }),
      policyOf({ keys: [a, b] }),
      ['signature-untrusted'],
    ],
    ['that too few have signed', entityOf({ signatures: [b] }), policyOf({ threshold: 2 }), ['threshold-unmet']],
    [
      'whose threshold one key would meet by signing twice',
      entityOf({ signatures: [a, a] }),
      policyOf({ threshold: 2 }),
      ['threshold-unmet', 'signature-repeated'],
    ],
    ['that a revoked key has signed', entityOf(), only({ status: 'revoked' }), ['signature-untrusted', 'key-revoked']],
    [
      'that a revoked key would have to help',
      entityOf({ signatures: [a, b] }),
      policyOf({ threshold: 2 }, { keys: new Map([keyOf(a), keyOf(b, { status: 'revoked' })]) }),
      ['threshold-unmet', 'key-revoked'],
    ],
    [
      'whose key does not count yet',
      entityOf(),
      only({ notBefore: NOW + 1 }),
      ['signature-untrusted', 'key-not-yet-valid'],
    ],
    ['whose key counts no longer', entityOf(), only({ notAfter: NOW - 1 }), ['signature-untrusted', 'key-expired']],
    [
      'that a retired key has signed after its time',
      entityOf({ created: 101 }),
      only({ status: 'retired', notAfter: 100 }),
      ['signature-untrusted', 'key-expired'],
    ],
    ['that has expired', entityOf({ expires: NOW }), policyOf({}), ['solution-expired']],
    [
      'made more than a day ahead of the clock',
      entityOf({ created: NOW + DAY + 1 }),
      policyOf({}),
      ['solution-from-the-future'],
    ],
    [
      'made further ahead than its rule allows',
      entityOf({ created: NOW + 1 }),
      policyOf({ maxDaysAhead: 0 }),
      ['solution-from-the-future'],
    ],
    [
      'made more than a day ahead of the clock, though its own release before was later still',
      entityOf({ created: NOW + DAY + 1 }),
      policyOf({}),
      ['solution-from-the-future'],
      remembered({ hello: { newest: NOW + 9 * DAY } }),
    ],
    [
      'whose root is denied, whoever signed it',
      entityOf(),
      policyOf({}, { deny: new Set([root]) }),
      ['solution-denied'],
    ],
    ['of which a higher sequence was there', entityOf({ sequence: 3 }), policyOf({}), ['downgrade'], seen(4)],
    ['that has no sequence any longer', entityOf(), policyOf({}), ['downgrade'], seen(1)],
    ['of a sequence that is too low', entityOf({ sequence: 3 }), policyOf({ minSequence: 4 }), ['sequence-too-low']],
    ['without the sequence that is demanded', entityOf(), policyOf({ minSequence: 1 }), ['sequence-too-low']],
    ['that no rule is about', entityOf(), policyOf({ match: 'other-*' }), ['policy-unmatched']],
    ['for which there are no rules', entityOf(), policyOf({}, { rules: [] }), ['policy-unmatched']],
    [
      'without the attestation that is demanded',
      entityOf({ predicates: ['x'] }),
      policyOf({ requirePredicates: ['x', 'y'] }),
      ['predicate-missing'],
    ],
  ])('%s', (_, entity, policy, expected, memory) => {
    expect(codes(entity, policy, memory)).toEqual(expected);
  });

  test('from the future by a clock that stands at its start, but not where nobody gave it a date', () => {
    expect(codes(entityOf({ created: UNDATED + 1 }), policyOf({}), noMemory, 0)).toEqual(['solution-from-the-future']);
    expect(codes(entityOf({ created: UNDATED }), policyOf({}), noMemory, 0)).toEqual([]);
  });

  test('by the first rule that matches, though a later one would take it', () => {
    const { rules } = policyOf({ match: 'hel*', keys: [b] });
    const policy = policyOf({}, { rules: [...rules, ...policyOf({ keys: [a] }).rules] });
    expect(codes(entityOf(), policy)).toEqual(['signature-untrusted']);
    expect(codes(entityOf({ name: 'other' }), policy)).toEqual([]);
  });

  test('by the date of its own newest release, whatever the clock says; that lets no key count that did not', () => {
    const memory = remembered({ hello: { newest: NOW } });
    expect(codes(entityOf({ expires: NOW }), policyOf({}), memory, 0)).toEqual(['solution-expired']);
    expect(codes(entityOf(), only({ notAfter: NOW - 1 }), memory, 0)).toEqual(['signature-untrusted', 'key-expired']);
    expect(codes(entityOf(), only({ notBefore: NOW }), memory, 0)).toEqual([
      'signature-untrusted',
      'key-not-yet-valid',
    ]);
  });

  test('by the date of a Solution that advances the time for all, whatever the clock says; keys count from then on', () => {
    const memory = remembered({ clock: { newest: NOW }, other: { newest: NOW + 9 * DAY } });
    const moved = (keys: Policy['keys']): Policy =>
      policyOf({}, { keys, rules: [{ ...ruleOfAll, match: 'clock', movesTime: true }, ruleOfAll] });
    const known = (more: Partial<PolicyKey>): Policy => moved(new Map([keyOf(a, more)]));
    expect(codes(entityOf({ expires: NOW }), known({}), memory, 0)).toEqual(['solution-expired']);
    expect(codes(entityOf(), known({ notAfter: NOW - 1 }), memory, 0)).toEqual(['signature-untrusted', 'key-expired']);
    expect(codes(entityOf({ expires: NOW + 1 }), known({ notBefore: NOW }), memory, 0)).toEqual([]);
  });
});

const ids = fc.array(fc.constantFrom(a, b, c), { maxLength: 5 });
const keyState = fc.record({
  status: fc.constantFrom('active' as const, 'retired' as const, 'revoked' as const),
  notBefore: fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: undefined }),
  notAfter: fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: undefined }),
});
const cases = fc.record({
  signatures: ids,
  states: fc.tuple(keyState, keyState, keyState),
  keys: fc.uniqueArray(fc.constantFrom(a, b, c), { minLength: 1 }),
  threshold: fc.integer({ min: 1, max: 3 }),
  sequence: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  before: fc.integer({ min: 1, max: 4 }),
});

test('of any policy: who signs twice counts once, more signatures never harm, and codes are those of trust', () => {
  fc.assert(
    fc.property(cases, ({ signatures, states, keys, threshold, sequence, before }) => {
      const known = new Map([keyOf(a, states[0]), keyOf(b, states[1]), keyOf(c, states[2])]);
      const policy = policyOf({ keys, threshold }, { keys: known });
      const ask = (of: readonly string[]) => decide(entityOf({ signatures: of, sequence }), policy, NOW, seen(before));
      const { findings, signers } = ask(signatures);
      expect(ask([...new Set(signatures)]).signers).toEqual(signers);
      expect(new Set(signers).size).toBe(signers.length);
      for (const id of signers) expect([keys.includes(id), known.get(id)!.status]).not.toContain(false);
      expect(signers.some((id) => known.get(id)!.status === 'revoked')).toBe(false);
      for (const { code } of findings) expect(decisionCodes).toContain(code);
      expect(findings.length === 0).toBe(signers.length >= threshold && (sequence ?? 0) >= before);
      if (findings.length === 0) expect(ask([...signatures, a, b, c]).findings).toEqual([]);
    }),
    { numRuns: 500 },
  );
});
