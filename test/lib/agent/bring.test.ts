import { expect, test } from 'vitest';
import { sha256 } from '../../../formats/digest.ts';
import { isSettled, refusedBefore } from '../../../lib/agent/bring.ts';
import type { FollowedDocument } from '../../../lib/clusters/agent-cluster.ts';
import type { Generation } from '../../../lib/clusters/generation.ts';

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
