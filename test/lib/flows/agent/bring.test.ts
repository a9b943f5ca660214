import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import { isSettled, isToRecord, refusedBefore } from '../../../../lib/flows/agent/bring.ts';
import type { FollowedDocument } from '../../../../lib/parts/clusters/agent-cluster.ts';
import type { Generation } from '../../../../lib/parts/clusters/generation.ts';
import { trustInKeys } from '../../../../lib/parts/trust/judge.ts';
import type { PublicKey } from '../../../../lib/parts/trust/keys.ts';

const documentOf = (text: string): FollowedDocument => ({
  bytes: Buffer.from(text),
  digest: sha256(text),
  uid: 'one',
  generation: 1,
  status: undefined,
});
const base = { at: '2026-01-01T00:00:00Z', by: 'somebody', host: 'edge', of: undefined, solutions: [] };
const failed: Generation = {
  ...base,
  number: 3,
  state: 'failed',
  reason: 'Deployment web: is not ready',
  cause: 'install',
  configuration: sha256('new'),
};
const back: Generation = {
  ...base,
  number: 4,
  state: 'ready',
  reason: undefined,
  cause: 'rollback',
  of: 2,
  configuration: sha256('old'),
};

test('what another replica has tried in vain is settled for the next one, which says why', () => {
  const settled = refusedBefore(documentOf('new'), [back, failed]);
  expect(settled?.refusal).toBe('generation 3 has failed, so that generation 2 is back: Deployment web: is not ready');
  expect(isSettled(documentOf('new'), back, settled)).toBe(true);
});

test.each<[string, string, Generation[]]>([
  ['another document', 'newest', [back, failed]],
  ['what was interrupted', 'new', [back, { ...failed, state: 'interrupted' }]],
  ['what was gone back from although it was ready', 'new', [back, { ...failed, state: 'ready' }]],
  ['what is still being taken back', 'new', [{ ...back, state: 'applying' }, failed]],
  ['what something else has come after', 'new', [{ ...back, number: 5, cause: 'install' }, failed]],
  ['the first one', 'new', []],
])('%s is tried', (_, text, generations) => {
  expect(refusedBefore(documentOf(text), generations)).toBeUndefined();
});

test('what an older solpack installed is installed once more where the policy asks for what it did not record', async () => {
  const key = { keyId: 'a'.repeat(64) } as PublicKey;
  const basis = trustInKeys([key])!;
  const [rule] = basis.policy.rules;
  const demanding = { ...basis, policy: { ...basis.policy, rules: [{ ...rule!, minSequence: 1 }] } };
  const release = { sequence: 1, created: 0, predicates: [], components: [], otherImages: [] };
  const solution = {
    ...{ name: 'shop', version: '1.0.0', root: sha256('root'), site: undefined, signers: [key.keyId] },
    ...{ archive: undefined, images: [] },
  };
  const installed: Generation = { ...back, cause: 'install', of: undefined, solutions: [solution] };
  const asks = (trust: typeof basis | 'skip', generation = installed): Promise<boolean> =>
    isToRecord(generation, { trust: async () => (trust === 'skip' ? trust : { basis: trust }) });
  expect(await asks(demanding)).toBe(true);
  expect(await asks(basis)).toBe(false);
  expect(await asks('skip')).toBe(false);
  expect(await asks(demanding, { ...installed, solutions: [{ ...solution, release }] })).toBe(false);
  // What was gone back to is not what the document says.
  expect(await asks(demanding, { ...installed, cause: 'rollback' })).toBe(false);
});
