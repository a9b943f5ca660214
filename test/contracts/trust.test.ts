import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { PolicyRule } from '../../formats/trust/policy.ts';
import { embeddedRegistry, install } from '../../lib/flows/install/index.ts';
import { verify } from '../../lib/flows/verify/index.ts';
import { SolpackError } from '../../lib/kernel/events/errors.ts';
import { loadPrivateKey, type Trust } from '../../lib/parts/trust/index.ts';
import { smallSolution } from '../support/cli.ts';
import { packHere, testFlow } from '../support/flow.ts';
import { scratch } from '../support/judges.ts';
import { makeKey } from '../support/policies.ts';

const folder = scratch('trust-contract');
const archive = join(folder, 'a.iso');
const configuration = join(folder, 'solutions.yaml');
const [signer, other] = [makeKey(folder, 'signer'), makeKey(folder, 'other')];
const NOW = 1_800_000_000;
let root: string;

beforeAll(async () => {
  await smallSolution(folder);
  const sign = await loadPrivateKey(join(folder, 'signer.key'));
  ({ root } = await packHere(join(folder, 'solution.toml'), archive, { sign }));
  const head = 'apiVersion: solutions.metalk8s.scality.com/v1alpha1\nkind: SolutionsConfiguration\n';
  writeFileSync(configuration, `${head}archives: [a.iso]\nactive: {hello: latest}\n`);
});

const around = fc.option(fc.integer({ min: NOW - 2, max: NOW + 2 }), { nil: undefined });
const keyState = fc.record({
  status: fc.constantFrom('active' as const, 'retired' as const, 'revoked' as const),
  notBefore: around,
  notAfter: around,
});
const rules: fc.Arbitrary<PolicyRule> = fc.record({
  match: fc.constantFrom('hello', 'h*', '*', 'other'),
  keys: fc.constantFrom<string[]>([signer.id], [other.id], [signer.id, other.id]),
  threshold: fc.constantFrom(1, 1, 2),
  minSequence: fc.constantFrom(undefined, undefined, 1),
  requirePredicates: fc.constantFrom<string[]>([], [], ['https://slsa.dev/provenance/v1']),
  maxDaysAhead: fc.constant(1),
  movesTime: fc.boolean(),
});
const questions = fc.record({
  states: fc.tuple(keyState, keyState),
  rules: fc.array(rules, { maxLength: 2 }),
  denied: fc.constantFrom(false, false, true),
  before: fc.constantFrom(undefined, undefined, 1),
});

async function trustOf(question: typeof questions extends fc.Arbitrary<infer T> ? T : never): Promise<Trust> {
  const publics = await Promise.all([signer, other].map(({ name }) => loadPrivateKey(join(folder, `${name}.key`))));
  const keys = new Map(publics.map(({ public: key }, index) => [key.keyId, { key, ...question.states[index]! }]));
  const policy = {
    version: 1,
    keys,
    rules: question.rules,
    deny: new Set(question.denied ? [root] : []),
    rotation: undefined,
  };
  const solutions = new Map(question.before === undefined ? [] : [['hello', { sequence: question.before }]]);
  return { policy, clock: NOW, memory: { solutions, mends: [] } };
}

test('verify in CI and install on the node decide alike, and for the same reasons, whatever the policy says', async () => {
  const verdicts = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const basis = await trustOf(question);
      const { trusted, findings } = await verify({ archive, trust: basis }, testFlow());
      verdicts.add(trusted!);
      const request = {
        configuration,
        trust: { basis, state: join(folder, 'state'), allowDowngrade: false },
        delivery: embeddedRegistry({ host: '127.0.0.1', port: 0, hold: false }),
        hostsDir: undefined,
        cluster: undefined,
        timeout: 1000,
        variables: {},
        allowMissingImages: false,
        test: false,
        strict: false,
      };
      const outcome = await install(request, testFlow()).then(
        ({ trust }) => trust,
        (error: unknown) => error,
      );
      if (trusted) {
        expect([outcome, findings]).toEqual(['policy', []]);
      } else {
        expect(outcome).toBeInstanceOf(SolpackError);
        expect(outcome).toMatchObject({ code: 'not-trusted', exit: 3 });
        const words = findings.map(({ code, subject, message }) => `${subject}: ${message} (${code})`);
        expect((outcome as SolpackError).message).toBe(words.join('; '));
      }
    }),
    // With this seed policies trust the archive, and others do not.
    { seed: 8, numRuns: 60 },
  );
  expect([...verdicts].sort()).toEqual([false, true]);
});
