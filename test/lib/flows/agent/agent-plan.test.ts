import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../formats/digest.ts';
import type { InstallPlan } from '../../../../formats/solution/install-plan.ts';
import { planInStatus, planState, shownPlan } from '../../../../lib/flows/agent/agent-plan.ts';

const seal = `${'a'.repeat(32)}:${'b'.repeat(64)}`;
const configuration = sha256('edge');
const stepsOf = (subjects: readonly string[]): InstallPlan['steps'] =>
  subjects.map((subject) => ({ kind: 'apply', subject, action: 'create', changes: [], step: sha256(subject) }));
const planOf = (subjects: readonly string[]): InstallPlan => ({
  ...{ configuration: 'edge', choices: [], steps: stepsOf(subjects), bytes: 0, unchanged: 0, room: [], seal },
});

test('a plan is read from a status as it was, however long it is', () => {
  const plan = planOf(Array.from({ length: 3_000 }, (_, index) => `ConfigMap/default/settings-${index}`));
  const shown = shownPlan(plan, configuration, undefined)!;
  expect([shown.changes.length, shown.more, shown.state]).toEqual([200, 2_800, 'Waiting']);
  expect(planInStatus(JSON.parse(JSON.stringify({ plan: shown })))).toEqual({ plan, configuration });
});

test('a plan that is too large for an object is not shown, so that nobody approves what they cannot read', () => {
  const subjects = Array.from({ length: 20_000 }, () => randomBytes(40).toString('hex'));
  expect(shownPlan(planOf(subjects), configuration, undefined)).toBeUndefined();
});

test('a decision counts for the plan of its seal alone', () => {
  expect(planState(seal, { seal, decision: 'Approved' })).toBe('Approved');
  expect(planState(seal, { seal, decision: 'Denied' })).toBe('Denied');
  expect(planState(seal, { seal: seal.replace('b', 'c'), decision: 'Approved' })).toBe('Waiting');
  expect(planState(seal, undefined)).toBe('Waiting');
});

test.each([
  ['nothing', undefined],
  ['no plan', {}],
  ['no digest', { plan: { document: gzipSync('{}').toString('base64'), configuration: 'edge' } }],
  ['no gzip', { plan: { document: 'AAAA', configuration } }],
  ['no plan of an install', { plan: { document: gzipSync('{}').toString('base64'), configuration } }],
  ['far more than a plan', { plan: { document: gzipSync(Buffer.alloc(65 << 20)).toString('base64'), configuration } }],
])('a status with %s has no plan', (_, status) => {
  expect(planInStatus(status)).toBeUndefined();
});
